// What people are shown of Services and gateways on the command line, also while something is wrong.

import { afterEach, beforeEach, expect, test } from "vitest";
import type { TestManager } from "../../support/test-manager.ts";
import { mainstay } from "../world/gateway-commands.ts";
import { GatewayWorld } from "../world/gateway-world.ts";

let world: GatewayWorld;
let running: TestManager;

beforeEach(async () => {
  world = new GatewayWorld();
  await world.furnish();
  running = world.work();
  lead("gw1", "gw2");
  await world.pool("public", { backendLayer: "Pod" });
  for (const name of ["web", "mail"]) {
    await world.service(name);
    // The oldest has the lowest address.
    await world.clock.advance(2_000);
  }
  await world.slice("web", ["10.2.0.1", "10.2.0.2"]);
  await world.slice("mail", ["10.2.0.3"]);
  await world.clock.advance(40_000);
});
afterEach(async () => {
  const stopped = running.manager.stop();
  await world.clock.advance(20_000);
  await stopped;
});

function lead(master: string, backup: string): void {
  world.agents.get(master)?.gateway.roles.set("a", "master");
  world.agents.get(backup)?.gateway.roles.set("a", "backup");
}

/** The machine of a gateway is gone: its agent does not answer, and another one leads. */
function kill(name: string, other: string): void {
  world.feed.agents.delete(`http://${name}`);
  world.agents.get(other)?.gateway.roles.set("a", "master");
}

function columns(out: string): readonly (readonly string[])[] {
  return out.split("\n").map((line) => line.split(/ {2,}/));
}

test("services: address, ports, backends, and which gateway carries each since when", async () => {
  const { code, out } = await mainstay(world, ["services"]);
  expect(code).toBe(0);
  const [head, ...rows] = columns(out);
  expect(head).toEqual(["SERVICE", "HEALTH", "POOL", "ADDRESS", "PORTS", "BACKENDS", "GATEWAY", "SINCE", "IN WORDS"]);
  expect(rows.map((row) => row.filter((_, place) => place !== 7))).toEqual([
    ["default/mail", "healthy", "public", "192.0.2.11", "80/TCP", "1", "gw1", "served"],
    ["default/web", "healthy", "public", "192.0.2.10", "80/TCP", "2", "gw1", "served"],
  ]);
  expect(rows[0]?.[7]).toMatch(/^\d{4}-\d\d-\d\dT/);
});

test("services: by name, by namespace and as JSON; a name that nobody has ends with 5 and says what is meant", async () => {
  const { out } = await mainstay(world, ["services", "default/web", "-o", "json"]);
  expect(JSON.parse(out)).toMatchObject({
    services: [
      {
        service: "default/web",
        pool: "public",
        ports: ["80/TCP"],
        backends: 2,
        addresses: [{ address: "192.0.2.10", gateways: ["gw1"], group: "a" }],
      },
    ],
  });
  expect((await mainstay(world, ["services", "-n", "elsewhere"])).out).toContain("no Service of type LoadBalancer");
  expect((await mainstay(world, ["services", "mail", "-o", "yaml"])).out).toContain("service: default/mail");
  const missing = await mainstay(world, ["services", "wbe"]);
  expect(missing.code).toBe(5);
  expect(missing.err).toContain("Did you mean web?");
  expect((await mainstay(world, ["services", "-n", "a", "-A"])).code).toBe(2);
});

test("services: those that need attention stand first, with why; those of others say whose they are not", async () => {
  await world.slice("web", []);
  await world.pool("other", {
    loadBalancerClass: "example.com/other",
    addresses: { static: { ipv4: ["192.0.2.99"] } },
    vrrp: { virtualRouterIDBase: 90, groups: [{ name: "o", sourceAddresses: ["10.1.0.99"] }] },
  });
  await world.service("theirs", { spec: { loadBalancerClass: "example.com/not-ours" } });
  await world.service("asks", { spec: { loadBalancerIP: "198.51.100.1" } });
  await world.clock.advance(40_000);
  const rows = columns((await mainstay(world, ["services"])).out).slice(1);
  expect(rows.map(([service, health, pool]) => [service, health, pool])).toEqual([
    ["default/asks", "degraded", "public"],
    ["default/web", "degraded", "public"],
    ["default/mail", "healthy", "public"],
    ["default/theirs", "healthy", "-"],
  ]);
  expect(rows[0]?.at(-1)).toBe("not served: RequestedAddressUnavailable");
  expect(rows[1]?.at(-1)).toBe("no endpoint");
  expect(rows[3]?.at(-1)).toBe("no pool serves the class example.com/not-ours");
});

test("gateways: role, document and lag, as their controller saw them", async () => {
  const { code, out } = await mainstay(world, ["gateways"]);
  expect(code).toBe(0);
  const [head, ...rows] = columns(out);
  expect(head).toEqual(["POOL", "GATEWAY", "HEALTH", "ROLE", "SINCE", "DOCUMENT", "LAG", "AGENT"].concat("IN WORDS"));
  expect(rows.map(([, gateway, health, role, , , lag]) => [gateway, health, role, lag])).toEqual([
    ["gw1", "healthy", "leads a", "current"],
    ["gw2", "healthy", "stands by for a", "current"],
  ]);
});

test("gateways: with --agents how many connections they track, and what they say this very moment", async () => {
  world.agents.get("gw1")?.gateway.kernel.set("net.netfilter.nf_conntrack_count", "1234");
  lead("gw2", "gw1");
  const { out, err } = await mainstay(world, ["gateways", "public", "--agents"]);
  expect(err).toBe("");
  const rows = columns(out).slice(1);
  expect(rows.map(([, gateway, , role, , , , connections]) => [gateway, role, connections])).toEqual([
    ["gw1", "stands by for a", "1234 of 262144"],
    ["gw2", "leads a", "0 of 262144"],
  ]);
});

test("gateways: one that died is said to be, and who leads now; whoever may not ask is told and shown the last word", async () => {
  kill("gw1", "gw2");
  await world.clock.advance(60_000);
  const { out } = await mainstay(world, ["gateways"]);
  const rows = columns(out).slice(1);
  expect(rows[0]).toEqual(expect.arrayContaining(["gw1", "degraded", "not known"]));
  expect(rows[0]?.at(-1)).toContain("connection refused");
  expect(rows[1]).toEqual(expect.arrayContaining(["gw2", "healthy", "leads a"]));
  const asked = await mainstay(world, ["gateways", "public/gw1", "--agents"]);
  expect(asked.code).toBe(0);
  expect(asked.err).toContain("note: gw1 was not heard");
  await world.deleteSecret("agents");
  const unable = await mainstay(world, ["gateways", "--agents"]);
  expect(unable.err).toContain("Secret default/agents: there is no such object");
  expect((await mainstay(world, ["gateways", "publik"])).code).toBe(5);
});

test("explain: an incident is told by the headline, the picture and the tables, without a log", async () => {
  kill("gw1", "gw2");
  await world.clock.advance(60_000);
  const { code, out } = await mainstay(world, ["explain", "gatewaypool/public"]);
  expect(code).toBe(0);
  const [name, , , headline] = out.split("\n");
  expect(name).toBe("GatewayPool/public");
  expect(headline).toContain("Gateway gw1: connection refused");
  expect(out).toContain(
    "2 Services can be reached on 2 addresses through gw2; gw1 does not answer, so nobody would take over.",
  );
  expect(out).toContain("✗ gw1: does not answer");
  expect(out).toMatch(/GATEWAY +HEALTH +ROLE/);
  expect(out).toMatch(/ADDRESS +HEALTH +ANSWERS/);
});

test("trace: without agents the endpoints that are possible, with them the very one, and the same on every gateway", async () => {
  const possible = await mainstay(world, ["trace", "web", "--from", "198.51.100.7:40000"]);
  expect(possible.code).toBe(0);
  expect(possible.out).toContain("endpoint 10.2.0.1:8080, 10.2.0.2:8080");
  const one = async () =>
    /endpoint (\S+): it gets/.exec(
      (await mainstay(world, ["trace", "web", "--from", "198.51.100.7:40000", "--agents"])).out,
    )?.[1];
  const chosen = await one();
  expect(chosen).toMatch(/^10\.2\.0\.[12]:8080$/);
  kill("gw1", "gw2");
  await world.clock.advance(60_000);
  expect(await one()).toBe(chosen);
});

test("trace: says why a packet is dropped or refused, and ends with 1", async () => {
  await world.change("web", { spec: { loadBalancerSourceRanges: ["203.0.113.0/24"] } });
  await world.slice("mail", []);
  await world.clock.advance(40_000);
  const dropped = await mainstay(world, ["trace", "web", "--from", "198.51.100.7", "--agents"]);
  expect([dropped.code, dropped.out]).toEqual([1, expect.stringContaining("only 203.0.113.0/24 may connect")]);
  const refused = await mainstay(world, ["trace", "default/mail", "--agents"]);
  expect([refused.code, refused.out]).toEqual([1, expect.stringContaining("default/mail has no endpoint")]);
  await world.service("theirs", { spec: { loadBalancerClass: "example.com/not-ours" } });
  const unserved = await mainstay(world, ["trace", "theirs"]);
  expect([unserved.code, unserved.out]).toEqual([1, expect.stringContaining("no pool serves the class")]);
});

test("trace: what cannot be known ends with 3, and what cannot be understood with 2", async () => {
  world.feed.agents.delete("http://gw1");
  await world.clock.advance(60_000);
  const unseen = await mainstay(world, ["trace", "web", "--from", "198.51.100.7", "--agents"]);
  expect([unseen.code, unseen.out]).toEqual([3, expect.stringContaining("another gateway hears it")]);
  expect((await mainstay(world, ["trace", "web", "--from", "nowhere"])).code).toBe(2);
  expect((await mainstay(world, ["trace", "web", "--port", "443"])).code).toBe(2);
  expect((await mainstay(world, ["trace", "nobody"])).code).toBe(5);
});
