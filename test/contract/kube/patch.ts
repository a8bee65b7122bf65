// The ways to patch, what each makes of an object, and how each fails.

import { expect, it } from "vitest";
import type { GetContext } from "../kube-target.ts";
import { type Answer, call, configMap, created, fieldsOf, pathOf } from "./api-calls.ts";

export function patchBehaviours(get: GetContext): void {
  async function mapWith(data: object, metadata: object = {}): Promise<string> {
    const name = get().unique("patch");
    await created(get, pathOf(get, "configmaps"), configMap(name, { data }, metadata));
    return pathOf(get, "configmaps", name);
  }
  const json = (path: string, ...steps: readonly object[]): Promise<Answer> =>
    call(get, "PATCH", path, steps, "jsonPatch");

  it("carries out every step of a JSON patch in order", async () => {
    const path = await mapWith({ a: "1", b: "2" });
    const answer = await json(
      path,
      { op: "test", path: "/data/a", value: "1" },
      { op: "add", path: "/data/c", value: "3" },
      { op: "replace", path: "/data/a", value: "one" },
      { op: "copy", from: "/data/c", path: "/data/d" },
      { op: "move", from: "/data/b", path: "/data/e" },
      { op: "remove", path: "/data/c" },
    );
    expect([answer.status, answer.body.data]).toEqual([200, { a: "one", d: "3", e: "2" }]);
  });

  it("edits lists and escaped keys by JSON patch", async () => {
    const path = await mapWith({}, { finalizers: ["a.b/1", "a.b/2"], annotations: { "a.b/x": "1" } });
    const answer = await json(
      path,
      { op: "add", path: "/metadata/finalizers/1", value: "a.b/between" },
      { op: "add", path: "/metadata/finalizers/-", value: "a.b/last" },
      { op: "remove", path: "/metadata/finalizers/0" },
      { op: "replace", path: "/metadata/annotations/a.b~1x", value: "2" },
    );
    expect(answer.body.metadata.finalizers).toEqual(["a.b/between", "a.b/2", "a.b/last"]);
    expect(answer.body.metadata.annotations).toEqual({ "a.b/x": "2" });
    await call(get, "PATCH", path, { metadata: { finalizers: null } }, "merge");
  });

  it("does nothing when one step of a JSON patch fails", async () => {
    const path = await mapWith({ a: "1" });
    for (const step of [
      { op: "test", path: "/data/a", value: "other" },
      { op: "remove", path: "/data/absent" },
      { op: "add", path: "/absent/a", value: "1" },
      { op: "bogus", path: "/data/a" },
    ]) {
      const answer = await json(path, { op: "add", path: "/data/new", value: "1" }, step);
      expect([step.op, answer.status, answer.body.reason]).toEqual([step.op, 422, "Invalid"]);
    }
    expect((await call(get, "GET", path)).body.data).toEqual({ a: "1" });
  });

  it("refuses patches that are not what they should be", async () => {
    const path = await mapWith({});
    const cases: readonly [string | object, string][] = [
      ["{bad", "jsonPatch"],
      [{ op: "add" }, "jsonPatch"],
      ["{bad", "merge"],
      [[1], "merge"],
    ];
    for (const [body, type] of cases)
      expect([body, (await call(get, "PATCH", path, body, type)).status]).toEqual([body, 400]);
    expect((await call(get, "PATCH", path, {}, "application/json")).status).toBe(415);
  });

  it("merges strategically by the key of a list", async () => {
    const name = get().unique("svc");
    const ports = [
      { name: "a", port: 80 },
      { name: "b", port: 81 },
    ];
    await created(get, pathOf(get, "services"), { metadata: { name }, spec: { clusterIP: "None", ports } });
    const path = pathOf(get, "services", name);
    const shown = (answer: Answer) =>
      answer.body.spec.ports.map(
        (port: { name: string; port: number; targetPort: unknown }) =>
          `${port.name}:${port.port}:${String(port.targetPort)}`,
      );
    const patched = await call(
      get,
      "PATCH",
      path,
      {
        spec: {
          ports: [
            { port: 81, targetPort: "http" },
            { name: "c", port: 82 },
          ],
        },
      },
      "strategic",
    );
    expect(shown(patched).toSorted()).toEqual(["a:80:80", "b:81:http", "c:82:82"]);
    const removed = await call(get, "PATCH", path, { spec: { ports: [{ port: 80, $patch: "delete" }] } }, "strategic");
    expect(shown(removed).toSorted()).toEqual(["b:81:http", "c:82:82"]);
    const ordered = await call(
      get,
      "PATCH",
      path,
      { spec: { "$setElementOrder/ports": [{ port: 82 }, { port: 81 }] } },
      "strategic",
    );
    expect(shown(ordered)).toEqual(["c:82:82", "b:81:http"]);
    const replaced = await call(
      get,
      "PATCH",
      path,
      { spec: { ports: [{ $patch: "replace" }, { name: "z", port: 90 }] } },
      "strategic",
    );
    expect(shown(replaced)).toEqual(["z:90:90"]);
  });

  it("replaces a list by merge patch that a strategic one would merge", async () => {
    const name = get().unique("svc");
    const ports = [
      { name: "a", port: 80 },
      { name: "b", port: 81 },
    ];
    await created(get, pathOf(get, "services"), { metadata: { name }, spec: { clusterIP: "None", ports } });
    const answer = await call(
      get,
      "PATCH",
      pathOf(get, "services", name),
      { spec: { ports: [{ port: 90 }] } },
      "merge",
    );
    expect(answer.body.spec.ports).toEqual([{ port: 90, protocol: "TCP", targetPort: 90 }]);
  });

  it("merges lists of plain values and takes single ones out", async () => {
    const path = await mapWith({}, { finalizers: ["a.b/1", "a.b/2"] });
    const added = await call(get, "PATCH", path, { metadata: { finalizers: ["a.b/3"] } }, "strategic");
    expect(added.body.metadata.finalizers.toSorted()).toEqual(["a.b/1", "a.b/2", "a.b/3"]);
    const removed = await call(
      get,
      "PATCH",
      path,
      { metadata: { "$deleteFromPrimitiveList/finalizers": ["a.b/2"] } },
      "strategic",
    );
    expect(removed.body.metadata.finalizers.toSorted()).toEqual(["a.b/1", "a.b/3"]);
    const none = await call(get, "PATCH", path, { metadata: { finalizers: null } }, "strategic");
    expect(none.body.metadata).not.toHaveProperty("finalizers");
  });

  it("replaces or empties an object on a strategic directive", async () => {
    const path = await mapWith({ a: "1", b: "2" });
    const kept = await call(get, "PATCH", path, { data: { $retainKeys: ["a", "c"], c: "3" } }, "strategic");
    expect(kept.body.data).toEqual({ a: "1", c: "3" });
    const replaced = await call(get, "PATCH", path, { data: { $patch: "replace", z: "9" } }, "strategic");
    expect(replaced.body.data).toEqual({ z: "9" });
  });

  it("honours a resource version inside a patch", async () => {
    const path = await mapWith({ a: "1" });
    const { metadata } = (await call(get, "GET", path)).body;
    const stale = await call(get, "PATCH", path, { metadata: { resourceVersion: "1" }, data: { a: "2" } }, "merge");
    expect([stale.status, stale.body.reason]).toEqual([409, "Conflict"]);
    const right = await call(
      get,
      "PATCH",
      path,
      { metadata: { resourceVersion: metadata.resourceVersion }, data: { a: "2" } },
      "merge",
    );
    expect(right.status).toBe(200);
  });

  it("keeps metadata that belongs to the server", async () => {
    const path = await mapWith({});
    const name = await call(get, "PATCH", path, { metadata: { name: "other" } }, "merge");
    expect(name.status).toBe(400);
    const uid = await call(get, "PATCH", path, { metadata: { uid: "other" } }, "merge");
    expect([uid.status, uid.body.details.causes[0].field]).toEqual([422, "metadata.uid"]);
    const deletion = await call(
      get,
      "PATCH",
      path,
      { metadata: { deletionTimestamp: "2020-01-01T00:00:00Z" } },
      "merge",
    );
    expect([deletion.status, deletion.body.details.causes[0].field]).toEqual([422, "metadata.deletionTimestamp"]);
    const times = await call(get, "PATCH", path, { metadata: { creationTimestamp: null, generation: 3 } }, "merge");
    expect(times.status).toBe(200);
    expect(times.body.metadata.creationTimestamp).toBeDefined();
  });

  it("refuses a patch that makes another kind or a wrong type of an object", async () => {
    const path = await mapWith({ a: "1" });
    for (const [patch, type] of [
      [{ apiVersion: "v2" }, "merge"],
      [{ kind: "Secret" }, "merge"],
      [{ data: { a: 7 } }, "merge"],
      [{ data: { a: 7 } }, "strategic"],
    ] as const) {
      const answer = await call(get, "PATCH", path, patch, type);
      expect([patch, answer.status, fieldsOf(answer)]).toEqual([patch, 422, ["patch"]]);
    }
  });

  it("treats unknown fields in a patch by field validation", async () => {
    const path = await mapWith({});
    const warned = await call(get, "PATCH", path, { bogus: { x: 1 } }, "merge");
    expect([warned.status, warned.headers["warning"]]).toEqual([200, expect.stringContaining("bogus")]);
    expect((await call(get, "PATCH", `${path}?fieldValidation=Strict`, { bogus: { x: 1 } }, "merge")).status).toBe(422);
  });

  it("wants a field manager for apply and force for nothing else", async () => {
    const path = await mapWith({});
    const name = path.split("/").at(-1) ?? "";
    const unmanaged = await call(get, "PATCH", path, configMap(name), "apply");
    expect([unmanaged.status, fieldsOf(unmanaged)]).toEqual([422, ["fieldManager"]]);
    const forced = await call(get, "PATCH", `${path}?force=true`, { data: {} }, "merge");
    expect([forced.status, fieldsOf(forced)]).toEqual([422, ["force"]]);
  });

  it("creates by apply and by no other patch", async () => {
    const name = get().unique("apply");
    const path = pathOf(get, "configmaps", name);
    expect((await call(get, "PATCH", path, { data: {} }, "merge")).status).toBe(404);
    const applied = await call(get, "PATCH", `${path}?fieldManager=me`, configMap(name, { data: { a: "1" } }), "apply");
    expect([applied.status, applied.body.data]).toEqual([201, { a: "1" }]);
    const again = await call(get, "PATCH", `${path}?fieldManager=me`, configMap(name, { data: { a: "1" } }), "apply");
    expect([again.status, again.body.metadata.resourceVersion]).toEqual([200, applied.body.metadata.resourceVersion]);
  });
}
