// Promises of the fake that only its own controls can bring about: forgotten history, restores, slow watchers, virtual time.

import { expect, it } from "vitest";
import { VirtualClock } from "../../../../test/support/virtual-clock.ts";
import { seededRandom } from "../../time/seeded-random.ts";
import { adminToken, createFakeKubeApi, type FakeKubeApi, type FakeKubeApiOptions } from "./api-server.ts";

const maps = "/api/v1/namespaces/default/configmaps";

function world(options: Partial<FakeKubeApiOptions> = {}) {
  const clock = new VirtualClock();
  const api = createFakeKubeApi({ clock, random: seededRandom(7), ...options });
  return { clock, api, transport: api.transport(adminToken) };
}

async function send(api: FakeKubeApi, method: string, path: string, body?: unknown, type = "application/json") {
  const response = await api.transport(adminToken).send({
    method,
    path,
    headers: { "content-type": type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  let text = "";
  for await (const chunk of response.body) text += new TextDecoder().decode(chunk);
  return { status: response.status, body: JSON.parse(text), text };
}

async function watch(api: FakeKubeApi, path: string, signal?: AbortSignal) {
  const response = await api
    .transport(adminToken)
    .send({ method: "GET", path, headers: {} }, signal === undefined ? {} : { signal });
  const seen: { type: string; object: { metadata: { name?: string; resourceVersion: string }; code?: number } }[] = [];
  const ended = (async () => {
    for await (const chunk of response.body) seen.push(JSON.parse(new TextDecoder().decode(chunk)));
  })();
  return { seen, ended, types: () => seen.map(({ type }) => type) };
}

const map = (name: string, data: object = {}) => ({ metadata: { name }, data });

it("gives the same answers to the same calls", async () => {
  const run = async () => {
    const { api } = world();
    await send(api, "POST", maps, { metadata: { generateName: "x-" } });
    await send(api, "POST", "/api/v1/namespaces/default/services", {
      metadata: { name: "s" },
      spec: { type: "NodePort", ports: [{ port: 1 }] },
    });
    await api.settle();
    return (await send(api, "GET", "/api/v1/services")).text + (await send(api, "GET", "/api/v1/configmaps")).text;
  };
  expect(await run()).toBe(await run());
});

it("ends a watch from a forgotten version with an ERROR that says 410", async () => {
  const { api } = world();
  const { body } = await send(api, "POST", maps, map("a"));
  await send(api, "POST", maps, map("b"));
  api.compactHistory();
  const { seen, ended } = await watch(api, `${maps}?watch=1&resourceVersion=${body.metadata.resourceVersion}`);
  await ended;
  expect(seen).toMatchObject([{ type: "ERROR", object: { code: 410, reason: "Expired" } }]);
});

it("forgets by itself what is older than its history", async () => {
  const { api } = world({ historyLimit: 5 });
  const { body } = await send(api, "POST", maps, map("a"));
  for (let i = 0; i < 20; i += 1)
    await send(api, "PATCH", `${maps}/a`, { data: { i: String(i) } }, "application/merge-patch+json");
  const { seen, ended } = await watch(api, `${maps}?watch=1&resourceVersion=${body.metadata.resourceVersion}`);
  await ended;
  expect(seen[0]?.object.code).toBe(410);
});

it("answers an expired continue token with one that goes on inconsistently", async () => {
  const { api } = world();
  for (const name of ["a", "b", "c"]) await send(api, "POST", maps, map(name));
  const first = await send(api, "GET", `${maps}?limit=1`);
  await send(api, "DELETE", `${maps}/b`);
  api.compactHistory();
  const expired = await send(api, "GET", `${maps}?limit=5&continue=${first.body.metadata.continue}`);
  expect([expired.status, expired.body.reason]).toEqual([410, "Expired"]);
  const rest = await send(api, "GET", `${maps}?limit=5&continue=${expired.body.metadata.continue}`);
  expect(rest.body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(["c"]);
});

it("sends bookmarks as time goes by, and one before a watch ends", async () => {
  const { api, clock } = world({ bookmarkIntervalMs: 60_000 });
  const { body } = await send(api, "GET", maps);
  const from = body.metadata.resourceVersion;
  const { seen, types, ended } = await watch(
    api,
    `${maps}?watch=1&allowWatchBookmarks=1&timeoutSeconds=100&resourceVersion=${from}`,
  );
  await clock.advance(61_000);
  expect(types()).toEqual(["BOOKMARK"]);
  await send(api, "POST", "/api/v1/namespaces/default/secrets", { metadata: { name: "elsewhere" } });
  await clock.advance(60_000);
  await ended;
  expect(types()).toEqual(["BOOKMARK", "BOOKMARK"]);
  expect(Number(seen[1]?.object.metadata.resourceVersion)).toBeGreaterThan(
    Number(seen[0]?.object.metadata.resourceVersion),
  );
});

it("goes back to a backup: versions fall, watches end, later versions are too large", async () => {
  const { api } = world();
  await send(api, "POST", maps, map("kept"));
  await api.settle();
  const backup = api.backup();
  const { body } = await send(api, "POST", maps, map("lost"));
  const { ended } = await watch(api, `${maps}?watch=1&resourceVersion=${body.metadata.resourceVersion}`);
  api.restore(backup);
  await ended;
  const names = (await send(api, "GET", maps)).body.items.map(
    (item: { metadata: { name: string } }) => item.metadata.name,
  );
  expect(names).toEqual(["kept"]);
  expect((await send(api, "GET", `${maps}?resourceVersion=${body.metadata.resourceVersion}`)).status).toBe(504);
  expect((await send(api, "POST", maps, map("lost"))).body.metadata.resourceVersion).toBe(
    body.metadata.resourceVersion,
  );
});

it("collects garbage after a restore as before it", async () => {
  const { api } = world();
  const owner = (await send(api, "POST", maps, map("owner"))).body.metadata;
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner.uid }];
  await send(api, "POST", maps, { metadata: { name: "child", ownerReferences } });
  await api.settle();
  api.restore(api.backup());
  await send(api, "DELETE", `${maps}/owner`);
  await api.settle();
  expect((await send(api, "GET", `${maps}/child`)).status).toBe(404);
});

it("cuts off a watcher that does not keep up", async () => {
  const { api, transport } = world({ watchBufferLimit: 3 });
  const response = await transport.send({ method: "GET", path: `${maps}?watch=1`, headers: {} });
  for (let i = 0; i < 10; i += 1) await send(api, "POST", maps, map(`m${i}`));
  let events = 0;
  for await (const _ of response.body) events += 1;
  expect(events).toBe(4);
});

it("ends the watches of a custom resource when its definition goes", async () => {
  const { api } = world();
  const definition = {
    metadata: { name: "things.test.example" },
    spec: {
      group: "test.example",
      scope: "Cluster",
      names: { plural: "things", kind: "Thing" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  };
  const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  expect((await send(api, "POST", crds, definition)).status).toBe(201);
  const things = "/apis/test.example/v1/things";
  await send(api, "POST", things, { apiVersion: "test.example/v1", kind: "Thing", metadata: { name: "t" } });
  const { types, ended } = await watch(api, `${things}?watch=1`);
  await send(api, "DELETE", `${crds}/things.test.example`);
  await api.settle();
  await ended;
  expect(types()).toEqual(["ADDED", "DELETED"]);
  expect(
    (await api.handle({ method: "GET", path: things, headers: { authorization: `Bearer ${adminToken}` } })).status,
  ).toBe(404);
});

it("lets go of a watch whose client hung up", async () => {
  const { api, clock } = world();
  const before = clock.pendingTimers;
  const hangUp = new AbortController();
  const { ended } = await watch(api, `${maps}?watch=1`, hangUp.signal);
  await clock.settle();
  expect(clock.pendingTimers).toBeGreaterThan(before);
  hangUp.abort();
  await expect(ended).rejects.toThrow("aborted");
  expect(clock.pendingTimers).toBe(before);
});

it("lets go of a watch whose client hung up before it read a word, or in the middle of an event", async () => {
  const { clock, transport } = world();
  const before = clock.pendingTimers;
  const hangUp = new AbortController();
  const request = { method: "GET", path: `${maps}?watch=1&allowWatchBookmarks=1`, headers: {} };
  await transport.send(request, { signal: hangUp.signal });
  const half = await transport.send(request, { signal: hangUp.signal });
  await half.body[Symbol.asyncIterator]().next();
  hangUp.abort();
  expect(clock.pendingTimers).toBe(before);
});

it("leaves no timer behind when it is closed, whether or not its watches were read", async () => {
  const { api, clock, transport } = world();
  await transport.send({ method: "GET", path: `${maps}?watch=1&allowWatchBookmarks=1`, headers: {} });
  api.close();
  expect(clock.pendingTimers).toBe(0);
});

it("streams a collection of any size to begin with", async () => {
  const { api } = world({ watchBufferLimit: 3 });
  for (let i = 0; i < 10; i += 1) await send(api, "POST", maps, map(`m${i}`));
  const query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1";
  const { types } = await watch(api, `${maps}?${query}`);
  await expect.poll(types).toContain("BOOKMARK");
  expect(types().filter((type) => type === "ADDED")).toHaveLength(10);
  api.close();
});

it("keeps a request from leaving when its sender says so at the last moment", async () => {
  const { api, transport } = world();
  const beforeSend = () => {
    throw new Error("too late");
  };
  const request = {
    method: "POST",
    path: maps,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(map("late")),
  };
  await expect(transport.send(request, { beforeSend })).rejects.toThrow("too late");
  expect((await send(api, "GET", `${maps}/late`)).status).toBe(404);
});

it("writes the time of its clock", async () => {
  const { api, clock } = world();
  await clock.advance(3_600_000);
  const { body } = await send(api, "POST", maps, map("timed"));
  expect(body.metadata.creationTimestamp).toBe("2026-01-01T01:00:00Z");
});
