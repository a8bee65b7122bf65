// What every object goes through: names, metadata the server owns, versions, strictness, refusals by URL and media type.

import { expect, it } from "vitest";
import type { GetContext } from "../kube-target.ts";
import { call, configMap, created, fieldsOf, messagesOf, pathOf } from "./api-calls.ts";

export function objectsBehaviours(get: GetContext): void {
  const maps = () => pathOf(get, "configmaps");

  it("fills uid, creation time and resource version, and ignores what a client claims about them", async () => {
    const name = get().unique("filled");
    const claims = {
      uid: "u",
      creationTimestamp: "2020-01-01T00:00:00Z",
      deletionTimestamp: "2020-01-01T00:00:00Z",
      selfLink: "x",
    };
    const { metadata } = await created(get, maps(), configMap(name, {}, claims));
    expect(metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(metadata.creationTimestamp).not.toBe("2020-01-01T00:00:00Z");
    expect(metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(Number(metadata.resourceVersion)).toBeGreaterThan(0);
    expect(metadata).not.toHaveProperty("deletionTimestamp");
    expect(metadata).not.toHaveProperty("selfLink");
  });

  it("lists everything wrong with metadata at once", async () => {
    const bad = configMap(
      "Bad_Name",
      { data: { "a/b": "x" } },
      {
        labels: { "a b": "c d" },
        annotations: { "-x": "y" },
        finalizers: ["foo"],
      },
    );
    const answer = await call(get, "POST", maps(), bad);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      kind: "Status",
      status: "Failure",
      reason: "Invalid",
      details: { name: "Bad_Name", kind: "ConfigMap" },
    });
    expect(fieldsOf(answer)).toEqual([
      "metadata.name",
      "metadata.labels",
      "metadata.labels",
      "metadata.annotations",
      "metadata.finalizers[0]",
      "data[a/b]",
    ]);
  });

  it("wants a name or the beginning of one", async () => {
    const answer = await call(get, "POST", maps(), { apiVersion: "v1", kind: "ConfigMap", metadata: {} });
    expect([answer.status, ...messagesOf(answer)]).toEqual([
      422,
      "metadata.name: Required value: name or generateName is required",
    ]);
  });

  it("refuses owner references with gaps", async () => {
    const ownerReferences = [
      { apiVersion: "v1", kind: "", name: "", uid: "" },
      { apiVersion: "", kind: "a", name: "b", uid: "c" },
    ];
    const answer = await call(get, "POST", maps(), configMap("o", {}, { ownerReferences }));
    expect(messagesOf(answer)).toEqual([
      'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
      'metadata.ownerReferences.name: Invalid value: "": must not be empty',
      'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
      'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
    ]);
  });

  it("refuses a new object that claims a resource version", async () => {
    const answer = await call(get, "POST", maps(), configMap("v", {}, { resourceVersion: "5" }));
    expect(answer.status).toBe(500);
  });

  it("takes a built-in object without apiVersion and kind, as the URL says what it is", async () => {
    const name = get().unique("bare");
    expect(await created(get, maps(), { metadata: { name } })).toMatchObject({ apiVersion: "v1", kind: "ConfigMap" });
  });

  it("refuses bodies of another kind, version, type or syntax", async () => {
    const bodies = [
      { apiVersion: "v1", kind: "Secret", metadata: { name: "x" } },
      { apiVersion: "v2", kind: "ConfigMap", metadata: { name: "x" } },
      configMap("x", { data: 5 }),
      configMap("x", {}, { labels: { a: 5 } }),
      "{bad",
    ];
    for (const body of bodies) {
      const answer = await call(get, "POST", maps(), body);
      expect([answer.status, answer.body.reason]).toEqual([400, "BadRequest"]);
    }
  });

  it("refuses a namespace in the body that is not the one in the URL", async () => {
    const answer = await call(get, "POST", maps(), configMap("x", {}, { namespace: "other" }));
    expect([answer.status, answer.body.reason]).toEqual([400, "BadRequest"]);
  });

  it("drops unknown fields with a warning, silently, or not at all, as asked", async () => {
    const object = (name: string) => configMap(name, { bogus: 1 }, { foo: 1 });
    const warned = await call(get, "POST", maps(), object(get().unique("warn")));
    expect(warned.status).toBe(201);
    expect(warned.body).not.toHaveProperty("bogus");
    expect(warned.headers["warning"]).toContain('299 - "unknown field \\"bogus\\""');
    const ignored = await call(get, "POST", `${maps()}?fieldValidation=Ignore`, object(get().unique("ignore")));
    expect(ignored.status).toBe(201);
    expect(ignored.headers).not.toHaveProperty("warning");
    const strict = await call(get, "POST", `${maps()}?fieldValidation=Strict`, object("strict"));
    expect([strict.status, strict.body.reason]).toEqual([400, "BadRequest"]);
    expect(strict.body.message).toContain('strict decoding error: unknown field "metadata.foo", unknown field "bogus"');
  });

  it("refuses options it does not know", async () => {
    const validation = await call(get, "POST", `${maps()}?fieldValidation=Bogus`, configMap("x"));
    expect([validation.status, ...fieldsOf(validation)]).toEqual([422, "fieldValidation"]);
    const dryRun = await call(get, "POST", `${maps()}?dryRun=Bogus`, configMap("x"));
    expect([dryRun.status, ...fieldsOf(dryRun)]).toEqual([422, "dryRun"]);
  });

  it("gives a dry-run object everything but a resource version", async () => {
    const name = get().unique("dry");
    const answer = await call(get, "POST", `${maps()}?dryRun=All`, configMap(name));
    expect(answer.status).toBe(201);
    expect(answer.body.metadata.uid).toBeDefined();
    expect(answer.body.metadata).not.toHaveProperty("resourceVersion");
    expect((await call(get, "GET", pathOf(get, "configmaps", name))).status).toBe(404);
  });

  it("replaces an object only in the state the client has read", async () => {
    const name = get().unique("put");
    const object = await created(get, maps(), configMap(name, { data: { a: "1" } }));
    const path = pathOf(get, "configmaps", name);
    const next = await call(get, "PUT", path, { ...object, data: { a: "2" } });
    expect([next.status, next.body.data]).toEqual([200, { a: "2" }]);
    const stale = await call(get, "PUT", path, { ...object, data: { a: "3" } });
    expect([stale.status, stale.body.reason]).toEqual([409, "Conflict"]);
    const unconditional = await call(get, "PUT", path, configMap(name, { data: { a: "4" } }));
    expect([unconditional.status, unconditional.body.metadata.uid]).toEqual([200, object.metadata.uid]);
    const another = await call(get, "PUT", path, configMap(name, {}, { uid: "another" }));
    expect([another.status, another.body.reason]).toEqual([409, "Conflict"]);
  });

  it("refuses a PUT whose name is missing or another, and one to nothing", async () => {
    const name = get().unique("put");
    await created(get, maps(), configMap(name));
    const path = pathOf(get, "configmaps", name);
    expect((await call(get, "PUT", path, configMap("other"))).status).toBe(400);
    expect((await call(get, "PUT", path, { apiVersion: "v1", kind: "ConfigMap", metadata: {} })).status).toBe(400);
    expect((await call(get, "PUT", pathOf(get, "configmaps", "absent"), configMap("absent"))).status).toBe(404);
  });

  it("does not count a write that changes nothing", async () => {
    const name = get().unique("same");
    const object = await created(get, maps(), configMap(name, { data: { a: "1" } }));
    const put = await call(get, "PUT", pathOf(get, "configmaps", name), object);
    const patch = await call(get, "PATCH", pathOf(get, "configmaps", name), { data: { a: "1" } }, "merge");
    expect(put.body.metadata.resourceVersion).toBe(object.metadata.resourceVersion);
    expect(patch.body.metadata.resourceVersion).toBe(object.metadata.resourceVersion);
  });

  it("gives every write a greater resource version than the one before, across kinds", async () => {
    const first = await created(get, maps(), configMap(get().unique("rv")));
    const second = await created(get, pathOf(get, "secrets"), { metadata: { name: get().unique("rv") } });
    const third = await call(
      get,
      "PATCH",
      pathOf(get, "configmaps", first.metadata.name),
      { data: { a: "1" } },
      "merge",
    );
    const versions = [first, second, third.body].map((object) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(new Set(versions).size).toBe(3);
  });

  it("counts generations of the spec, not of metadata or status", async () => {
    const name = get().unique("gen");
    const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i:1" }] } };
    const deployments = pathOf(get, "deployments", "", "apps/v1");
    const path = pathOf(get, "deployments", name, "apps/v1");
    const spec = { replicas: 0, selector: { matchLabels: { a: "b" } }, template };
    const object = await created(get, deployments, {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name, generation: 7 },
      spec,
    });
    expect([object.metadata.generation, object.status]).toEqual([1, {}]);
    const labelled = await call(get, "PATCH", path, { metadata: { labels: { x: "y" } } }, "merge");
    expect(labelled.body.metadata.generation).toBe(1);
    const observed = await call(
      get,
      "PATCH",
      `${path}/status`,
      { status: { observedGeneration: 1 }, spec: { replicas: 9 } },
      "merge",
    );
    expect([observed.body.metadata.generation, observed.body.spec.replicas]).toEqual([1, 0]);
    const scaled = await call(get, "PATCH", path, { spec: { replicas: 2 }, status: { replicas: 5 } }, "merge");
    expect([scaled.body.metadata.generation, scaled.body.status]).toEqual([2, { observedGeneration: 1 }]);
  });

  it("reads and writes replicas through scale", async () => {
    const name = get().unique("scale");
    const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i:1" }] } };
    const spec = { replicas: 0, selector: { matchLabels: { a: "b" } }, template };
    await created(get, pathOf(get, "replicasets", "", "apps/v1"), {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: { name },
      spec,
    });
    const path = `${pathOf(get, "replicasets", name, "apps/v1")}/scale`;
    expect((await call(get, "GET", path)).body).toMatchObject({
      kind: "Scale",
      spec: {},
      status: { replicas: 0, selector: "a=b" },
    });
    const scaled = await call(get, "PATCH", path, { spec: { replicas: 3 } }, "merge");
    expect([scaled.status, scaled.body.spec.replicas]).toEqual([200, 3]);
    expect((await call(get, "GET", pathOf(get, "replicasets", name, "apps/v1"))).body.spec.replicas).toBe(3);
  });

  it("tells an unknown resource from a missing object and from a group it never heard of", async () => {
    const missing = await call(get, "GET", pathOf(get, "configmaps", "absent"));
    expect(missing.body).toMatchObject({
      code: 404,
      reason: "NotFound",
      details: { name: "absent", kind: "configmaps" },
    });
    const resource = await call(get, "GET", pathOf(get, "nothings"));
    expect(resource.body).toMatchObject({ code: 404, reason: "NotFound", details: {} });
    const group = await call(get, "GET", pathOf(get, "nothings", "", "nobody.example/v1"));
    expect([group.status, group.text.trim()]).toEqual([404, "404 page not found"]);
    expect((await call(get, "GET", `${pathOf(get, "configmaps", "absent")}/status`)).status).toBe(404);
  });

  it("refuses methods where they make no sense", async () => {
    for (const [method, path] of [
      ["PUT", maps()],
      ["PATCH", maps()],
      ["POST", pathOf(get, "configmaps", "x")],
      ["POST", "/api/v1/configmaps"],
    ] as const) {
      const answer = await call(get, method, path, configMap("x"), method === "PATCH" ? "merge" : "json");
      expect([method, path, answer.status]).toEqual([method, path, 405]);
    }
  });

  it("answers 415 to a body it cannot read and 406 to a form it cannot write", async () => {
    const body = await call(get, "POST", maps(), "x", "text/plain");
    expect([body.status, body.body.reason]).toEqual([415, "UnsupportedMediaType"]);
    const form = await call(get, "GET", maps(), undefined, "json", { accept: "image/png" });
    expect(form.status).toBe(406);
  });

  it("reads and writes YAML", async () => {
    const name = get().unique("yaml");
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  a: "1"\n`;
    expect((await call(get, "POST", maps(), text, "application/yaml")).status).toBe(201);
    const answer = await call(get, "GET", pathOf(get, "configmaps", name), undefined, "json", {
      accept: "application/yaml",
    });
    expect(answer.text).toMatch(/^\s+name: /m);
    expect(answer.body).toBeUndefined();
  });

  it("says which version it is and that it is well", async () => {
    expect((await call(get, "GET", "/version")).body).toMatchObject({
      major: "1",
      gitVersion: expect.stringMatching(/^v1\./),
    });
    for (const path of ["/healthz", "/livez", "/readyz"]) {
      const { status, text } = await call(get, "GET", path);
      expect([path, status, text]).toEqual([path, 200, "ok"]);
    }
    expect((await call(get, "GET", "/nowhere")).text.trim()).toBe("404 page not found");
  });
}
