// What the doctor finds on gateways: by what their controller saw, and by what their agents say.

import { beforeEach, expect, test } from "vitest";
import { readConfiguration } from "../../../src/cli/configuration/configuration.ts";
import type { Finding } from "../../../src/cli/doctor/finding.ts";
import { hmacTokens } from "../../../src/drivers/system/hmac-tokens.ts";
import { gatewayPools } from "../../../src/jobs/gateway/apis/gateway-pool.ts";
import { checkPools } from "../../../src/jobs/gateway/commands/check-pools.ts";
import { sampleDocument } from "../../../src/jobs/gateway/sim/sample-document.ts";
import { seededRandom } from "../../../src/sim/time/seeded-random.ts";
import { GatewayWorld } from "../world/gateway-world.ts";

let world: GatewayWorld;

beforeEach(async () => {
  world = new GatewayWorld();
  await world.furnish();
  await world.pool("public");
  for (const { agent } of world.agents.values())
    await agent.apply({ kind: "whole", document: sampleDocument(), unreadable: [] });
});

async function findings(asks: boolean): Promise<readonly Finding[]> {
  const { kube, feed, clock } = world;
  const agents = { gatewayAccess: async () => ({ feed, tokens: hmacTokens }), clock, random: seededRandom(3) };
  const { configuration } = readConfiguration({ text: "", jobs: [] });
  return await checkPools({ kube, configuration, shipped: (path) => path, ...(asks ? { agents } : {}) });
}

const words = (found: readonly Finding[]) => found.map(({ check, result, says }) => `${result} ${check}: ${says}`);

test("a pool that no controller has looked at, and agents that nobody asked", async () => {
  expect(words(await findings(false))).toEqual([
    "warn GatewayPool public: no controller has looked at it yet",
    "ok gateways: not asked; --agents asks 2 agents",
  ]);
});

test("what its controller saw: a gateway that does not answer, and a group that nobody leads", async () => {
  const groups = [{ name: "a", role: "fault" }];
  const gateways = [
    { name: "gw1", reachable: true, ready: true, groups },
    { name: "gw2", reachable: true, ready: false, message: "its rules are being loaded", groups },
  ];
  await world.kube.patch(
    gatewayPools,
    { name: "public" },
    { type: "merge", body: { status: { gateways } } },
    { subresource: "status" },
  );
  expect(words(await findings(false)).slice(0, 2)).toEqual([
    "warn GatewayPool public: gateway gw2 is not ready: its rules are being loaded",
    "fail GatewayPool public: no gateway leads the group a: nobody reaches its addresses",
  ]);
});

test("agents that are well say what they are", async () => {
  expect(words(await findings(true)).filter((line) => line.includes("agent gw"))).toEqual([
    "ok agent gw1: 1, nft 1.0.6, keepalived 2.2.7, kernel 6: all as it should be",
    "ok agent gw2: 1, nft 1.0.6, keepalived 2.2.7, kernel 6: all as it should be",
  ]);
});

test("settings of the kernel, keepalived, a full table of connections, and an agent that does not answer", async () => {
  const machine = world.agents.get("gw1")?.gateway;
  machine?.kernel.set("net.ipv4.ip_forward", "0");
  machine?.kernel.set("net.ipv6.conf.all.forwarding", "0");
  machine?.kernel.set("net.netfilter.nf_conntrack_tcp_be_liberal", "0");
  machine?.kernel.set("net.netfilter.nf_conntrack_count", "262000");
  if (machine !== undefined) machine.isRunning = false;
  world.feed.agents.delete("http://gw2");
  expect(words(await findings(true)).slice(1)).toEqual([
    "fail agent gw1: keepalived is stopped: it leads nothing",
    "fail agent gw1: net.ipv4.ip_forward is 0: the gateway forwards no IPv4 packet",
    "warn agent gw1: net.netfilter.nf_conntrack_tcp_be_liberal is 0: connections that another gateway began may break after a fail-over",
    "warn agent gw1: it tracks 262000 of at most 262144 connections: beyond that new ones are dropped",
    "fail agent gw2: not heard from here: connection refused",
  ]);
});
