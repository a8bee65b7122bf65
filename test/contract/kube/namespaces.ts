// Namespaces from birth to the day their contents are gone.

import { expect, it } from "vitest";
import type { GetContext } from "../kube-target.ts";
import { call, configMap, created, fieldsOf } from "./api-calls.ts";
import { eventually } from "./raw-request.ts";

export function namespacesBehaviours(get: GetContext): void {
  const all = "/api/v1/namespaces";

  async function namespace(): Promise<string> {
    const name = get().unique("ns");
    await created(get, all, { metadata: { name } });
    get().cleanup(() => call(get, "DELETE", `${all}/${name}`));
    return name;
  }

  it("are born active, with a label of their name and a finalizer of their own", async () => {
    const name = get().unique("ns");
    const object = await created(get, all, { metadata: { name, namespace: "ignored" } });
    expect(object).toMatchObject({
      metadata: { labels: { "kubernetes.io/metadata.name": name } },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    });
    expect(object.metadata).not.toHaveProperty("namespace");
    await call(get, "DELETE", `${all}/${name}`);
  });

  it("have names without dots", async () => {
    const answer = await call(get, "POST", all, { metadata: { name: "a.b" } });
    expect([answer.status, fieldsOf(answer)]).toEqual([422, ["metadata.name"]]);
  });

  it("exist from the start where the system needs them, and stay", async () => {
    for (const name of ["default", "kube-system", "kube-public", "kube-node-lease"]) {
      expect((await call(get, "GET", `${all}/${name}`)).body.status.phase).toBe("Active");
    }
    const answer = await call(get, "DELETE", `${all}/default`);
    expect([answer.status, answer.body.reason]).toEqual([403, "Forbidden"]);
  });

  it("get a default ServiceAccount", async () => {
    const name = await namespace();
    await eventually("the account appears", async () => {
      const answer = await call(get, "GET", `${all}/${name}/serviceaccounts/default`);
      return answer.status === 200 ? true : undefined;
    });
  });

  it("keep label and finalizer whatever a client writes", async () => {
    const name = await namespace();
    const patch = { metadata: { labels: { "kubernetes.io/metadata.name": null } }, spec: { finalizers: [] } };
    const { body } = await call(get, "PATCH", `${all}/${name}`, patch, "merge");
    expect([body.metadata.labels, body.spec]).toEqual([
      { "kubernetes.io/metadata.name": name },
      { finalizers: ["kubernetes"] },
    ]);
    const phase = await call(get, "PATCH", `${all}/${name}/status`, { status: { phase: "Terminating" } }, "merge");
    expect([phase.status, fieldsOf(phase)]).toEqual([422, ["status.Phase"]]);
  });

  it("end by terminating: nothing new, contents removed, then gone", async () => {
    const name = await namespace();
    const held = `${all}/${name}/configmaps/held`;
    await created(get, `${all}/${name}/configmaps`, configMap("held", {}, { finalizers: ["test.io/a"] }));
    await created(get, `${all}/${name}/configmaps`, configMap("free"));
    const begun = await call(get, "DELETE", `${all}/${name}`);
    expect(begun.body).toMatchObject({ kind: "Namespace", status: { phase: "Terminating" } });
    expect(begun.body.metadata.deletionTimestamp).toBeDefined();
    const refused = await call(get, "POST", `${all}/${name}/configmaps`, configMap("late"));
    expect([refused.status, refused.body.reason]).toEqual([403, "Forbidden"]);
    expect(refused.body.details.causes[0]).toMatchObject({
      reason: "NamespaceTerminating",
      field: "metadata.namespace",
    });
    await eventually("contents go", async () => {
      const free = await call(get, "GET", `${all}/${name}/configmaps/free`);
      const { body } = await call(get, "GET", held);
      return free.status === 404 && body.metadata.deletionTimestamp !== undefined ? true : undefined;
    });
    expect((await call(get, "GET", `${all}/${name}`)).body.status.phase).toBe("Terminating");
    await call(get, "PATCH", held, { metadata: { finalizers: null } }, "merge");
    await eventually("the namespace goes", async () =>
      (await call(get, "GET", `${all}/${name}`)).status === 404 ? true : undefined,
    );
  });

  it("take no objects while absent", async () => {
    const answer = await call(get, "POST", `${all}/no-such-namespace/configmaps`, configMap("x"));
    expect(answer.body).toMatchObject({
      code: 404,
      reason: "NotFound",
      details: { name: "no-such-namespace", kind: "namespaces" },
    });
  });
}
