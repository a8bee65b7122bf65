// Conversion webhooks: one stored form, several served versions, and a program of the user's in between.

import { expect, it } from "vitest";
import { z } from "zod";
import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import type { ContractContext, GetContext } from "../kube-target.ts";
import { type Gadget, gadget, gadgetCrd, gadgetKind, gadgetVersion, serveGadgets } from "./gadget-kind.ts";
import { ownersOf } from "./owners.ts";
import { refusal } from "./samples.ts";
import { type Answer, listenForWebhooks } from "./webhook-listener.ts";

const requestSchema = z.looseObject({
  desiredAPIVersion: z.string(),
  objects: z.array(z.looseObject({ metadata: z.looseObject({}) })),
});

/** Notes the version it converted to, so that a reader sees that it was asked. */
const convert: Answer = (request) => {
  const { desiredAPIVersion, objects } = requestSchema.parse(request);
  const convertedObjects = objects.map((object) => ({
    ...object,
    apiVersion: desiredAPIVersion,
    metadata: {
      ...object.metadata,
      annotations: { ...Object(object.metadata["annotations"]), converted: desiredAPIVersion },
    },
  }));
  return { result: { status: "Success" }, convertedObjects };
};

export function conversionBehaviours(get: GetContext): void {
  it("converts between versions through the CRD's webhook, on reads, lists and writes", async () => {
    const context = get();
    const { admin, namespace } = context;
    const { kind, calls } = await servedByWebhook(context, convert);
    const other = gadgetKind(kind.group, "v2");
    const plain = await admin.create(kind, gadget(kind, namespace, "one", { spec: { replicas: 2 } }));
    expect(plain.metadata.annotations).toBeUndefined();
    const before = calls.length;
    const read = await admin.get<Gadget>(other, { namespace, name: "one" });
    expect(read).toMatchObject({
      apiVersion: `${kind.group}/v2`,
      spec: { replicas: 2 },
      metadata: { annotations: { converted: `${kind.group}/v2` } },
    });
    expect(calls[before]).toMatchObject({
      path: "/convert?timeout=30s",
      review: {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "ConversionReview",
        request: { desiredAPIVersion: `${kind.group}/v2`, objects: [{ apiVersion: `${kind.group}/v1` }] },
      },
    });
    expect((await admin.list<Gadget>(other, { namespace })).items).toMatchObject([{ apiVersion: `${kind.group}/v2` }]);
    await admin.create(other, gadget(other, namespace, "two", { spec: { replicas: 5 } }));
    expect(await admin.get(kind, { namespace, name: "two" })).toMatchObject({
      apiVersion: `${kind.group}/v1`,
      spec: { replicas: 5 },
      metadata: { annotations: { converted: `${kind.group}/v1` } },
    });
  });

  it("fails reads in a version that the webhook cannot give, and no others", async () => {
    const context = get();
    const { admin, namespace } = context;
    let answer: Answer = convert;
    const { kind } = await servedByWebhook(context, (request) => answer(request));
    await admin.create(kind, gadget(kind, namespace, "one"));
    const read = () => admin.get(gadgetKind(kind.group, "v2"), { namespace, name: "one" });
    const failures: readonly Answer[] = [
      () => ({ result: { status: "Failure", message: "cannot do that" } }),
      () => ({ result: { status: "Success" }, convertedObjects: [] }),
      (request) => ({ result: { status: "Success" }, convertedObjects: requestSchema.parse(request).objects }),
      () => Promise.reject(new Error("broken")),
      () => ({ uid: "another" }),
    ];
    for (const failure of failures) {
      answer = failure;
      const error = await refusal(read());
      expect([error.status, error.message]).toEqual([
        500,
        expect.stringContaining(`conversion webhook for ${kind.group}/v1, Kind=Gadget`),
      ]);
      expect(await admin.get(kind, { namespace, name: "one" })).toMatchObject({ metadata: { name: "one" } });
    }
    answer = convert;
    expect(await read()).toMatchObject({ apiVersion: `${kind.group}/v2` });
  });

  it("knows who owns what when appliers speak different versions that a webhook converts", async () => {
    const context = get();
    const { admin, namespace } = context;
    const { kind } = await servedByWebhook(context, renaming, [
      renamedVersion("v1", "size", true),
      renamedVersion("v2", "extent", false),
    ]);
    const other = gadgetKind(kind.group, "v2");
    const one = (spec: object) => gadget(kind, namespace, "shared", { spec: { ...spec } });
    const two = (spec: object) => gadget(other, namespace, "shared", { spec: { ...spec } });
    await admin.apply(other, two({ extent: { width: 1 }, colour: "red" }), { fieldManager: "alice" });
    const joined = await admin.apply<Gadget>(kind, one({ size: { height: 2 } }), { fieldManager: "bob" });
    expect(joined.spec).toEqual({ size: { width: 1, height: 2 }, colour: "red" });
    const error = await refusal(admin.apply(kind, one({ size: { width: 3, height: 2 } }), { fieldManager: "bob" }));
    expect(error.causes).toMatchObject([{ message: expect.stringContaining('conflict with "alice"') }]);
    await admin.patch(
      kind,
      { namespace, name: "shared" },
      { type: "merge", body: { spec: { colour: "blue" } } },
      { fieldManager: "carol" },
    );
    const left = await admin.apply<Gadget>(other, two({ colour: "blue" }), { fieldManager: "alice" });
    // The width that nobody wants any more is the default again.
    expect(left.spec).toEqual({ extent: { width: 7, height: 2 }, colour: "blue" });
    expect(ownersOf(await admin.get<Gadget>(kind, { namespace, name: "shared" }))).toEqual({
      "alice Apply": ["f:spec/f:colour"],
      "bob Apply": ["f:spec/f:size/f:height"],
      "carol Update": ["f:spec/f:colour"],
    });
  });

  it("prunes and fills in by the schema of each version", async () => {
    const context = get();
    const { admin, namespace } = context;
    const { kind } = await servedByWebhook(context, renaming, [
      renamedVersion("v1", "size", true),
      renamedVersion("v2", "extent", false),
    ]);
    const other = gadgetKind(kind.group, "v2");
    const created = await admin.create(
      other,
      gadget(other, namespace, "one", { spec: { extent: {}, size: { width: 9 }, unknown: 1 } }),
    );
    expect(created.spec).toEqual({ extent: { width: 7 } });
    expect((await admin.get(kind, { namespace, name: "one" })).spec).toEqual({ size: { width: 7 } });
  });
}

/** `spec.size` of v1 is `spec.extent` of v2. */
const renaming: Answer = (request) => {
  const { desiredAPIVersion, objects } = requestSchema.parse(request);
  const [from, to] = desiredAPIVersion.endsWith("/v2") ? ["size", "extent"] : ["extent", "size"];
  const convertedObjects = objects.map((object) => {
    const { [from]: moved, ...rest } = Object(object["spec"]) as Record<string, unknown>;
    return {
      ...object,
      apiVersion: desiredAPIVersion,
      spec: { ...rest, ...(moved === undefined ? {} : { [to]: moved }) },
    };
  });
  return { result: { status: "Success" }, convertedObjects };
};

function renamedVersion(name: string, field: string, storage: boolean): object {
  const integer = { type: "integer" };
  const size = { type: "object", properties: { width: { ...integer, default: 7 }, height: integer } };
  const spec = { type: "object", properties: { [field]: size, colour: { type: "string" }, replicas: integer } };
  return { name, served: true, storage, schema: { openAPIV3Schema: { type: "object", properties: { spec } } } };
}

async function servedByWebhook(
  context: ContractContext,
  answer: Answer,
  versions: readonly object[] = [gadgetVersion("v1", true), gadgetVersion("v2", false)],
) {
  const listener = await listenForWebhooks(answer);
  context.cleanup(() => listener.close());
  const clientConfig = { url: `${listener.url}/convert`, caBundle: listener.caBundle };
  const conversion = { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } };
  const crd = (group: string): KubeObject => gadgetCrd(group, versions, conversion);
  return { kind: await serveGadgets(context, crd), calls: listener.calls };
}
