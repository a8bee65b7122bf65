import { describe, expect, test } from "vitest";
import { endpointSlices, nodes, services } from "../../../../apis/kube/builtin-kinds.ts";
import type { RelatedThing } from "../../../../core/views/picture.ts";
import { inboundPortAnnotation, managedAnnotation, poolAnnotation } from "../../apis/annotations.ts";
import type { GatewayPool, GatewayPoolStatus, GatewayStatus } from "../../apis/gateway-pool.ts";
import { poolParts } from "./pool-parts.ts";
import { poolPicture } from "./pool-picture.ts";

const since = "2026-01-01T00:00:00Z";
const latest = { epoch: 3, generation: 7 };

function gateway(name: string, role: string, more: Partial<GatewayStatus> = {}): GatewayStatus {
  return { name, reachable: true, ready: true, carries: latest, groups: [{ name: "a", role, since }], ...more };
}

function silent(name: string, role: string): GatewayStatus {
  const { ready: _, ...rest } = gateway(name, role);
  return { ...rest, reachable: false, message: `gateway ${name}: connection refused` };
}

const well = [gateway("gw1", "master"), gateway("gw2", "backup")];

function pool(gateways: readonly GatewayStatus[], status: Partial<GatewayPoolStatus> = {}): GatewayPool {
  return {
    apiVersion: "mainstay.dev/v1alpha1",
    kind: "GatewayPool",
    metadata: { name: "public", uid: "p" },
    spec: {
      gateways: gateways.map(({ name }) => ({ name, url: `http://${name}` })),
      backendLayer: "Pod",
      vrrp: { virtualRouterIDBase: 50, groups: [{ name: "a" }] },
    },
    status: {
      version: latest,
      gateways,
      addresses: { inUse: 1 },
      addressesInUse: [{ address: "192.0.2.10", group: "a", services: 2 }],
      services: { served: 2, refused: 0 },
      ...status,
    },
  };
}

function service(name: string, address = "192.0.2.10"): RelatedThing {
  const object = {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name,
      namespace: "default",
      annotations: { [managedAnnotation]: "true", [poolAnnotation]: "public", [inboundPortAnnotation]: address },
    },
    spec: { type: "LoadBalancer", ports: [{ name: "http", port: 80, protocol: "TCP" }], ipFamilies: ["IPv4"] },
    status: { loadBalancer: { ingress: [{ ip: address }] } },
  };
  return { kind: services, object };
}

function slice(name: string, ready: readonly string[], leaving: readonly string[] = []): RelatedThing {
  const endpoint = (address: string, conditions: object) => ({ addresses: [address], conditions });
  const object = {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name, namespace: "default", labels: { "kubernetes.io/service-name": name } },
    addressType: "IPv4",
    endpoints: [
      ...ready.map((address) => endpoint(address, { ready: true })),
      ...leaving.map((address) => endpoint(address, { ready: false, serving: true, terminating: true })),
    ],
    ports: [{ name: "http", port: 8080, protocol: "TCP" }],
  };
  return { kind: endpointSlices, object };
}

const all = [service("web"), slice("web", ["10.0.0.1", "10.0.0.2"]), service("mail"), slice("mail", ["10.0.0.2"])];

function drawn(object: GatewayPool, related: readonly RelatedThing[] = all) {
  const picture = poolPicture({ object, related });
  const named = new Map(picture?.columns.flatMap((column) => column.nodes.map((node) => [node.id, node] as const)));
  const words = (column: string) =>
    picture?.columns
      .find(({ title }) => title === column)
      ?.nodes.map(({ name, health, word }) => `${name}: ${health}, ${word}`);
  const edges = picture?.edges.map(({ from, to, state }) => `${named.get(from)?.name} ${state} ${named.get(to)?.name}`);
  return { picture, words, edges };
}

describe("what people can still reach, in one line, from the status alone", () => {
  const unled = [gateway("gw1", "fault"), gateway("gw2", "fault")];
  const late = gateway("gw2", "backup", { carries: { epoch: 3, generation: 4 } });
  const unready = gateway("gw1", "master", { ready: false, message: "nftables: the rules were removed" });
  // biome-ignore format: a table reads best as a table
  test.each([
    ["all is well", pool(well), "healthy", "2 Services can be reached on 1 address through gw1."],
    ["the gateway that stands by dies", pool([gateway("gw1", "master"), silent("gw2", "backup")]), "healthy", "2 Services can be reached on 1 address through gw1; gw2 does not answer, so nobody would take over."],
    ["the gateway that led dies, and the other one leads", pool([silent("gw1", "master"), gateway("gw2", "master")]), "healthy", "2 Services can be reached on 1 address through gw2; gw1 does not answer, so nobody would take over."],
    ["only the agent of the gateway that leads dies", pool([silent("gw1", "master"), gateway("gw2", "backup")]), "unknown", "Whether 192.0.2.10 can be reached is not known; gw1 does not answer, so nobody would take over."],
    ["all agents die", pool([silent("gw1", "master"), silent("gw2", "backup")]), "unknown", "Whether 192.0.2.10 can be reached is not known; gw1 and gw2 do not answer."],
    ["no gateway leads", pool(unled), "degraded", "Nobody reaches 192.0.2.10 (no gateway leads)."],
    ["two gateways lead", pool([gateway("gw1", "master"), gateway("gw2", "master")]), "degraded", "Not everybody reaches 192.0.2.10 (led by gw1 and gw2 at once)."],
    ["an agent lags", pool([gateway("gw1", "master"), late]), "healthy", "2 Services can be reached on 1 address through gw1; gw2 is 3 changes behind."],
    ["the rules of the one that leads are gone", pool([unready, gateway("gw2", "backup")]), "degraded", "Not everybody reaches 192.0.2.10 (led by gw1, which is not ready); gw1 is not ready (nftables: the rules were removed)."],
    ["a Service is refused", pool(well, { services: { served: 2, refused: 1 }, troubledServices: [{ service: "default/new", reason: "PoolExhausted", message: "no address left" }] }), "healthy", "2 Services can be reached on 1 address through gw1; default/new does not get what it asks for (PoolExhausted)."],
    ["nobody asks", pool(well, { addresses: { inUse: 0 }, addressesInUse: [], services: { served: 0, refused: 0 } }), "healthy", "No Service has an address here."],
  ] as const)("%s", (_, object, health, words) => {
    expect(poolPicture({ object, related: [] })?.reach).toEqual({ health, words });
  });
});

test("a healthy pool is drawn from clients to endpoints", () => {
  const { words, edges } = drawn(pool(well));
  expect(words("Clients")).toEqual(["clients: healthy, use 1 address"]);
  expect(words("Addresses")).toEqual(["192.0.2.10: healthy, led by gw1"]);
  expect(words("Gateways")).toEqual(["gw1: healthy, leads", "gw2: healthy, stands by"]);
  expect(words("Services")).toEqual(["default/mail: healthy, served", "default/web: healthy, served"]);
  expect(words("Endpoints")).toEqual(["10.0.0.2: healthy, gets connections", "10.0.0.1: healthy, gets connections"]);
  expect(edges).toEqual([
    "clients open 192.0.2.10",
    "192.0.2.10 open gw1",
    "192.0.2.10 closed gw2",
    "gw1 open default/mail",
    "gw1 open default/web",
    "default/mail open 10.0.0.2",
    "default/web open 10.0.0.1",
    "default/web open 10.0.0.2",
  ]);
});

test("a gateway that died is a broken way, and says what its agent last said about itself is not believed", () => {
  const { words, edges } = drawn(pool([silent("gw1", "master"), gateway("gw2", "master")]));
  expect(words("Gateways")).toEqual(["gw1: degraded, does not answer", "gw2: healthy, leads"]);
  expect(edges).toContain("192.0.2.10 broken gw1");
  expect(edges).toContain("192.0.2.10 open gw2");
  expect(edges).toContain("gw2 open default/web");
  expect(edges).not.toContain("gw1 open default/web");
});

test("of a gateway whose agent alone died, the one that stands by says that it leads", () => {
  const { words, edges } = drawn(pool([silent("gw1", "master"), gateway("gw2", "backup")]));
  expect(words("Gateways")?.[0]).toBe("gw1: degraded, leads, but its agent does not answer");
  expect(words("Addresses")).toEqual(["192.0.2.10: unknown, led by gw1, unseen"]);
  expect(edges).toContain("192.0.2.10 unknown gw1");
});

test("a Service without endpoints, and one that is refused, stand first with why", () => {
  const troubled = { service: "default/new", reason: "PoolExhausted", message: "no address left" };
  const related = [service("web"), slice("web", []), service("mail"), slice("mail", ["10.0.0.2"], ["10.0.0.3"])];
  const { words, edges, picture } = drawn(pool(well, { troubledServices: [troubled] }), related);
  expect(words("Services")).toEqual([
    "default/new: degraded, not served",
    "default/web: degraded, no endpoint",
    "default/mail: healthy, served",
  ]);
  expect(edges).toContain("default/web broken none");
  expect(edges).toContain("default/mail closed 10.0.0.3");
  expect(picture?.reach.health).toBe("degraded");
  expect(picture?.reach.words).toContain("default/web has no endpoint");
});

test("nodes of the cluster are endpoints of many Services, and drawn once, with their names", () => {
  const node: RelatedThing = {
    kind: nodes,
    object: {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "node-1" },
      status: {
        addresses: [{ type: "InternalIP", address: "10.1.0.1" }],
        conditions: [{ type: "Ready", status: "True" }],
      },
    } as RelatedThing["object"],
  };
  const own = [service("web"), service("mail")].map(({ kind, object }) => {
    const spec = { type: "LoadBalancer", ports: [{ port: 80, nodePort: 30_080 }] };
    return { kind, object: { ...object, spec } };
  });
  const object = pool(well);
  const { picture } = drawn({ ...object, spec: { ...object.spec, backendLayer: "NodePort" } }, [...own, node]);
  expect(picture?.columns.at(-1)?.nodes).toMatchObject([
    { name: "10.1.0.1", note: "node-1", object: { kind: "Node" } },
  ]);
  expect(picture?.edges.filter(({ to }) => to === "endpoint 10.1.0.1")).toHaveLength(2);
});

test("ten thousand Services on a thousand addresses fit on a screen: the sick ones are shown, the rest is counted", () => {
  const addressesInUse = Array.from({ length: 1_000 }, (_, n) => ({
    address: `10.9.${Math.floor(n / 250)}.${n % 250}`,
    group: n === 777 ? "b" : "a",
    services: 10,
  }));
  const related = Array.from({ length: 10_000 }, (_, n) =>
    n === 5_000
      ? [service(`s${n}`, "10.9.0.0"), slice(`s${n}`, [])]
      : [service(`s${n}`, "10.9.0.0"), slice(`s${n}`, ["10.0.0.1"])],
  ).flat();
  const groups = (role: string) => [
    { name: "a", role, since },
    { name: "b", role: "fault" },
  ];
  const gateways = [
    gateway("gw1", "master", { groups: groups("master") }),
    gateway("gw2", "backup", { groups: groups("backup") }),
  ];
  const status = { addressesInUse, addresses: { inUse: 1_000 }, services: { served: 10_000, refused: 0 } };
  const { picture, words } = drawn(pool(gateways, status), related);
  const sizes = picture?.columns.map((column) => column.nodes.length) ?? [];
  expect(Math.max(...sizes)).toBeLessThan(20);
  expect(picture?.edges.length).toBeLessThan(100);
  expect(words("Addresses")?.[0]).toBe("10.9.3.27: degraded, no gateway leads");
  expect(words("Addresses")?.at(-1)).toBe("994 more addresses: healthy, nothing is known against them");
  expect(words("Services")?.[0]).toBe("default/s5000: degraded, no endpoint");
  expect(words("Services")?.at(-1)).toBe("9990 more Services: healthy, nothing is known against them");
  expect(picture?.reach.words).toContain("nobody reaches 10.9.3.27 (no gateway leads)");
});

test("nodes have ids of their own, and ways lead between columns that stand side by side", () => {
  const { picture } = drawn(pool([silent("gw1", "master"), gateway("gw2", "backup")]));
  const ids = picture?.columns.flatMap((column) => column.nodes.map(({ id }) => id)) ?? [];
  expect(new Set(ids).size).toBe(ids.length);
  const columnOf = new Map(
    picture?.columns.flatMap((column, place) => column.nodes.map(({ id }) => [id, place] as const)),
  );
  expect(picture?.edges.length).toBeGreaterThan(3);
  for (const { from, to } of picture?.edges ?? []) expect(columnOf.get(to)).toBe((columnOf.get(from) ?? -9) + 1);
});

test("a pool that nobody has looked at yet has no picture and no parts", () => {
  const { status: _, ...object } = pool(well);
  expect(poolPicture({ object, related: [] })).toBe(undefined);
  expect(poolParts(object)).toBe(undefined);
});

test("gateways are its parts, and its addresses a table beside them, the sick ones first", () => {
  const late = gateway("gw2", "backup", {
    carries: { epoch: 3, generation: 4 },
    capability: { api: "v2", agent: "1.2.3" },
  });
  const addressesInUse = [
    { address: "10.0.0.5", publicAddress: "192.0.2.10", portID: "port-1", group: "a", services: 2 },
    { address: "10.0.0.6", publicAddress: "192.0.2.11", services: 1 },
  ];
  const parts = poolParts(pool([silent("gw1", "master"), late], { addressesInUse, addresses: { inUse: 2 } }));
  expect(parts?.table.rows.map(({ name, health, cells }) => [name, health, ...cells.map(({ text }) => text)])).toEqual([
    ["gw1", "degraded", "leads a (unseen)", "not known", "gateway gw1: connection refused"],
    ["gw2", "healthy", "stands by for a", "3 changes behind", "1.2.3"],
  ]);
  const [addresses] = parts?.tables ?? [];
  expect(addresses?.rows.map(({ name, health, cells }) => [name, health, ...cells.map(({ text }) => text)])).toEqual([
    ["192.0.2.11", "progressing", "not carried yet", "", "1", "10.0.0.6"],
    ["192.0.2.10", "unknown", "led by gw1, unseen", "a", "2", "port-1"],
  ]);
});
