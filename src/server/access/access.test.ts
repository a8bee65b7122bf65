import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/virtual-clock.ts";
import { leases, namespaces, services } from "../../apis/kube/builtin-kinds.ts";
import { systemOpaqueIds } from "../../drivers/system/system-opaque-ids.ts";
import type { OpaqueIds } from "../../ports/opaque-ids.ts";
import { accessTtlMs, clusterAccess, openAccess } from "./access.ts";

/** A cluster that gives these answers to reviews; what it was asked is kept. */
function access(
  tokenStatus: object,
  allowed: (spec: { readonly namespace?: string }) => boolean = () => false,
  opaqueIds: Pick<OpaqueIds, "hash"> = systemOpaqueIds(),
) {
  const clock = new VirtualClock();
  const asked: unknown[] = [];
  const request = async ({ path, body }: { readonly path: string; readonly body?: unknown }): Promise<unknown> => {
    asked.push(body);
    if (path.endsWith("tokenreviews")) return { status: tokenStatus };
    const { spec } = body as { readonly spec: { readonly resourceAttributes: { readonly namespace?: string } } };
    return { status: { allowed: allowed(spec.resourceAttributes) } };
  };
  return { clock, asked, access: clusterAccess({ kube: { request }, clock, opaqueIds }) };
}

const user = { username: "jane", uid: "7", groups: ["dev"], extra: { scopes: ["a"] } };

test.each([
  ["says no", { authenticated: false, user }],
  ["says yes and no", { authenticated: true, user, error: "expired" }],
  ["names nobody", { authenticated: true, user: { username: "" } }],
  ["says nothing", {}],
])("a token is worth nothing when the cluster %s", async (_what, status) => {
  await expect(access(status).access.viewerOf("Bearer t")).rejects.toMatchObject({ code: "unauthenticated" });
});

test("the cluster is asked about the very user it named, groups and extras included", async () => {
  const { access: cluster, asked } = access({ authenticated: true, user }, ({ namespace }) => namespace === "shop");
  const viewer = await cluster.viewerOf("Bearer t");
  expect(await viewer.mayList(services, "shop")).toBe(true);
  expect(await viewer.mayList(services, "bank")).toBe(false);
  expect(await viewer.mayList(services)).toBe(false);
  expect(asked[1]).toMatchObject({
    spec: {
      user: "jane",
      uid: "7",
      groups: ["dev"],
      extra: { scopes: ["a"] },
      resourceAttributes: { resource: "services", verb: "list" },
    },
  });
});

test("an answer is asked for again after five seconds", async () => {
  const { access: cluster, asked, clock } = access({ authenticated: true, user });
  await cluster.viewerOf("Bearer t");
  await cluster.viewerOf("Bearer t");
  expect(asked).toHaveLength(1);
  await clock.advance(5_000);
  await cluster.viewerOf("Bearer t");
  expect(asked).toHaveLength(2);
});

test("what is no bearer token is not even asked about", async () => {
  const { access: cluster, asked } = access({ authenticated: true, user });
  for (const header of [undefined, "", "Bearer", "Bearer a b", "Basic dDp0", `Bearer ${"x".repeat(20_000)}`])
    await expect(cluster.viewerOf(header)).rejects.toMatchObject({ code: "unauthenticated" });
  expect(asked).toEqual([]);
});

test("a token is known by its hash alone, and is asked about again when its hash is forgotten", async () => {
  const blunt = { hash: () => "the same for all" };
  const { access: cluster, asked, clock } = access({ authenticated: true, user }, () => false, blunt);
  await cluster.viewerOf("Bearer one");
  // Whoever remembered the token itself would ask about another one.
  await cluster.viewerOf("Bearer two");
  expect(asked).toHaveLength(1);
  await clock.advance(accessTtlMs);
  expect(clock.pendingTimers).toBe(0);
});

test("two tokens have two answers", async () => {
  const { access: cluster, asked } = access({ authenticated: true, user });
  await cluster.viewerOf("Bearer one");
  await cluster.viewerOf("Bearer two");
  expect(asked).toMatchObject([{ spec: { token: "one" } }, { spec: { token: "two" } }]);
});

test("a refusal is remembered as long as a welcome", async () => {
  const { access: cluster, asked } = access({ authenticated: false });
  for (let time = 0; time < 2; time += 1)
    await expect(cluster.viewerOf("Bearer t")).rejects.toMatchObject({ code: "unauthenticated" });
  expect(asked).toHaveLength(1);
});

test("answers are kept apart by user, kind and namespace", async () => {
  const people = [user, { ...user, groups: ["ops"] }, { ...user, uid: "8" }, { ...user, extra: {} }];
  for (const other of people.slice(1)) {
    let named: object = user;
    const asked: unknown[] = [];
    const request = async ({ path, body }: { readonly path: string; readonly body?: unknown }) => {
      if (path.endsWith("tokenreviews")) return { status: { authenticated: true, user: named } };
      asked.push(body);
      return { status: { allowed: asked.length === 1 } };
    };
    const cluster = clusterAccess({ kube: { request }, clock: new VirtualClock(), opaqueIds: systemOpaqueIds() });
    expect(await (await cluster.viewerOf("Bearer one")).mayList(services)).toBe(true);
    named = other;
    expect(await (await cluster.viewerOf("Bearer two")).mayList(services)).toBe(false);
    expect(await (await cluster.viewerOf("Bearer one")).mayList(namespaces)).toBe(false);
  }
});

test("the question names group, plural and verb, and a namespace only where there is one", async () => {
  const { access: cluster, asked } = access({ authenticated: true, user }, ({ namespace }) => namespace !== undefined);
  const viewer = await cluster.viewerOf("Bearer t");
  await viewer.mayList(leases, "shop");
  expect(
    asked.slice(1).map((body) => (body as { spec: { resourceAttributes: object } }).spec.resourceAttributes),
  ).toEqual([
    { group: "coordination.k8s.io", resource: "leases", verb: "list" },
    { group: "coordination.k8s.io", resource: "leases", verb: "list", namespace: "shop" },
  ]);
  // A kind without namespaces is nobody's in one.
  expect(await viewer.mayList(namespaces, "shop")).toBe(false);
});

test.each([{}, { status: {} }, { status: { allowed: "true" } }, { status: { denied: true, allowed: false } }, null])(
  "%j is no permission",
  async (answer) => {
    const request = async ({ path }: { readonly path: string }) =>
      path.endsWith("tokenreviews") ? { status: { authenticated: true, user } } : answer;
    const cluster = clusterAccess({ kube: { request }, clock: new VirtualClock(), opaqueIds: systemOpaqueIds() });
    expect(await (await cluster.viewerOf("Bearer t")).mayList(services)).toBe(false);
  },
);

test("a cluster that does not answer lets nobody in, and is not asked by everybody at once", async () => {
  let asked = 0;
  const release: (() => void)[] = [];
  const request = () => {
    asked += 1;
    return new Promise<unknown>((_resolve, reject) => release.push(() => reject(new Error("away"))));
  };
  const cluster = clusterAccess({ kube: { request }, clock: new VirtualClock(), opaqueIds: systemOpaqueIds() });
  const tries = Array.from({ length: 40 }, (_, index) => cluster.viewerOf(`Bearer t${index}`));
  for (const fail of release) fail();
  const outcomes = await Promise.allSettled(tries);
  expect(outcomes.every((outcome) => outcome.status === "rejected" && outcome.reason.code === "unavailable")).toBe(
    true,
  );
  expect(asked).toBe(32);
  // Room again once those have been answered.
  const again = cluster.viewerOf("Bearer again");
  for (const fail of release) fail();
  await expect(again).rejects.toMatchObject({ code: "unavailable" });
  expect(asked).toBe(33);
});

test("the demonstration lets everybody see everything, and asks for no token", async () => {
  expect(openAccess.tokenNeeded).toBe(false);
  expect(await (await openAccess.viewerOf(undefined)).mayList(services)).toBe(true);
});
