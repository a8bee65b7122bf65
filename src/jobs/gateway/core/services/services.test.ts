import { describe, expect, test } from "vitest";
import { backendLayers, type GatewayPool, type GatewayPoolSpec } from "../../apis/gateway-pool.ts";
import type { Service } from "../../apis/kube-objects.ts";
import { fieldNotes, fieldSupportRows } from "./field-support.ts";
import { serviceAsk } from "./service-ask.ts";
import { serviceFinalizer, serviceStanding } from "./service-standing.ts";

const ours = "mainstay.dev";
const theirs = "cah-loadbalancer.k8s.cloudandheat.com";
type Annotations = Readonly<Record<string, string>>;

function service(spec: Service["spec"] = {}, annotations: Annotations = {}, metadata: object = {}): Service {
  const named = { name: "web", namespace: "shop", uid: "u", creationTimestamp: "2026-01-01T00:00:00Z" };
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { ...named, annotations, ...metadata },
    spec: { type: "LoadBalancer", ports: [{ port: 80 }], ...spec },
  };
}

function pool(name: string, spec: GatewayPoolSpec = {}, metadata: object = {}): GatewayPool {
  return { apiVersion: "mainstay.dev/v1alpha1", kind: "GatewayPool", metadata: { name, ...metadata }, spec };
}

const only = [pool("public")];

describe("the table of events", () => {
  const flags = {
    "no flag": {},
    "our flag": { [`${ours}/managed`]: "true" },
    "the flag of ch-k8s-lbaas": { [`${theirs}/managed`]: "true" },
  };
  const records = {
    "no record": {},
    "our record": { [`${ours}/inbound-port`]: "p1" },
    "the record of ch-k8s-lbaas": { [`${theirs}/inbound-port`]: "p1" },
  };
  const manageable = {
    "a LoadBalancer": service(),
    "a ClusterIP": service({ type: "ClusterIP" }),
    "one of another class": service({ loadBalancerClass: "other.example/lb" }),
    "one that is being deleted": service({}, {}, { deletionTimestamp: "2026-01-02T00:00:00Z" }),
  };
  const expected = (flag: string, kind: string, record: string): string => {
    if (kind === "a LoadBalancer") return record === "no record" ? "map" : "remap";
    return flag !== "no flag" || record === "our record" ? "release" : "leave";
  };
  const cases = Object.keys(manageable).flatMap((kind) =>
    Object.keys(flags).flatMap((flag) => Object.keys(records).map((record) => ({ kind, flag, record }))),
  );

  test.each(cases)("$kind with $flag and $record", ({ kind, flag, record }) => {
    const base = manageable[kind as keyof typeof manageable];
    const annotations = { ...flags[flag as keyof typeof flags], ...records[record as keyof typeof records] };
    const standing = serviceStanding({ ...base, metadata: { ...base.metadata, annotations } }, only);
    expect(standing.kind === "serve" ? standing.operation : standing.kind).toBe(expected(flag, kind, record));
  });

  test.each([
    ["ours, before anything was taken", { [`${ours}/managed`]: "false" }, "leave"],
    ["theirs, before anything was taken", { [`${theirs}/managed`]: "false" }, "leave"],
    ["ours, over our own flag", { [`${ours}/managed`]: "false", [`${ours}/inbound-port`]: "p1" }, "release"],
    ["theirs, beside our flag", { [`${theirs}/managed`]: "false", [`${ours}/managed`]: "true" }, "release"],
    [
      "theirs, with a record that they left",
      { [`${theirs}/managed`]: "false", [`${theirs}/inbound-port`]: "p1" },
      "release",
    ],
    ["a word that is not false", { [`${theirs}/managed`]: "yes" }, "serve"],
  ] as const)("an opt-out: %s", (_, annotations, kind) => {
    expect(serviceStanding(service({}, annotations), only).kind).toBe(kind);
  });

  test("our finalizer alone makes it ours to release", () => {
    const metadata = { deletionTimestamp: "2026-01-02T00:00:00Z", finalizers: [serviceFinalizer] };
    expect(serviceStanding(service({}, {}, metadata), only).kind).toBe("release");
  });

  test("says why it is not served", () => {
    const said = (one: Service, pools = only) => {
      const standing = serviceStanding(one, pools);
      return standing.kind === "serve" ? "" : `${standing.why}: ${standing.message}`;
    };
    expect(said(service({ type: "NodePort" }))).toBe("NotALoadBalancer: its type is NodePort");
    expect(said(service({ loadBalancerClass: "x/y" }))).toBe("NoPoolForClass: no pool serves the class x/y");
    expect(said(service(), [])).toBe("NoPoolForClass: no pool serves Services without a class");
    expect(said(service(), [pool("a"), pool("b")])).toContain("SeveralPools: the pools a, b would all serve it");
  });
});

describe("the pool of a Service", () => {
  const plain = pool("plain");
  const classy = pool("classy", { loadBalancerClass: "example.com/lb" });
  const both = pool("both", { loadBalancerClass: "example.com/lb", isDefault: true });
  const going = pool("going", {}, { deletionTimestamp: "2026-01-02T00:00:00Z" });
  const chosen = (one: Service, pools: readonly GatewayPool[]) => {
    const standing = serviceStanding(one, pools);
    return standing.kind === "serve" ? standing.pool : standing.why;
  };
  const ofClass = service({ loadBalancerClass: "example.com/lb" });
  const inPool = (name: string) => service({}, { [`${ours}/pool`]: name, [`${ours}/managed`]: "true" });

  test.each([
    ["no class, one pool without", service(), [plain, classy], "plain"],
    ["no class, only a pool of a class", service(), [classy], "NoPoolForClass"],
    ["no class, the default one before others", service(), [plain, both], "both"],
    ["no class, two pools alike", service(), [plain, pool("other")], "SeveralPools"],
    ["no class, two defaults", service(), [both, pool("other", { isDefault: true })], "SeveralPools"],
    ["a class, its pool", ofClass, [plain, classy], "classy"],
    ["a class, two pools, one is default", ofClass, [both, classy], "both"],
    [
      "a class, two pools alike",
      ofClass,
      [classy, pool("other", { loadBalancerClass: "example.com/lb" })],
      "SeveralPools",
    ],
    ["the pool that serves it, whatever became default", inPool("plain"), [plain, both], "plain"],
    ["the pool that it names among several", inPool("other"), [plain, pool("other")], "other"],
    ["a pool that it names and that does not fit", inPool("classy"), [plain, classy], "plain"],
    ["a pool that is being deleted", service(), [going], "NoPoolForClass"],
    ["another, when its own is being deleted", inPool("going"), [going, plain], "plain"],
  ] as const)("%s", (_, one, pools, expected) => {
    expect(chosen(one, pools)).toBe(expected);
    expect(chosen(one, pools.toReversed())).toBe(expected);
  });

  test("that it leaves is named", () => {
    expect(serviceStanding(inPool("going"), [going, plain])).toMatchObject({ pool: "plain", movesFrom: "going" });
  });
});

describe("what a Service asks for", () => {
  const claimOf = (spec?: Service["spec"], annotations?: Annotations) => serviceAsk(service(spec, annotations)).claim;

  test("is its ports, each with its protocol", () => {
    const ports = [
      { port: 53, protocol: "UDP", name: "dns", nodePort: 30053 },
      { port: 80 },
      { port: 9, protocol: "SCTP" },
    ];
    expect(serviceAsk(service({ ports })).ports).toEqual([
      { protocol: "UDP", port: 53, name: "dns", nodePort: 30053 },
      { protocol: "TCP", port: 80, name: "", nodePort: 0 },
      { protocol: "SCTP", port: 9, name: "", nodePort: 0 },
    ]);
    const odd = serviceAsk(service({ ports: [{ port: 1, protocol: "DCCP" }] }));
    expect([odd.ports, odd.warnings]).toEqual([[], ["the protocol DCCP of port 1 is not known; the port is left out"]]);
  });

  test.each([
    [{}, [4], true],
    [{ ipFamilies: ["IPv6"] }, [6], true],
    [{ ipFamilies: ["IPv6", "IPv4"], ipFamilyPolicy: "RequireDualStack" }, [6, 4], true],
    [{ ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "PreferDualStack" }, [4, 6], false],
    [{ clusterIPs: ["fd00::1"] }, [6], true],
  ])("is its families: %j", (spec, families, needsAll) => {
    expect(claimOf(spec)).toMatchObject({ families, needsAllFamilies: needsAll });
  });

  test.each([
    [{ loadBalancerIP: "192.0.2.7" }, {}, ["192.0.2.7"], 0],
    [
      { loadBalancerIP: "192.0.2.7" },
      { [`${ours}/addresses`]: "192.0.2.8, 2001:DB8::0" },
      ["192.0.2.8", "2001:db8::"],
      0,
    ],
    [{}, { [`${ours}/addresses`]: "192.0.2.8,192.0.2.9" }, ["192.0.2.8"], 1],
    [{ loadBalancerIP: "lb.example.com" }, {}, [], 1],
  ])("is an address: %j %j", (spec, annotations, requested, warnings) => {
    const ask = serviceAsk(service(spec, annotations));
    expect([ask.claim.requested, ask.warnings.length]).toEqual([requested, warnings]);
  });

  test("is who may connect, in the field or the annotation from before there was one", () => {
    const annotation = "service.beta.kubernetes.io/load-balancer-source-ranges";
    const sources = (spec: Service["spec"], annotations: Annotations = {}) =>
      serviceAsk(service(spec, annotations)).allowedSources;
    expect(sources({})).toBeUndefined();
    expect(sources({}, { [annotation]: "" })).toBeUndefined();
    expect(sources({}, { [annotation]: "10.0.0.1/8, 2001:db8::/32" })).toEqual({
      4: ["10.0.0.0/8"],
      6: ["2001:db8::/32"],
    });
    expect(sources({ loadBalancerSourceRanges: [" 192.0.2.0/24"] }, { [annotation]: "10.0.0.0/8" })).toEqual({
      4: ["192.0.2.0/24"],
      6: [],
    });
    const bad = serviceAsk(service({ loadBalancerSourceRanges: ["everybody"] }));
    expect([bad.allowedSources, bad.warnings.length]).toEqual([{ 4: [], 6: [] }, 1]);
  });

  test("is how: affinity, sharing, local endpoints, endpoints that are not ready", () => {
    const spec = { sessionAffinity: "ClientIP", externalTrafficPolicy: "Local", publishNotReadyAddresses: true };
    const annotations = { [`${ours}/sharing-key`]: "k", [`${ours}/dedicated-address`]: "true" };
    const ask = serviceAsk(service(spec, annotations));
    expect(ask).toMatchObject({ affinity: "client", isLocal: true, publishesNotReady: true });
    expect(ask.claim).toMatchObject({ sharingKey: "k", isDedicated: true });
    expect(serviceAsk(service())).toMatchObject({ affinity: "none", isLocal: false, publishesNotReady: false });
  });

  test("is what was recorded, ours before theirs, and what clients were shown", () => {
    const annotations = {
      [`${theirs}/inbound-port`]: "theirs",
      [`${ours}/inbound-port-secondary`]: "second",
      [`${ours}/ingress`]: "192.0.2.1",
    };
    const shown = { loadBalancer: { ingress: [{ ip: "192.0.2.2" }, { hostname: "lb.example.com" }] } };
    const { claim } = serviceAsk({ ...service({}, annotations), status: shown });
    expect([claim.recorded, claim.published]).toEqual([
      ["theirs", "second"],
      ["192.0.2.1", "192.0.2.2"],
    ]);
    expect(claimOf({}, { ...annotations, [`${ours}/inbound-port`]: "ours" }).recorded).toEqual(["ours", "second"]);
  });
});

describe("fields of a Service by backend layer", () => {
  const noted = (spec: Service["spec"]) =>
    Object.fromEntries(
      backendLayers.map((layer) => [layer, fieldNotes(service(spec), layer).map((one) => one.verdict)]),
    );
  const allocated = [{ port: 80, nodePort: 30080 }];

  test.each([
    ["nothing special", {}, [], [], []],
    ["local endpoints", { externalTrafficPolicy: "Local" }, [], [], ["warned"]],
    ["affinity", { sessionAffinity: "ClientIP" }, [], ["warned"], ["warned"]],
    ["no node port", { ports: [{ port: 80 }] }, [], ["refused"], []],
    ["SCTP", { ports: [{ port: 80, nodePort: 1, protocol: "SCTP" }] }, ["warned"], ["warned"], ["warned"]],
    ["source ranges", { loadBalancerSourceRanges: ["10.0.0.0/8"] }, [], [], []],
    ["local clients", { internalTrafficPolicy: "Local" }, [], [], ["warned"]],
    ["affinity for a time", affinityFor(60), ["warned"], ["warned", "warned"], ["warned", "warned"]],
    ["affinity for the usual time", affinityFor(10_800), [], ["warned"], ["warned"]],
  ])("%s", (_, spec, pod, nodePort, clusterIp) => {
    expect(noted({ ports: allocated, ...spec })).toEqual({ Pod: pod, NodePort: nodePort, ClusterIP: clusterIp });
  });

  test("have a row each, with a reason in every layer", () => {
    const rows = fieldSupportRows();
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.flat().filter((cell) => cell === "" || cell.endsWith(": "))).toEqual([]);
    expect(new Set(rows.map(([field]) => field)).size).toBe(rows.length);
  });
});

function affinityFor(timeoutSeconds: number) {
  return { sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds } } };
}
