import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { GatewayPoolSpec } from "../../apis/gateway-pool.ts";
import type { EndpointSlice, Service } from "../../apis/kube-objects.ts";
import { endpointCheck } from "../backends/unusable-endpoint.ts";
import { lbaasOfDocument } from "../lbaas/lbaas-of-document.ts";
import { type Forwarding, forwardingKey, type GatewayDocument } from "../model/document.ts";
import { serviceAsk } from "../services/service-ask.ts";
import { type CarriedService, type DocumentInput, gatewayDocument } from "./gateway-document.ts";
import { spreadAddresses, vrrpGroups } from "./vrrp-groups.ts";

const gateway = (n: number) => ({ name: `gw${n}`, url: `https://gw${n}` });
const group = (name: string, n: number) => ({ name, sourceAddresses: [`10.9.${n}.1`, `fd00:9:${n}::1`] });
const spec: GatewayPoolSpec = {
  gateways: [gateway(1), gateway(2), gateway(3)],
  backendLayer: "Pod",
  vrrp: { virtualRouterIDBase: 50, groups: [group("a", 1), group("b", 2)] },
};

function slice(addresses: readonly string[]): EndpointSlice {
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name: "s" },
    addressType: "IPv4",
    endpoints: addresses.map((address) => ({ addresses: [address] })),
    ports: [{ name: "", port: 8080 }],
  };
}

interface Wanted {
  readonly name: string;
  readonly address: string;
  readonly pods: readonly number[];
  readonly spec?: Service["spec"];
  readonly leaves?: readonly string[];
}

function carried({ name, address, pods, leaves = [], spec: more }: Wanted): CarriedService {
  const metadata = { name, namespace: "default", uid: name, creationTimestamp: `2026-01-01T00:00:00Z` };
  const service = { apiVersion: "v1", kind: "Service", metadata, spec: { ports: [{ port: 80 }], ...more } };
  return { ask: serviceAsk(service), addresses: [address], leaves, slices: [slice(pods.map((n) => `10.0.0.${n}`))] };
}

function told(services: readonly Wanted[], more: Partial<DocumentInput> = {}) {
  const check = endpointCheck({ ofGateways: new Set(), virtual: new Set() });
  return gatewayDocument({ pool: "p", spec, epoch: 1, services: services.map(carried), nodes: [], check, ...more });
}

const forwardingOf = ({ forwardings }: GatewayDocument, key: string): Forwarding | undefined =>
  forwardings.find((one) => forwardingKey(one) === key);

describe("the document of a pool", () => {
  const web = { name: "web", address: "192.0.2.1", pods: [1, 2] };
  const api = { name: "api", address: "192.0.2.2", pods: [3] };

  test("keeps an endpoint that drains, without a bucket, until it is gone", () => {
    const before = told([web]).document;
    const [service] = [carried(web)];
    const [endpointSlice] = service.slices;
    const drains = { ready: false, serving: true, terminating: true };
    const endpoints = [{ addresses: ["10.0.0.1"], conditions: drains }, { addresses: ["10.0.0.2"] }];
    const slices = endpointSlice === undefined ? [] : [{ ...endpointSlice, endpoints }];
    const input = { pool: "p", spec, epoch: 1, nodes: [], check: () => undefined, previous: before };
    const { document } = gatewayDocument({ ...input, services: [{ ...service, slices }] });
    const during = forwardingOf(document, "192.0.2.1/TCP/80");
    expect(during?.endpoints.map(({ address }) => address)).toEqual(["10.0.0.1", "10.0.0.2"]);
    expect(new Set(during?.buckets)).toEqual(new Set([1]));
    // An agent of ch-k8s-lbaas would send new connections to it.
    expect(lbaasOfDocument(document).config.ingress[0]?.ports[0]?.["destination-addresses"]).toEqual(["10.0.0.2"]);
    const after = told([{ ...web, pods: [2] }], { previous: document }).document;
    expect(forwardingOf(after, "192.0.2.1/TCP/80")?.endpoints.map(({ address }) => address)).toEqual(["10.0.0.2"]);
  });

  test("lets through whom the Service names and the NetworkPolicies of every Pod allow", () => {
    const policy = (app: string, ...cidrs: readonly string[]) => ({
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: app, namespace: "default" },
      spec: {
        podSelector: { matchLabels: { app } },
        ingress: cidrs.map((cidr) => ({ from: [{ ipBlock: { cidr } }] })),
      },
    });
    const pod = (n: number, app: string) => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: `pod-${n}`, namespace: "default", labels: { app } },
      status: { podIPs: [{ ip: `10.0.0.${n}` }] },
    });
    const pods = [pod(1, "wide"), pod(2, "narrow")];
    const policed = {
      policies: [policy("wide", "198.51.0.0/16", "2001:db8::/32"), policy("narrow", "198.51.100.0/24")],
      pods,
    };
    const sources = (wanted: Partial<Wanted>, more: Partial<DocumentInput> = { policed }) =>
      forwardingOf(told([{ ...web, ...wanted }], more).document, "192.0.2.1/TCP/80")?.allowedSources;
    expect(sources({})).toEqual(["198.51.100.0/24"]);
    expect(sources({ pods: [1] })).toEqual(["198.51.0.0/16"]);
    expect(sources({ spec: { loadBalancerSourceRanges: ["198.51.100.64/26", "203.0.113.0/24"] } })).toEqual([
      "198.51.100.64/26",
    ]);
    expect(sources({ spec: { loadBalancerSourceRanges: ["203.0.113.0/24"] } })).toEqual([]);
    expect(sources({}, { policed: { policies: [policy("narrow", "0.0.0.0/0")], pods } })).toBeUndefined();
    // A node's address says nothing of the Pods behind it.
    expect(sources({}, { policed, spec: { ...spec, backendLayer: "ClusterIP" } })).toBeUndefined();
  });

  test("says all that gateways need", () => {
    const { document, notes } = told([{ ...web, pods: [2, 1, 1] }]);
    expect(notes).toEqual([]);
    expect(document).toEqual({
      pool: "p",
      version: { epoch: 1, generation: 1 },
      vrrp: { mode: "vrrp3", advertIntervalMs: 100, unicast: {} },
      groups: [
        { name: "a", virtualRouterId: 50, order: ["gw1", "gw3", "gw2"], sourceAddresses: ["10.9.1.1", "fd00:9:1::1"] },
        { name: "b", virtualRouterId: 51, order: ["gw2", "gw3", "gw1"], sourceAddresses: ["10.9.2.1", "fd00:9:2::1"] },
      ],
      addresses: [{ address: "192.0.2.1", group: "a" }],
      forwardings: [
        {
          address: "192.0.2.1",
          protocol: "TCP",
          port: 80,
          service: "default/web",
          endpoints: [
            { address: "10.0.0.1", port: 8080 },
            { address: "10.0.0.2", port: 8080 },
          ],
          buckets: [0, 1, 0, 1, 0, 1, 0, 1],
          affinity: "none",
          source: "group",
          whenEmpty: "reject",
        },
      ],
    });
  });

  test("is the previous one when nothing changed, and counts up when something did", () => {
    const { document } = told([web, api]);
    expect(told([api, web], { previous: document }).document).toBe(document);
    const changed = told([web, { ...api, pods: [3, 4] }], { previous: document }).document;
    expect(changed.version).toEqual({ epoch: 1, generation: 2 });
    expect(forwardingOf(changed, "192.0.2.1/TCP/80")).toBe(forwardingOf(document, "192.0.2.1/TCP/80"));
    expect(changed.addresses).toBe(document.addresses);
    expect(changed.groups).toBe(document.groups);
  });

  test("of a new leader has its term, and every bucket where it was", () => {
    const { document } = told([web, api]);
    const copy = structuredClone(document);
    const next = told([web, api], { previous: copy, epoch: 2 }).document;
    expect(next.version).toEqual({ epoch: 2, generation: 1 });
    expect(next.forwardings).toBe(copy.forwardings);
  });

  test("keeps the address that a Service leaves until the new one works, unless somebody else has its port", () => {
    const moving = { ...web, address: "192.0.2.3", leaves: ["192.0.2.1", "192.0.2.2"] };
    const { document } = told([moving, api]);
    expect(document.forwardings.map((one) => `${forwardingKey(one)} ${one.service}`)).toEqual([
      "192.0.2.1/TCP/80 default/web",
      "192.0.2.2/TCP/80 default/api",
      "192.0.2.3/TCP/80 default/web",
    ]);
  });

  test("lets in whom the Service names: everybody is everybody, and another family nobody", () => {
    const sources = (loadBalancerSourceRanges: readonly string[], address = "192.0.2.1") =>
      told([{ ...web, address, spec: { loadBalancerSourceRanges } }]).document.forwardings[0]?.allowedSources;
    expect(sources(["198.51.100.7/24", "203.0.113.0/24"])).toEqual(["198.51.100.0/24", "203.0.113.0/24"]);
    expect(sources(["0.0.0.0/0"])).toBeUndefined();
    expect(sources(["198.51.100.0/24"], "2001:db8::1")).toEqual([]);
  });

  test("shows clients' addresses to endpoints once for each of their ports", () => {
    const twin = { ...web, name: "webtwin", address: "192.0.2.9" };
    const { document, notes } = told([web, twin], { spec: { ...spec, clientAddress: "Preserved" } });
    expect(document.forwardings.map(({ source }) => source)).toEqual(["client", "group"]);
    expect(notes.map(({ service }) => service)).toEqual(["default/webtwin"]);
  });

  test("says what was left out", () => {
    const { document, notes } = told([web], {
      check: endpointCheck({ ofGateways: new Set(["10.0.0.1"]), virtual: new Set() }),
    });
    expect(document.forwardings[0]?.endpoints).toEqual([{ address: "10.0.0.2", port: 8080 }]);
    expect(notes.map(({ message }) => message)).toEqual(["default/web: the endpoint 10.0.0.1 is a gateway's own"]);
  });
});

const anyServices = fc.uniqueArray(
  fc.record({
    name: fc.stringMatching(/^[a-z]{1,2}$/),
    address: fc.integer({ min: 1, max: 40 }).map((n) => `192.0.2.${n}`),
    pods: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 6 }),
  }),
  { maxLength: 12, selector: ({ address }) => address },
);

describe("whatever Services there are", () => {
  test("what did not change is the same object, and what is told is the same in any order", () => {
    fc.assert(
      fc.property(anyServices, anyServices, (before, after) => {
        const previous = told(before).document;
        const { document } = told(after, { previous });
        expect(told(after.toReversed(), { previous }).document).toEqual(document);
        expect(told(after, { previous: document }).document).toBe(document);
        const copies = document.forwardings.filter((one) => {
          const was = forwardingOf(previous, forwardingKey(one));
          return was !== one && JSON.stringify(was) === JSON.stringify(one);
        });
        expect(copies).toEqual([]);
        const listed = document.addresses.map(({ address }) => address);
        expect(listed).toEqual([...new Set(document.forwardings.map(({ address }) => address))].toSorted());
      }),
    );
  });

  test("addresses stay in their group while it is there, and new ones even the groups out", () => {
    const groupsOf = (count: number) =>
      vrrpGroups({ ...spec, vrrp: { virtualRouterIDBase: 1, groups: ["a", "b", "c"].slice(0, count).map(group) } });
    const any = fc.uniqueArray(fc.integer({ min: 1, max: 60 }).map((n) => `192.0.2.${n}`));
    fc.assert(
      fc.property(
        any,
        any,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 3 }),
        (before, after, was, is) => {
          const previous = spreadAddresses(before, groupsOf(was), []);
          const spread = spreadAddresses(after, groupsOf(is), previous);
          expect(spread.map(({ address }) => address)).toEqual(after.toSorted());
          const names = groupsOf(is).map(({ name }) => name);
          for (const { address, group: now } of spread) {
            const old = previous.find((one) => one.address === address)?.group;
            expect(now).toBe(old !== undefined && names.includes(old) ? old : now);
            expect(names).toContain(now);
          }
          const sizes = groupsOf(was).map(({ name }) => previous.filter((one) => one.group === name).length);
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

describe("the order of gateways", () => {
  const orders = (gateways: number, groups: readonly object[]) =>
    vrrpGroups({
      gateways: Array.from({ length: gateways }, (_, n) => gateway(n + 1)),
      vrrp: { virtualRouterIDBase: 1, groups: groups.map((one, n) => ({ ...group(`g${n}`, n), ...one })) },
    }).map(({ order }) => order.join(" "));

  test.each([
    [1, [{}], ["gw1"]],
    [2, [{}, {}], ["gw1 gw2", "gw2 gw1"]],
    [3, [{}, {}], ["gw1 gw3 gw2", "gw2 gw3 gw1"]],
    [3, [{}, {}, {}], ["gw1 gw2 gw3", "gw2 gw3 gw1", "gw3 gw1 gw2"]],
    [3, [{ order: ["gw3", "gone"] }, {}], ["gw3 gw1 gw2", "gw2 gw1 gw3"]],
    [2, [{}, {}, {}], ["gw1 gw2", "gw2 gw1", "gw1 gw2"]],
  ])("spreads leaders and their successors over %i gateways", (gateways, groups, expected) => {
    expect(orders(gateways, groups)).toEqual(expected);
  });
});
