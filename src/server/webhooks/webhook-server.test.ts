import { describe, expect, test } from "vitest";
import { allJobs } from "../../jobs/all.ts";
import { webhookApp } from "./webhook-server.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };
const group = "infrastructure.cluster.x-k8s.io";
const cluster = {
  apiVersion: `${group}/v1beta1`,
  kind: "OpenStackCluster",
  metadata: { name: "c" },
  spec: { identityRef: { name: "s", cloudName: "o" }, apiServerPort: 1 },
};

const post = async (url: string, payload: object | string) => {
  const app = webhookApp(silent, allJobs);
  const answer = await app.inject({ method: "POST", url, headers: { "content-type": "application/json" }, payload });
  return {
    status: answer.statusCode,
    body: JSON.parse(answer.body) as { response?: Record<string, unknown>; error?: string },
  };
};

const admission = (request: object) => ({
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  request: {
    uid: "u1",
    kind: { group, version: "v1beta1", kind: "OpenStackCluster" },
    resource: { group, version: "v1beta1", resource: "openstackclusters" },
    operation: "CREATE",
    name: "c",
    ...request,
  },
});
const conversion = (objects: readonly object[], desiredAPIVersion = `${group}/v1beta2`) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "ConversionReview",
  request: { uid: "u2", desiredAPIVersion, objects },
});

describe("the webhooks", () => {
  test("let a good object pass and answer with the uid they were asked with", async () => {
    expect((await post("/validate", admission({ object: cluster }))).body.response).toEqual({
      uid: "u1",
      allowed: true,
    });
  });

  test("refuse a bad one with field, words and what to do", async () => {
    const { body } = await post("/validate", admission({ object: { ...cluster, spec: {} } }));
    expect(body.response).toMatchObject({
      allowed: false,
      status: {
        code: 422,
        reason: "Invalid",
        message: expect.stringContaining('OpenStackCluster "c" is invalid: spec.identityRef: it is not set.'),
        details: { causes: [{ field: "spec.identityRef" }] },
      },
    });
  });

  test("let every deletion pass, and refuse a kind they know nothing of", async () => {
    expect(
      (await post("/validate", admission({ operation: "DELETE", object: null, oldObject: cluster }))).body.response,
    ).toEqual({ uid: "u1", allowed: true });
    const deleting = { ...cluster, metadata: { name: "c", deletionTimestamp: "t" }, spec: {} };
    expect(
      (await post("/validate", admission({ operation: "UPDATE", object: deleting, oldObject: cluster }))).body.response,
    ).toEqual({ uid: "u1", allowed: true });
    const ofForeignKind = { resource: { group: "example.test", version: "v1", resource: "things" }, object: cluster };
    expect((await post("/validate", admission(ofForeignKind))).body.response).toMatchObject({ allowed: false });
  });

  test("convert every object of a review, in order", async () => {
    const other = { ...cluster, metadata: { name: "d" } };
    const { body } = await post("/convert", conversion([cluster, other]));
    expect(body.response).toMatchObject({
      uid: "u2",
      result: { status: "Success" },
      convertedObjects: [
        { metadata: { name: "c" }, spec: { apiServer: { port: 1 } } },
        { metadata: { name: "d" }, spec: { apiServer: { port: 1 } } },
      ],
    });
  });

  test("say why a review cannot be converted, and give no object back", async () => {
    const { body } = await post("/convert", conversion([cluster], `${group}/v1beta9`));
    expect(body.response).toEqual({
      uid: "u2",
      result: {
        status: "Failure",
        message: `OpenStackCluster cannot be converted from ${group}/v1beta1 to ${group}/v1beta9`,
      },
    });
  });

  test("answer what is no review with 400, and nothing else at all", async () => {
    expect((await post("/validate", { kind: "Pod" })).status).toBe(400);
    expect((await post("/convert", "{")).status).toBe(400);
    expect((await webhookApp(silent, allJobs).inject("/validate")).statusCode).toBe(404);
    expect((await webhookApp(silent, allJobs).inject("/healthz")).body).toBe("ok\n");
  });
});
