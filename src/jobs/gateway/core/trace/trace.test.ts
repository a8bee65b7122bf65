import { expect, test } from "vitest";
import { sampleDocument, sampleForwarding, sampleGroup } from "../../sim/sample-document.ts";
import { bucketOf } from "../dataplane/packet-hash.ts";
import type { Forwarding } from "../model/document.ts";
import type { GroupView } from "../picture/gateway-views.ts";
import { type TraceInput, traceService } from "./trace.ts";

const led: GroupView = { name: "a", standing: "led", by: ["gw1"], since: "2026-01-01T00:00:00Z" };
const endpoints = [1, 2, 3].map((n) => ({ address: `10.0.0.${n}`, port: 8_080 }));
const several = { endpoints, buckets: Array.from({ length: 16 }, (_, bucket) => bucket % 3) };
const key = { address: "198.18.0.100", protocol: "TCP", port: 80 } as const;

function forwarding(fields: Partial<Forwarding> = {}): Forwarding {
  return sampleForwarding({ ...key, ...fields });
}

function input(fields: Partial<Forwarding> = {}, more: Partial<TraceInput> = {}): TraceInput {
  const document = sampleDocument({ groups: [sampleGroup()], forwardings: [forwarding(fields)] });
  return {
    service: "default/web",
    addresses: [{ address: key.address, shown: key.address, group: led }],
    ports: [{ protocol: "TCP", port: 80 }],
    gateways: [{ name: "gw1", document }],
    expected: document,
    ...more,
  };
}

function withGroup(group: GroupView): Partial<TraceInput> {
  return { addresses: [{ address: key.address, shown: key.address, group }] };
}

function told(traced: TraceInput) {
  const [route] = traceService(traced);
  const last = route?.hops.at(-1);
  return {
    verdict: route?.verdict,
    last: `${last?.at} ${last?.name}`,
    hops: route?.hops.map((hop) => `${hop.at}: ${hop.name}`),
  };
}

const outsider = { from: { address: "203.0.113.9", port: 40_000 } };

test("a packet is followed from the address to the endpoint that the kernel would choose", () => {
  const from = { address: "198.51.100.7", port: 40_000 };
  const bucket = bucketOf(from, "none", 16);
  const { verdict, hops } = told(input(several, { from }));
  expect(verdict).toBe("delivered");
  expect(hops?.filter((hop) => !hop.startsWith("source address"))).toEqual([
    "address: 198.18.0.100",
    "gateway: gw1",
    "source ranges: 198.51.100.7",
    `bucket: ${bucket}`,
    `endpoint: 10.0.0.${(bucket % 3) + 1}:8080`,
  ]);
  expect(hops).toContainEqual(expect.stringMatching(/^source address: 198\.19\.0\.10[12]$/));
});

const refusedDocument = sampleDocument({ forwardings: [] });

// biome-ignore format: a table reads best as a table
test.each([
  ["one endpoint: nothing to choose", input(), "delivered", "endpoint 10.0.0.11:8080"],
  ["no endpoint: refused", input({ endpoints: [], buckets: [] }), "refused", "endpoint none"],
  ["no endpoint, and the pool drops", input({ endpoints: [], buckets: [], whenEmpty: "drop" }), "dropped", "endpoint none"],
  ["a sender that may not connect", input({ allowedSources: ["198.51.100.0/24"] }, outsider), "dropped", "source ranges 203.0.113.9"],
  ["a sender that may", input({ allowedSources: ["203.0.113.0/24"] }, outsider), "delivered", "endpoint 10.0.0.11:8080"],
  ["ranges of the other family alone", input({ allowedSources: [] }, outsider), "dropped", "source ranges 203.0.113.9"],
  ["ranges, and nobody said who sends", input({ allowedSources: ["203.0.113.0/24"] }), "unknown", "endpoint 10.0.0.11:8080"],
  ["a sender of the other family", input({}, { from: { address: "2001:db8::1" } }), "dropped", "address 198.18.0.100"],
  ["several endpoints, and any port of the sender", input(several, { from: { address: "203.0.113.9" } }), "delivered", "endpoint 10.0.0.1:8080, 10.0.0.2:8080, 10.0.0.3:8080"],
  ["an endpoint that no bucket leads to gets nothing new", input({ endpoints, buckets: [0, 1] }), "delivered", "endpoint 10.0.0.1:8080, 10.0.0.2:8080"],
  ["agents were not asked: all endpoints are possible", input(several, { gateways: [], ...outsider }), "delivered", "endpoint 10.0.0.1:8080, 10.0.0.2:8080, 10.0.0.3:8080"],
  ["the gateway that leads does not carry it yet", input({}, { gateways: [{ name: "gw1", document: refusedDocument }] }), "refused", "gateway gw1"],
  ["the same by UDP", input({ protocol: "UDP" }, { ports: [{ protocol: "UDP", port: 80 }], gateways: [{ name: "gw1", document: refusedDocument }] }), "dropped", "gateway gw1"],
  ["no gateway leads", input({}, withGroup({ name: "a", standing: "unled", by: [] })), "dropped", "gateway none"],
  ["no gateway was told of the address", input({}, { addresses: [{ address: key.address, shown: key.address }] }), "dropped", "gateway none"],
  ["two gateways lead", input({}, withGroup({ name: "a", standing: "split", by: ["gw1", "gw2"] })), "unknown", "endpoint 10.0.0.11:8080"],
  ["nobody knows who leads", input({}, withGroup({ name: "a", standing: "unknown", by: [] })), "unknown", "endpoint 10.0.0.11:8080"],
  ["the agent of the one that leads is dead", input({}, { ...withGroup({ name: "a", standing: "heard", by: ["gw1"] }), gateways: [] }), "unknown", "endpoint 10.0.0.11:8080"],
] as const)("%s", (_, traced, verdict, last) => {
  expect(told(traced)).toMatchObject({ verdict, last });
});

test("with affinity, a client's address alone says the endpoint, and its port changes nothing", () => {
  const ends = [1, 40_000, undefined].map((port) => {
    const from = { address: "203.0.113.9", ...(port === undefined ? {} : { port }) };
    return told(input({ ...several, affinity: "client" }, { from })).last;
  });
  expect(new Set(ends).size).toBe(1);
  expect(ends[0]).toMatch(/^endpoint 10\.0\.0\.\d:8080$/);
});

test("endpoints see the client's own address where it is kept, but for an endpoint that calls itself", () => {
  const kept = { ...several, source: "client" } as const;
  const seen = (address: string) =>
    told(input(kept, { from: { address, port: 40_000 } })).hops?.find((hop) => hop.startsWith("source address"));
  expect(seen("203.0.113.9")).toBe("source address: 203.0.113.9");
  expect(seen("10.0.0.1")).toMatch(/198\.19\.0\.10[12]$/);
});

test("a part that a gateway could not carry as asked makes the answer unknown, with why", () => {
  const { gateways, ...rest } = input();
  const problems = [{ subject: "198.18.0.100/TCP/80", message: "the endpoint is loopback" }];
  const [route] = traceService({ ...rest, gateways: gateways.map((one) => ({ ...one, problems })) });
  expect(route?.verdict).toBe("unknown");
  expect(route?.hops.map(({ words }) => words).join(" ")).toContain("the endpoint is loopback");
});

test("every address and every port is a route of its own", () => {
  const ports = [
    { protocol: "TCP", port: 80 },
    { protocol: "UDP", port: 53 },
  ] as const;
  const addresses = [input().addresses[0], { address: "2001:db8::100", shown: "2001:db8::100", group: led }].flatMap(
    (one) => one ?? [],
  );
  expect(traceService(input({}, { ports, addresses })).map(({ address, port }) => `${address} ${port}`)).toEqual([
    "198.18.0.100 80/TCP",
    "198.18.0.100 53/UDP",
    "2001:db8::100 80/TCP",
    "2001:db8::100 53/UDP",
  ]);
});
