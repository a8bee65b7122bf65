import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { secrets } from "../../src/apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../src/apis/kube/kube-object.ts";
import type { ObjectDetail, ObjectSummary } from "../../src/core/views/object-view.ts";
import { systemOpaqueIds } from "../../src/drivers/system/system-opaque-ids.ts";
import { clusterAccess } from "../../src/server/access/access.ts";
import type { ErrorAnswer, ObjectsAnswer, PlanLogAnswer } from "../../src/server/contract.ts";
import { routes } from "../../src/server/contract.ts";
import { secretMarkerIn, secretMarkerOf } from "../../src/sim/checkers/secret-marker.ts";
import { spellOut } from "../../src/sim/checkers/spell-out.ts";
import { ServerWorld, tokens } from "./server-world.ts";

const resource = "specimens.sim.mainstay.dev";
let world: ServerWorld;

beforeAll(async () => {
  world = await ServerWorld.start();
  const data = { password: Buffer.from(secretMarkerOf("password")).toString("base64") };
  const metadata = { name: "credentials", namespace: "red" };
  await world.kube.create(secrets, { apiVersion: "v1", kind: "Secret", metadata, data } as KubeObject);
  await world.make("red", "rose");
  await world.make("blue", "sky", ["north", "south"]);
  await world.clock.advance(30_000);
});

afterAll(() => world.stop());

const namesIn = (body: string): readonly string[] =>
  (JSON.parse(body) as ObjectsAnswer).objects.map(({ id }) => `${id.namespace}/${id.name}`);
const codeIn = (body: string): string => (JSON.parse(body) as ErrorAnswer).error.code;

describe("who may see what", () => {
  test("without a token there is nothing but the question for one", async () => {
    for (const path of [routes.objects, routes.manager, routes.planLog, routes.faults, routes.stream]) {
      const answer = await world.get(path);
      expect([path, answer.statusCode, codeIn(answer.body)]).toEqual([path, 401, "unauthenticated"]);
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
    }
    const session = await world.get(routes.session);
    expect(JSON.parse(session.body)).toEqual({ tokenNeeded: true, demo: false, version: "" });
  });

  test("a wrong token is refused, and so is what is no token at all", async () => {
    expect((await world.get(routes.objects, secretMarkerOf("token-forged"))).statusCode).toBe(401);
    const basic = await world.get(routes.objects, undefined, { authorization: "Basic YWRtaW46YWRtaW4=" });
    expect(basic.statusCode).toBe(401);
  });

  test("an administrator sees everything", async () => {
    const answer = await world.get(routes.objects, tokens.admin);
    expect(namesIn(answer.body).toSorted()).toEqual(["blue/sky", "red/rose"]);
    expect((JSON.parse(answer.body) as ObjectsAnswer).objects.map(({ health }) => health)).toEqual([
      "healthy",
      "healthy",
    ]);
  });

  test("a right in one namespace shows that namespace, and the rest is said to be hidden", async () => {
    const answer = await world.get(routes.objects, tokens.red);
    expect(namesIn(answer.body)).toEqual(["red/rose"]);
    expect((JSON.parse(answer.body) as ObjectsAnswer).hiddenKinds).toEqual([resource]);
    expect(answer.body).not.toContain("sky");
  });

  test("what may not be seen looks like what is not there", async () => {
    const hidden = await world.get(routes.object({ resource, namespace: "blue", name: "sky" }), tokens.red);
    const absent = await world.get(routes.object({ resource, namespace: "blue", name: "sea" }), tokens.red);
    expect(hidden.statusCode).toBe(404);
    expect(hidden.body).toBe(absent.body);
  });

  test("a valid token without any right learns nothing, not even about the manager", async () => {
    for (const path of [routes.objects, routes.planLog, routes.manager, routes.faults, routes.stream]) {
      expect((await world.get(path, tokens.nobody)).statusCode).toBe(403);
    }
    expect(JSON.parse((await world.get(routes.session, tokens.nobody)).body)).toMatchObject({ version: "" });
  });

  test("the plan log leaves out what is about hidden objects", async () => {
    const all = JSON.parse((await world.get(routes.planLog, tokens.admin)).body) as PlanLogAnswer;
    const red = JSON.parse((await world.get(routes.planLog, tokens.red)).body) as PlanLogAnswer;
    expect(new Set(all.entries.map(({ object }) => object.namespace))).toEqual(new Set(["red", "blue"]));
    expect(new Set(red.entries.map(({ object }) => object.namespace))).toEqual(new Set(["red"]));
  });

  test("words that may name hidden objects go only to those who may see all that was read", async () => {
    const words = async (token: string) => {
      const { entries } = JSON.parse((await world.get(routes.planLog, token)).body) as PlanLogAnswer;
      return entries.filter(({ action }) => action === "create-thing").map((entry) => entry.words);
    };
    expect((await words(tokens.admin)).join()).toMatch(/create thing \S+ .*north/);
    expect(new Set(await words(tokens.specimens))).toEqual(new Set(["create-thing because ObjectNotFound"]));
  });

  test("an object's page has conditions, plan, history and relations, less what may not be seen", async () => {
    const path = routes.object({ resource, namespace: "red", name: "rose" });
    const full = JSON.parse((await world.get(path, tokens.admin)).body) as ObjectDetail;
    expect(full.conditions.map(({ type, good }) => [type, good])).toEqual([["Ready", true]]);
    expect(full.plans.map(({ outcome }) => outcome)).toEqual(["quiet"]);
    expect(full.history.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["add-finalizer", "create-thing", "create-child"]),
    );
    expect(full.events.length).toBeGreaterThan(0);
    expect(full.relations.map(({ relation, id }) => [relation, id.kind, id.name])).toEqual([
      ["input", "ConfigMap", "rose-north"],
    ]);
    const part = JSON.parse((await world.get(path, tokens.red)).body) as ObjectDetail;
    expect([part.events, part.relations]).toEqual([[], []]);
    expect(part.conditions).toEqual(full.conditions);
  });

  test("a right that is taken away is gone within seconds", async () => {
    const other = await ServerWorld.start();
    await other.make("red", "rose");
    await other.clock.advance(20_000);
    expect(namesIn((await other.get(routes.objects, tokens.red)).body)).toEqual(["red/rose"]);
    await other.revoke({ name: "red", namespace: "red" });
    await other.clock.advance(6_000);
    expect((await other.get(routes.objects, tokens.red)).statusCode).toBe(403);
    await other.stop();
  });

  test("when the cluster cannot be asked, nobody is let in", async () => {
    const other = await ServerWorld.start({
      access: clusterAccess({
        kube: { request: () => Promise.reject(new Error(`no connection to ${tokens.admin}`)) },
        clock: world.clock,
        opaqueIds: systemOpaqueIds(),
      }),
    });
    const answer = await other.get(routes.objects, tokens.admin);
    expect([answer.statusCode, codeIn(answer.body)]).toEqual([503, "unavailable"]);
    expect(secretMarkerIn(spellOut([answer.body, answer.headers, other.log.lines]))).toBeUndefined();
    await other.stop();
  });
});

describe("requests by a detour", () => {
  test("a host name that is not ours is turned away, an address and a configured name are not", async () => {
    const asked = (host: string) => world.get(routes.session, undefined, { host });
    expect((await asked("evil.example.com")).statusCode).toBe(421);
    expect((await asked("127.0.0.1.evil.example.com:8081")).statusCode).toBe(421);
    for (const host of ["localhost:8081", "127.0.0.1:9", "[::1]:8081", "mainstay.example.org"])
      expect((await asked(host)).statusCode).toBe(200);
  });

  test("a page of another site gets no answer", async () => {
    const from = (headers: Readonly<Record<string, string>>) =>
      world.get(routes.objects, tokens.admin, { host: "127.0.0.1:8081", ...headers });
    expect((await from({ origin: "http://evil.example.com" })).statusCode).toBe(403);
    expect((await from({ origin: "http://127.0.0.1:9999" })).statusCode).toBe(403);
    expect((await from({ origin: "null" })).statusCode).toBe(403);
    expect((await from({ "sec-fetch-site": "cross-site" })).statusCode).toBe(403);
    expect((await from({ origin: "http://127.0.0.1:8081" })).statusCode).toBe(200);
  });

  test("nor does it where nothing can be changed anyway", async () => {
    const headers = { host: "127.0.0.1:8081", origin: "http://evil.example.com" };
    for (const url of ["/", routes.objects]) {
      const { statusCode, headers: answered } = await world.app.inject({ method: "POST", url, headers });
      expect([url, statusCode, answered["cache-control"]]).toEqual([url, 403, "no-store"]);
    }
  });

  test("nor does it by writing the path another way", async () => {
    const headers = { host: "127.0.0.1:8081", origin: "http://evil.example.com" };
    const spelt = routes.objects.replace("/api/", "/%61pi/");
    expect((await world.get(spelt, tokens.admin, { host: "127.0.0.1:8081" })).statusCode).toBe(200);
    const { statusCode, headers: answered } = await world.get(spelt, tokens.admin, headers);
    expect([statusCode, answered["cache-control"]]).toEqual([403, "no-store"]);
  });

  test("in a cluster nothing can be changed", async () => {
    const headers = { host: "127.0.0.1", authorization: `Bearer ${tokens.admin}` };
    for (const method of ["POST", "DELETE"] as const) {
      const pending = world.app.inject({
        method,
        url: routes.fault("kill-leader"),
        headers,
        ...(method === "POST" ? { payload: {} } : {}),
      });
      await world.clock.advance(0);
      expect((await pending).statusCode).toBe(405);
    }
    for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const)
      expect((await world.app.inject({ method, url: routes.objects, headers })).statusCode).toBe(404);
  });

  test("every answer carries the headers that keep a page to itself", async () => {
    const { headers } = await world.get(routes.session);
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("nonsense is called nonsense", async () => {
    expect((await world.get(`${routes.planLog}?limit=-1`, tokens.admin)).statusCode).toBe(400);
    expect((await world.get("/api/v1/nothing", tokens.admin)).statusCode).toBe(404);
    expect((await world.get("/api/v1/objects/%ff/x", tokens.admin)).statusCode).toBe(400);
  });
});

describe("the answers", () => {
  test("the log pages backwards without gaps", async () => {
    const page = async (query: string) =>
      JSON.parse((await world.get(`${routes.planLog}?${query}`, tokens.admin)).body) as PlanLogAnswer;
    const all = (await page("limit=1000")).entries.map(({ id }) => id);
    const first = await page("limit=3");
    const second = await page(`limit=1000&before=${first.entries.at(-1)?.id}`);
    expect(first.more).toBe(true);
    expect([...first.entries, ...second.entries].map(({ id }) => id)).toEqual(all);
    expect((await page("namespace=blue&name=sky")).entries.every(({ object }) => object.name === "sky")).toBe(true);
  });

  test("the manager says that it leads", async () => {
    const answer = await world.get(routes.manager, tokens.admin);
    expect(JSON.parse(answer.body)).toMatchObject({
      identity: "manager-1",
      leading: true,
      ready: true,
      demo: false,
      version: "1.2.3",
    });
  });

  test("an object that fails is degraded and says why", async () => {
    world.specimenCloud.down.add("west");
    await world.make("red", "thorn", ["west"]);
    await world.clock.advance(10_000);
    const { objects } = JSON.parse((await world.get(routes.objects, tokens.admin)).body) as ObjectsAnswer;
    const thorn = objects.find(({ id }) => id.name === "thorn") as ObjectSummary;
    expect([thorn.health, thorn.reason]).toEqual(["degraded", "ApiUnreachable"]);
    expect(thorn.sentence).toContain("Location west");
  });

  test("a runbook page needs no token", async () => {
    const other = await ServerWorld.start({ runbook: async (reason) => `# ${reason}\n` });
    expect(JSON.parse((await other.get(routes.runbook("DryRun"))).body)).toMatchObject({
      reason: "DryRun",
      markdown: "# DryRun\n",
    });
    expect((await other.get(routes.runbook("../../package"))).statusCode).toBe(404);
    await other.stop();
  });

  test("every path of the dashboard is its page, and no path leads out of it", async () => {
    const page = { bytes: Buffer.from("<html>"), contentType: "text/html", immutable: false };
    const other = await ServerWorld.start({ assets: (path) => (path === "/index.html" ? page : undefined) });
    expect((await other.get("/objects/x/y")).body).toBe("<html>");
    expect((await other.get("/assets/missing.js")).statusCode).toBe(404);
    expect((await other.get("/../../etc/passwd")).body).toBe("<html>");
    await other.stop();
  });
});

test("no answer and no log line holds a secret", async () => {
  const paths = [
    routes.objects,
    routes.planLog,
    routes.manager,
    routes.session,
    routes.object({ resource, namespace: "red", name: "rose" }),
  ];
  for (const token of Object.values(tokens)) {
    for (const path of paths) {
      const { body, headers } = await world.get(path, token);
      expect([path, secretMarkerIn(spellOut([body, headers]))]).toEqual([path, undefined]);
    }
  }
  expect(secretMarkerIn(spellOut(world.log.lines))).toBeUndefined();
  expect(secretMarkerIn(spellOut(world.journal.log))).toBeUndefined();
});
