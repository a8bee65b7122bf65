// The status subresource, by every way of writing: it changes status and nothing else, and nothing else changes it.

import { expect, it } from "vitest";
import type { GetContext } from "../kube-target.ts";
import { type Answer, call, created, pathOf } from "./api-calls.ts";
import { installSpec } from "./sample-crd.ts";

const spec = { type: "object", properties: { size: { type: "integer" } } };

export function statusBehaviours(get: GetContext): void {
  async function withStatus(): Promise<{ readonly path: string; readonly object: Answer["body"] }> {
    const kind = await installSpec(get(), spec, { subresources: { status: {} } });
    const widgets = pathOf(get, "widgets", "", `${kind.group}/v1`);
    const widget = { apiVersion: `${kind.group}/v1`, kind: "Widget", metadata: { name: "one" }, spec: { size: 1 } };
    return { path: `${widgets}/one`, object: await created(get, widgets, { ...widget, status: { early: true } }) };
  }

  it("is dropped from a new object, and from a write to the object itself", async () => {
    const { path, object } = await withStatus();
    expect(object).not.toHaveProperty("status");
    const put = await call(get, "PUT", path, { ...object, spec: { size: 2 }, status: { sneaked: true } });
    expect([put.status, put.body.spec, put.body.status]).toEqual([200, { size: 2 }, undefined]);
  });

  it("is all that a PUT to it changes: labels, spec and generation stay", async () => {
    const { path, object } = await withStatus();
    const metadata = { ...object.metadata, labels: { sneaked: "in" } };
    const put = await call(get, "PUT", `${path}/status`, {
      ...object,
      metadata,
      spec: { size: 9 },
      status: { ready: 1 },
    });
    expect(put.body).toMatchObject({ spec: { size: 1 }, status: { ready: 1 }, metadata: { generation: 1 } });
    expect(put.body.metadata).not.toHaveProperty("labels");
    const stale = await call(get, "PUT", `${path}/status`, { ...object, status: { ready: 2 } });
    expect([stale.status, stale.body.reason]).toEqual([409, "Conflict"]);
  });

  it("is all that an apply to it changes, and never creates the object", async () => {
    const { path, object } = await withStatus();
    const { apiVersion, kind } = object;
    const applied = { apiVersion, kind, metadata: { name: "one" }, spec: { size: 9 }, status: { ready: 1 } };
    const answer = await call(get, "PATCH", `${path}/status?fieldManager=me`, applied, "apply");
    expect(answer.body).toMatchObject({ spec: { size: 1 }, status: { ready: 1 }, metadata: { generation: 1 } });
    const absent = { ...applied, metadata: { name: "two" } };
    const missing = await call(get, "PATCH", `${path.replace(/one$/, "two")}/status?fieldManager=me`, absent, "apply");
    expect([missing.status, missing.body.reason]).toEqual([404, "NotFound"]);
  });

  it("stays when the object is written, and goes with a merge patch that says null", async () => {
    const { path } = await withStatus();
    await call(get, "PATCH", `${path}/status`, { status: { ready: 1, gone: 2 } }, "merge");
    const changed = await call(get, "PATCH", path, { spec: { size: 5 }, status: null }, "merge");
    expect(changed.body).toMatchObject({ status: { ready: 1, gone: 2 }, metadata: { generation: 2 } });
    const cleared = await call(get, "PATCH", `${path}/status`, { status: { gone: null } }, "merge");
    expect(cleared.body.status).toEqual({ ready: 1 });
  });

  it("of a Service takes labels along, as built-in kinds do, and leaves its spec alone", async () => {
    const services = pathOf(get, "services");
    const name = get().unique("st");
    const balancer = { metadata: { name }, spec: { type: "LoadBalancer", ports: [{ port: 80 }] } };
    const object = await created(get, services, balancer);
    const status = { loadBalancer: { ingress: [{ ip: "192.0.2.7", ipMode: "VIP" }] } };
    const metadata = { ...object.metadata, labels: { from: "status" } };
    const put = await call(get, "PUT", `${services}/${name}/status`, {
      ...object,
      metadata,
      spec: { type: "ClusterIP", ports: [{ port: 1 }] },
      status,
    });
    expect([put.status, put.body.status, put.body.spec]).toEqual([200, status, object.spec]);
    expect(put.body.metadata.labels).toEqual({ from: "status" });
  });
}
