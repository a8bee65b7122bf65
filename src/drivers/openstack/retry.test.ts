import { describe, expect, it } from "vitest";
import { lostConnection, type ScriptedAnswer, scriptedCloud, settled } from "../../../test/support/scripted-cloud.ts";
import type { Fence } from "../../ports/kube.ts";
import type { OpenStackProject } from "../../ports/openstack.ts";

const good: ScriptedAnswer = { json: { providers: [], listener: {} } };
const read = ({ octavia }: OpenStackProject) => octavia.listProviders();
const change = ({ octavia }: OpenStackProject) => octavia.deleteListener("l1");

type Trouble = ScriptedAnswer | Error | "silence";

/** How many requests left when the first one met this trouble, and how it ended. */
async function tries(operation: (project: OpenStackProject) => Promise<unknown>, trouble: Trouble) {
  const world = scriptedCloud({ services: (_, nth) => (nth === 1 ? trouble : good) });
  const outcome = await settled(world.clock, operation(world.project)).then(
    () => "done",
    (error: { readonly code?: string }) => error.code,
  );
  return { sent: world.sent.length, outcome };
}

describe("a read", () => {
  it.each([
    ["429", { status: 429 }],
    ["503", { status: 503 }],
    ["500", { status: 500 }],
    ["502", { status: 502 }],
    ["504", { status: 504 }],
    ["a lost connection", lostConnection()],
    ["no connection", lostConnection("ECONNREFUSED")],
  ])("is tried again after %s", async (_, trouble) => {
    expect(await tries(read, trouble)).toEqual({ sent: 2, outcome: "done" });
  });

  it.each([
    ["400", { status: 400 }, "BadRequest"],
    ["404", { status: 404 }, "NotFound"],
    ["409", { status: 409 }, "Conflict"],
    ["501", { status: 501 }, "Unsupported"],
    ["a certificate that is not trusted", lostConnection("SELF_SIGNED_CERT_IN_CHAIN"), "Unreachable"],
  ])("is not tried again after %s", async (_, trouble, outcome) => {
    expect(await tries(read, trouble)).toEqual({ sent: 1, outcome });
  });

  it("gives up after four tries, each later than the one before", async () => {
    const world = scriptedCloud({ services: () => ({ status: 500 }) });
    await expect(settled(world.clock, read(world.project))).rejects.toMatchObject({ code: "ServerError", status: 500 });
    const gaps = world.sent.slice(1).map(({ atMs }, index) => atMs - (world.sent[index]?.atMs ?? 0));
    expect(gaps).toHaveLength(3);
    expect(gaps).toEqual(gaps.toSorted((a, b) => a - b));
  });
});

describe("a change", () => {
  it.each([
    ["429, which turned it away", { status: 429 }],
    ["503, when nobody was there to do it", { status: 503 }],
  ])("is tried again after %s", async (_, trouble) => {
    expect(await tries(change, trouble)).toEqual({ sent: 2, outcome: "done" });
  });

  it.each([
    ["500", { status: 500 }, "ServerError"],
    ["502", { status: 502 }, "ServerError"],
    ["504", { status: 504 }, "Timeout"],
    ["a lost connection", lostConnection(), "Unreachable"],
    ["silence", "silence" as const, "Timeout"],
  ])("is never repeated after %s: it may have had its effect", async (_, trouble, outcome) => {
    expect(await tries(change, trouble)).toEqual({ sent: 1, outcome });
  });

  it("that was never sent is tried again", async () => {
    let connects = 0;
    const transport = {
      send: async () => {
        connects += 1;
        throw lostConnection("ECONNREFUSED");
      },
      close: async () => {},
    };
    const world = scriptedCloud({ options: { transport } });
    await expect(settled(world.clock, change(world.project))).rejects.toMatchObject({
      code: "Unreachable",
      service: "keystone",
      hint: expect.stringContaining("Check that the service runs"),
    });
    expect(connects).toBe(4);
  });

  it("whose answer never came says that it may have been made", async () => {
    const world = scriptedCloud({ services: () => "silence" });
    await expect(settled(world.clock, change(world.project))).rejects.toMatchObject({
      code: "Timeout",
      message: expect.stringContaining("may or may not"),
    });
  });

  it.each([301, 302, 307])(
    "that is sent elsewhere by a %i has not been made, and is never taken for done",
    async (status) => {
      const world = scriptedCloud({ services: () => ({ status, headers: { location: "https://elsewhere.test/x" } }) });
      await expect(change(world.project)).rejects.toMatchObject({
        code: "BadRequest",
        message: expect.stringContaining("https://elsewhere.test/x"),
        hint: expect.stringContaining("catalogue"),
      });
      expect(world.sent).toHaveLength(1);
    },
  );

  it("of something that is gone already is done", async () => {
    const world = scriptedCloud({ services: () => ({ status: 404 }) });
    await world.project.octavia.deleteLoadBalancer("b1");
    await world.project.neutron.deleteFloatingIp("f1");
    expect(world.sent.map(({ url }) => new URL(url).pathname)).toEqual([
      "/v2.0/lbaas/loadbalancers/b1",
      "/v2.0/floatingips/f1",
    ]);
  });
});

describe("a service that asks for patience", () => {
  it("is asked again when it said, in seconds or as a date", async () => {
    for (const later of ["7", "Thu, 01 Jan 2026 00:00:07 GMT"]) {
      const world = scriptedCloud({
        services: (_, nth) => (nth === 1 ? { status: 429, headers: { "retry-after": later } } : good),
      });
      await settled(world.clock, read(world.project));
      expect(world.sent[1]?.atMs).toBe(7_000);
    }
  });

  it("is not waited for beyond the deadline: the caller hears when to come back", async () => {
    const world = scriptedCloud({ services: () => ({ status: 429, headers: { "retry-after": "120" } }) });
    await expect(world.project.octavia.listProviders({ deadlineMs: 5_000 })).rejects.toMatchObject({
      code: "TooManyRequests",
      retryAfterMs: 120_000,
    });
    expect(world.clock.monotonicMs()).toBe(0);
  });

  it("for ever is given up on after eight tries", async () => {
    const world = scriptedCloud({ services: () => ({ status: 429, headers: { "retry-after": "1" } }) });
    await expect(settled(world.clock, read(world.project))).rejects.toMatchObject({ code: "TooManyRequests" });
    expect(world.sent).toHaveLength(8);
  });
});

describe("a deadline", () => {
  it("bounds the whole call, tries and pauses included", async () => {
    const world = scriptedCloud({ services: () => "silence" });
    await expect(
      settled(world.clock, world.project.octavia.listProviders({ deadlineMs: 3_000 })),
    ).rejects.toMatchObject({
      code: "Timeout",
      message: expect.stringContaining("3000 ms"),
    });
    expect(world.clock.monotonicMs()).toBe(3_000);
  });

  it("leaves no timer behind", async () => {
    const world = scriptedCloud({ services: () => good });
    await read(world.project);
    await change(world.project);
    expect(world.clock.pendingTimers).toBe(0);
  });

  it("is shared by all pages of a list", async () => {
    const world = scriptedCloud({
      options: { pageSize: 1 },
      services: async ({ query }, nth) => {
        await new Promise<void>((resolve) => world.clock.after(400, resolve));
        const id = `f${nth}`;
        const links = [{ rel: "next", href: `https://x.test?marker=${query.get("marker")}` }];
        return { json: { flavors: [{ id, name: id, enabled: true }], flavors_links: links } };
      },
    });
    await expect(settled(world.clock, world.project.octavia.listFlavors({ deadlineMs: 1_000 }))).rejects.toMatchObject({
      code: "Timeout",
    });
    expect(world.clock.monotonicMs()).toBe(1_000);
  });

  it("and a caller who gives up are told apart from a lost connection", async () => {
    const world = scriptedCloud({ services: () => "silence" });
    const caller = new AbortController();
    const asked = world.project.octavia.listProviders({ signal: caller.signal });
    const outcome = asked.catch((error: unknown) => error);
    await world.clock.advance(10);
    caller.abort();
    expect(await outcome).toMatchObject({
      code: "Timeout",
      message: expect.stringContaining("the caller aborted the call"),
    });
  });
});

describe("a fence", () => {
  const fenceUntil = (world: ReturnType<typeof scriptedCloud>, endsAtMs: number): Fence => ({
    remainingMs: () => endsAtMs - world.clock.monotonicMs(),
  });

  it("that has run out keeps a change from leaving, and a read is free", async () => {
    const world = scriptedCloud({ services: () => good });
    const fence = fenceUntil(world, 0);
    await expect(world.project.octavia.deleteListener("l1", { fence })).rejects.toMatchObject({
      reason: "LeadershipLost",
    });
    expect(world.sent).toEqual([]);
    await read(world.project);
  });

  it("that runs out during the login keeps the change from leaving", async () => {
    const world = scriptedCloud({ services: () => good, logins: () => "silence" });
    const deleted = world.project.octavia.deleteListener("l1", { fence: fenceUntil(world, 2_000) });
    await expect(settled(world.clock, deleted)).rejects.toMatchObject({ reason: "LeadershipLost" });
    expect(world.sent).toEqual([]);
  });

  it("that runs out while a change waits for its next try ends it there", async () => {
    const world = scriptedCloud({ services: () => ({ status: 429, headers: { "retry-after": "1" } }) });
    const deleted = world.project.octavia.deleteListener("l1", { fence: fenceUntil(world, 1_500) });
    await expect(settled(world.clock, deleted)).rejects.toMatchObject({ code: "TooManyRequests" });
    expect(world.sent.every(({ atMs }) => atMs < 1_500)).toBe(true);
  });

  it("shortens the deadline of a change that hangs", async () => {
    const world = scriptedCloud({ services: () => "silence" });
    const deleted = world.project.octavia.deleteListener("l1", { fence: fenceUntil(world, 2_000) });
    await expect(settled(world.clock, deleted)).rejects.toMatchObject({ code: "Timeout" });
    expect(world.clock.monotonicMs()).toBe(2_000);
  });
});

describe("the meter", () => {
  it("hears of every request by service, operation and outcome", async () => {
    const world = scriptedCloud({
      services: (_, nth) => (nth === 1 ? { status: 500 } : nth === 2 ? lostConnection() : good),
    });
    await settled(world.clock, read(world.project));
    await expect(settled(world.clock, world.project.octavia.listProviders({ deadlineMs: 0 }))).rejects.toMatchObject({
      code: "Timeout",
    });
    expect(world.observed.map(({ service, operation, status }) => [service, operation, status])).toEqual([
      ["keystone", "authenticate-cloud", "201"],
      ["octavia", "list-providers", "500"],
      ["octavia", "list-providers", "Unreachable"],
      ["octavia", "list-providers", "200"],
      ["octavia", "list-providers", "Timeout"],
    ]);
  });
});
