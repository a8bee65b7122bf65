import { expect, test } from "vitest";
import { services } from "../apis/builtin-kinds.ts";
import { VirtualClock } from "../sim/virtual-clock.ts";
import { clusterAccess } from "./access.ts";

/** A cluster that gives these answers to reviews; what it was asked is kept. */
function access(tokenStatus: object, allowed: (spec: { readonly namespace?: string }) => boolean = () => false) {
  const clock = new VirtualClock();
  const asked: unknown[] = [];
  const request = async ({ path, body }: { readonly path: string; readonly body?: unknown }): Promise<unknown> => {
    asked.push(body);
    if (path.endsWith("tokenreviews")) return { status: tokenStatus };
    const { spec } = body as { readonly spec: { readonly resourceAttributes: { readonly namespace?: string } } };
    return { status: { allowed: allowed(spec.resourceAttributes) } };
  };
  return { clock, asked, access: clusterAccess({ kube: { request }, clock }) };
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
