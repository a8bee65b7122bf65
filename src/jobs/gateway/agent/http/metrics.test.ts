import { beforeEach, expect, test } from "vitest";
import { quietLog } from "../../../../../test/support/quiet-log.ts";
import { VirtualClock } from "../../../../../test/support/virtual-clock.ts";
import { hmacTokens } from "../../../../drivers/system/hmac-tokens.ts";
import { mostNamedServices } from "../../core/model/agent-metrics.ts";
import type { GatewayDocument } from "../../core/model/document.ts";
import { type FakeAgent, startFakeAgent } from "../../sim/fake-agent.ts";
import { sampleDocument, sampleForwarding } from "../../sim/sample-document.ts";

let clock: VirtualClock;
let agent: FakeAgent;

beforeEach(async () => {
  clock = new VirtualClock();
  const key = Buffer.from("a-secret-of-both-sides");
  agent = await startFakeAgent({ name: "gw1", key, clock, log: quietLog(), tokens: hmacTokens });
});

async function carry(document: GatewayDocument): Promise<void> {
  await agent.agent.apply({ kind: "whole", document, unreadable: [] });
}

async function scrape(): Promise<readonly string[]> {
  const peer = { isLoopback: true };
  const { body } = await agent.service({ method: "GET", path: "/metrics", headers: {}, peer, body: none() });
  return body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

async function* none(): AsyncGenerator<Uint8Array> {}

const two = sampleDocument({
  forwardings: [
    sampleForwarding({ port: 80, service: "shop/web" }),
    sampleForwarding({ port: 443, service: "shop/web" }),
    sampleForwarding({ port: 25, service: "mail/in" }),
  ],
});

test("connections, packets and bytes of a Service are those of all its ports", async () => {
  await carry(two);
  agent.gateway.traffic.set("198.18.0.100/TCP/80", { connections: 2, received: 10, sent: 20 });
  agent.gateway.traffic.set("198.18.0.100/TCP/443", { connections: 1, received: 5, sent: 0 });
  const lines = await scrape();
  expect(lines).toContain('mainstay_gateway_service_connections_total{service="shop/web"} 3');
  expect(lines).toContain('mainstay_gateway_service_connections_total{service="mail/in"} 0');
  expect(lines).toContain('mainstay_gateway_service_packets_total{service="shop/web",direction="received"} 15');
  expect(lines).toContain('mainstay_gateway_service_bytes_total{service="shop/web",direction="sent"} 2000');
});

test("however many Services there are, so many have a name, and the others are counted together", async () => {
  const forwardings = Array.from({ length: mostNamedServices + 200 }, (_, n) =>
    sampleForwarding({ port: n + 1, service: `shop/s${String(n).padStart(4, "0")}` }),
  );
  await carry(sampleDocument({ forwardings }));
  for (const { port } of forwardings)
    agent.gateway.traffic.set(`198.18.0.100/TCP/${port}`, { connections: 1, received: 0, sent: 0 });
  const lines = (await scrape()).filter((line) => line.startsWith("mainstay_gateway_service_connections_total"));
  expect(lines).toHaveLength(mostNamedServices + 1);
  expect(lines).toContain('mainstay_gateway_service_connections_total{service="(other)"} 200');
});

test("counters are read at most every ten seconds, however often somebody asks, and what they miss is said to be old", async () => {
  await carry(two);
  const reads = () => agent.gateway.count("nft.counters");
  await scrape();
  const first = reads();
  for (let n = 0; n < 9; n += 1) {
    await clock.advance(1_000);
    await scrape();
  }
  expect(reads()).toBe(first);
  await clock.advance(2_000);
  await scrape();
  expect(reads()).toBe(first * 2);
  agent.gateway.fate = (call) => (call === "nft.counters" ? "fails" : "works");
  await clock.advance(60_000);
  await scrape();
  const age = (await scrape()).find((line) => line.startsWith("mainstay_gateway_traffic_age_seconds"));
  expect(Number(age?.split(" ")[1])).toBeGreaterThanOrEqual(60);
});

test("without rules nothing is counted, and the rest is told all the same", async () => {
  const lines = await scrape();
  expect(lines).toContain("mainstay_gateway_ready 0");
  expect(lines.filter((line) => line.startsWith("mainstay_gateway_service"))).toEqual([]);
});

test("how long documents took is a histogram, and connections are those of the kernel", async () => {
  await carry(two);
  agent.gateway.kernel.set("net.netfilter.nf_conntrack_count", "77");
  const lines = await scrape();
  expect(lines).toContain("mainstay_gateway_apply_duration_seconds_count 1");
  expect(lines).toContain('mainstay_gateway_apply_duration_seconds_bucket{le="+Inf"} 1');
  expect(lines).toContain("mainstay_gateway_connections 77");
  expect(lines).toContain("mainstay_gateway_connections_limit 262144");
});
