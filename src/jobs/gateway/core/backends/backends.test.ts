import { describe, expect, test } from "vitest";
import type { BackendLayer } from "../../apis/gateway-pool.ts";
import type { EndpointSlice, Node, Service, SliceEndpoint } from "../../apis/kube-objects.ts";
import { serviceAsk } from "../services/service-ask.ts";
import { backends } from "./backends.ts";
import { endpointCheck } from "./unusable-endpoint.ts";

const check = endpointCheck({ ofGateways: new Set(["10.0.9.1"]), virtual: new Set(["192.0.2.1"]) });

function slice(endpoints: readonly SliceEndpoint[], change: Partial<EndpointSlice> = {}): EndpointSlice {
  const base = { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", metadata: { name: "s" } };
  return { ...base, addressType: "IPv4", endpoints, ports: [{ name: "", port: 8080 }], ...change };
}

type State = "ready" | "unready" | "draining" | "dead" | "unknown";
const conditions: Readonly<Record<State, SliceEndpoint["conditions"]>> = {
  ready: { ready: true, serving: true, terminating: false },
  unready: { ready: false, serving: false, terminating: false },
  draining: { ready: false, serving: true, terminating: true },
  dead: { ready: false, serving: false, terminating: true },
  unknown: undefined,
};

/** `10.0.0.1 draining on n1` */
function pods(...texts: readonly string[]): readonly SliceEndpoint[] {
  return texts.map((text) => {
    const [address = "", state = "ready", , nodeName] = text.split(" ");
    const found = conditions[state as State];
    return { addresses: [address], ...(found ? { conditions: found } : {}), ...(nodeName ? { nodeName } : {}) };
  });
}

function node(name: string, address: string, change: Partial<Node> & { readonly ready?: string } = {}): Node {
  const { ready = "True", ...rest } = change;
  const addresses = [
    { type: "Hostname", address: name },
    { type: "ExternalIP", address: "203.0.113.9" },
    ...address.split(" ").map((one) => ({ type: "InternalIP", address: one })),
  ];
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name },
    status: { addresses, conditions: [{ type: "Ready", status: ready }] },
    ...rest,
  };
}

function found(
  layer: BackendLayer,
  world: { readonly slices?: readonly EndpointSlice[]; readonly nodes?: readonly Node[] },
  spec: Service["spec"] = {},
  family: 4 | 6 = 4,
) {
  const ask = serviceAsk({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "s", namespace: "n" },
    spec: { ports: [{ port: 80, nodePort: 30080 }], ...spec },
  });
  const [port] = ask.ports;
  if (port === undefined) throw new Error("a Service has a port");
  const { endpoints, draining, leftOut } = backends(ask, port, family, {
    layer,
    slices: [],
    nodes: [],
    check,
    ...world,
  });
  const text = (one: { address: string; port: number }) => `${one.address} ${one.port}`;
  return { endpoints: endpoints.map(text), draining: draining.map(text), leftOut };
}

describe("Pods", () => {
  test.each([
    ["ready ones", ["10.0.0.2", "10.0.0.1"], ["10.0.0.1 8080", "10.0.0.2 8080"], []],
    ["those that nobody says anything about", ["10.0.0.1 unknown"], ["10.0.0.1 8080"], []],
    ["not those that are not ready", ["10.0.0.1", "10.0.0.2 unready"], ["10.0.0.1 8080"], []],
    [
      "not those that drain, while others are ready",
      ["10.0.0.1", "10.0.0.2 draining"],
      ["10.0.0.1 8080"],
      ["10.0.0.2 8080"],
    ],
    [
      "those that drain and serve, when nobody else is there",
      ["10.0.0.1 draining", "10.0.0.2 dead"],
      ["10.0.0.1 8080"],
      [],
    ],
    ["none", ["10.0.0.1 dead", "10.0.0.2 unready"], [], []],
    ["each once", ["10.0.0.1", "10.0.0.1"], ["10.0.0.1 8080"], []],
  ])("%s", (_, texts, endpoints, draining) => {
    expect(found("Pod", { slices: [slice(pods(...texts))] })).toEqual({ endpoints, draining, leftOut: [] });
  });

  test("all of them, where the Service says so", () => {
    const slices = [slice(pods("10.0.0.1 unready", "10.0.0.2"))];
    expect(found("Pod", { slices }, { publishNotReadyAddresses: true }).endpoints).toEqual([
      "10.0.0.1 8080",
      "10.0.0.2 8080",
    ]);
  });

  test("of several slices, in which a port by name has different numbers", () => {
    const ports = (port: number) => [
      { name: "web", port },
      { name: "admin", port: 9 },
      { name: "web", protocol: "UDP", port: 7 },
    ];
    const slices = [
      slice(pods("10.0.0.1"), { ports: ports(8080) }),
      slice(pods("10.0.0.1", "10.0.0.2"), { ports: ports(9090) }),
    ];
    const spec = { ports: [{ port: 80, name: "web", targetPort: "http" }] };
    expect(found("Pod", { slices }, spec).endpoints).toEqual(["10.0.0.1 8080", "10.0.0.1 9090", "10.0.0.2 9090"]);
  });

  test("of the address's family", () => {
    const slices = [slice(pods("10.0.0.1")), slice(pods("fd00::1"), { addressType: "IPv6" })];
    expect(found("Pod", { slices }).endpoints).toEqual(["10.0.0.1 8080"]);
    expect(found("Pod", { slices }, {}, 6).endpoints).toEqual(["fd00::1 8080"]);
  });

  test("without the port are said, and an empty Service is not", () => {
    const spec = { ports: [{ port: 80, name: "web" }] };
    expect(found("Pod", { slices: [slice(pods("10.0.0.1"))] }, spec).leftOut).toEqual([
      "no IPv4 endpoint has the port web for TCP",
    ]);
    expect(found("Pod", { slices: [] }, spec).leftOut).toEqual([]);
  });

  test.each([
    ["127.0.0.1", "is loopback"],
    ["169.254.169.254", "is link-local"],
    ["224.0.0.1", "is multicast"],
    ["0.0.0.0", "is no machine's address"],
    ["255.255.255.255", "is reserved or broadcast"],
    ["10.0.9.1", "is a gateway's own"],
    ["192.0.2.1", "is an address of the gateways for Services"],
    ["somewhere", "is no address"],
  ])("at %s are left out, and the others are not", (address, why) => {
    const { endpoints, leftOut } = found("Pod", { slices: [slice(pods(address, "10.0.0.2"))] });
    expect([endpoints, leftOut]).toEqual([["10.0.0.2 8080"], [`the endpoint ${address} ${why}`]]);
  });

  test.each(["::1", "fe80::1", "ff02::1", "::", "::ffff:127.0.0.1"])("at %s are left out, too", (address) => {
    const slices = [slice(pods(address), { addressType: "IPv6" })];
    expect(found("Pod", { slices }, {}, 6).endpoints).toEqual([]);
  });
});

describe("Nodes", () => {
  const [one, two] = [node("n1", "10.1.0.1 fd00::1"), node("n2", "10.1.0.2")];
  const excluded = {
    metadata: { name: "n2", labels: { "node.kubernetes.io/exclude-from-external-load-balancers": "" } },
  };

  test.each([
    ["ready ones", [two, one], ["10.1.0.1 30080", "10.1.0.2 30080"]],
    ["not those that are not ready", [one, node("n2", "10.1.0.2", { ready: "Unknown" })], ["10.1.0.1 30080"]],
    [
      "all, when none is ready",
      [node("n1", "10.1.0.1", { ready: "False" }), node("n2", "10.1.0.2", { ready: "Unknown" })],
      ["10.1.0.1 30080", "10.1.0.2 30080"],
    ],
    [
      "not those that are excluded, whatever the label says",
      [one, node("n2", "10.1.0.2", excluded)],
      ["10.1.0.1 30080"],
    ],
    [
      "not those that go",
      [one, node("n2", "10.1.0.2", { metadata: { name: "n2", deletionTimestamp: "x" } })],
      ["10.1.0.1 30080"],
    ],
    [
      "not those that the autoscaler removes",
      [one, node("n2", "10.1.0.2", { spec: { taints: [{ key: "ToBeDeletedByClusterAutoscaler" }] } })],
      ["10.1.0.1 30080"],
    ],
    [
      "cordoned ones",
      [one, node("n2", "10.1.0.2", { spec: { taints: [{ key: "node.kubernetes.io/unschedulable" }] } })],
      ["10.1.0.1 30080", "10.1.0.2 30080"],
    ],
    ["none", [], []],
  ])("%s", (_, nodes, endpoints) => {
    expect(found("NodePort", { nodes }).endpoints).toEqual(endpoints);
  });

  test("of the address's family", () => {
    expect(found("NodePort", { nodes: [one, two] }, {}, 6).endpoints).toEqual(["fd00::1 30080"]);
  });

  test.each([
    ["with a ready endpoint", ["10.0.0.1 ready on n1", "10.0.0.2 unready on n2"], ["10.1.0.1 30080"]],
    [
      "not those that only drain, while another serves",
      ["10.0.0.1 ready on n1", "10.0.0.2 draining on n2"],
      ["10.1.0.1 30080"],
    ],
    ["those that drain, when nobody else is there", ["10.0.0.2 draining on n2"], ["10.1.0.2 30080"]],
    ["none without an endpoint", [], []],
  ])("for local endpoints: %s", (_, texts, endpoints) => {
    const world = { nodes: [one, two], slices: [slice(pods(...texts))] };
    expect(found("NodePort", world, { externalTrafficPolicy: "Local" }).endpoints).toEqual(endpoints);
  });

  test("get nothing on a port that was not allocated, and that is said", () => {
    const { endpoints, leftOut } = found("NodePort", { nodes: [one] }, { ports: [{ port: 80 }] });
    expect([endpoints, leftOut]).toEqual([[], ["port 80 has no node port; allocate node ports, or use the Pod layer"]]);
  });
});

describe("the Service's own address", () => {
  test("is the one of the family, and its port the Service's", () => {
    const spec = { clusterIPs: ["10.96.0.1", "fd96::1"] };
    expect(found("ClusterIP", {}, spec).endpoints).toEqual(["10.96.0.1 80"]);
    expect(found("ClusterIP", {}, spec, 6).endpoints).toEqual(["fd96::1 80"]);
    expect(found("ClusterIP", {}, { clusterIP: "10.96.0.1" }).endpoints).toEqual(["10.96.0.1 80"]);
    expect(found("ClusterIP", {}, { clusterIP: "10.96.0.1" }, 6).endpoints).toEqual([]);
  });
});
