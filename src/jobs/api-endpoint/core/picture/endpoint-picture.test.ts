import { describe, expect, test } from "vitest";
import { machines } from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../../../apis/external-dns/dns-endpoint.ts";
import type { KubeObject } from "../../../../apis/kube/kube-object.ts";
import { byText } from "../../../../core/by-text.ts";
import type { Picture } from "../../../../core/views/picture.ts";
import type { LoadBalancerStatus } from "../../apis/load-balancer/api-server-load-balancer.ts";
import { zoneParts } from "../status/zone-parts.ts";
import { endpointPicture } from "./endpoint-picture.ts";

const zones = ["az1", "az2", "az3"];
const host = "api.blue.example.com";
const ipOf = (zone: string) => `203.0.113.1${zone.slice(2)}`;

function balancer(zone: string, over: Partial<LoadBalancerStatus> = {}) {
  return {
    availabilityZone: zone,
    id: `lb-${zone}`,
    ip: ipOf(zone),
    provisioningStatus: "ACTIVE",
    operatingStatus: "ONLINE",
    health: "Healthy",
    members: { total: 1, healthy: 1 },
    dns: { addresses: [ipOf(zone)] },
    ...over,
  } as const;
}
const cluster = (entries: readonly object[], { spec = {}, status = {} } = {}): KubeObject =>
  ({
    apiVersion: "v1",
    kind: "OpenStackCluster",
    metadata: { name: "blue", namespace: "default", uid: "blue" },
    spec: { controlPlaneEndpoint: { host, port: 6443 }, ...spec },
    status: { apiServerLoadBalancers: entries, ...status },
  }) as KubeObject;
const machine = (zone: string, metadata = {}) => ({
  kind: machines,
  object: {
    apiVersion: "v1",
    kind: "Machine",
    metadata: { name: `blue-${zone}`, labels: { "cluster.x-k8s.io/control-plane": "" }, ...metadata },
    spec: { failureDomain: zone, infrastructureRef: { name: `blue-${zone}` } },
  } as KubeObject,
});
const records = (targets: readonly string[], uid = "blue") => ({
  kind: dnsEndpoints,
  object: {
    apiVersion: "v1",
    kind: "DNSEndpoint",
    metadata: { name: "blue", ownerReferences: [{ uid }] },
    spec: { endpoints: [{ dnsName: host, recordType: "A", targets }] },
  } as unknown as KubeObject,
});
const allMachines = zones.map((zone) => machine(zone));
const lostNow = { since: "2026-01-01T10:00:00.000Z", because: "Gone" } as const;
const pictureOf = (object: KubeObject, related: Parameters<typeof endpointPicture>[0]["related"] = allMachines) =>
  endpointPicture({ object, related }) as Picture;

/** Each thing in one line: name, health, word. */
const nodesOf = ({ columns }: Picture) =>
  columns.map(({ title, nodes }) => [title, ...nodes.map(({ name, health, word }) => `${name} ${health}: ${word}`)]);
const broken = ({ edges }: Picture) =>
  edges.filter(({ state }) => state === "broken").map(({ from, to }) => `${from} > ${to}`);
const closed = ({ edges }: Picture) =>
  edges.filter(({ state }) => state === "closed").map(({ from, to }) => `${from} > ${to}`);

describe("the picture of an API endpoint", () => {
  test("leads from the name over addresses and balancers to machines, zone beside zone", () => {
    const picture = pictureOf(cluster(zones.map((zone) => balancer(zone))));
    expect(picture.reach).toEqual({ health: "healthy", words: "The API answers through az1, az2 and az3." });
    expect(nodesOf(picture)).toEqual([
      ["DNS name", "api.blue.example.com healthy: leads to 3 addresses"],
      ["Addresses", ...zones.map((zone) => `${ipOf(zone)} healthy: in the DNS records`)],
      ["Load balancers", ...zones.map((zone) => `${zone} healthy: serves`)],
      ["Machines", ...zones.map((zone) => `blue-${zone} healthy: answers`)],
    ]);
    expect(new Set(picture.edges.map(({ state }) => state))).toEqual(new Set(["open"]));
    expect(picture.edges).toHaveLength(9);
  });

  test("marks where a dark zone breaks, and that nobody is sent there any more", () => {
    const dark = {
      operatingStatus: "ERROR",
      health: "Unhealthy",
      members: { total: 1, healthy: 0, down: ["blue-az2"] },
    } as const;
    const before = pictureOf(cluster([balancer("az1"), balancer("az2", dark), balancer("az3")]));
    const words = "The API answers through az1 and az3, not through az2.";
    // Its address is still in the DNS records: a third of the clients is sent there.
    expect(before.reach).toEqual({ health: "degraded", words });
    expect(broken(before)).toEqual(["balancer az2 > machine blue-az2"]);
    expect(closed(before)).toEqual([]);
    const after = pictureOf(
      cluster([balancer("az1"), balancer("az2", { ...dark, dns: { addresses: [] } }), balancer("az3")]),
    );
    expect(closed(after)).toEqual(["name > address az2"]);
    expect(nodesOf(after).map((column) => column.find((line) => /az2|113.12/.test(line)))).toEqual([
      undefined,
      "203.0.113.12 unhealthy: left out of DNS",
      "az2 unhealthy: 0 of 1 machine answers",
      "blue-az2 unhealthy: does not answer",
    ]);
    expect(nodesOf(after)[0]).toEqual(["DNS name", "api.blue.example.com healthy: leads to 2 addresses"]);
  });

  test("with cross-zone members shows whom the other zones lost, and that they still serve", () => {
    const lost = { members: { total: 3, healthy: 2, down: ["blue-az2"] } } as const;
    const degraded = { ...lost, operatingStatus: "DEGRADED", health: "Degraded" } as const;
    const dark = { ...lost, operatingStatus: "ERROR", health: "Unhealthy", dns: { addresses: [] } } as const;
    const spec = { apiServerLoadBalancer: { allowCrossAZLoadBalancerMembers: true }, controlPlaneEndpoint: { host } };
    const picture = pictureOf(
      cluster([balancer("az1", degraded), balancer("az2", dark), balancer("az3", degraded)], { spec }),
    );
    expect(picture.reach).toEqual({
      health: "healthy",
      words: "The API answers through az1 and az3, not through az2.",
    });
    expect(nodesOf(picture).slice(2)).toEqual([
      [
        "Load balancers",
        "az1 healthy: 2 of 3 machines answer",
        "az2 unhealthy: does not serve",
        "az3 healthy: 2 of 3 machines answer",
      ],
      ["Machines", "blue-az1 healthy: answers", "blue-az2 unhealthy: does not answer", "blue-az3 healthy: answers"],
    ]);
    expect(broken(picture)).toEqual([
      "address az2 > balancer az2",
      ...zones.map((zone) => `balancer ${zone} > machine blue-az2`),
    ]);
    expect(picture.edges.filter(({ to }) => to === "machine blue-az1")).toHaveLength(3);
  });

  test.each([
    [
      "in ERROR",
      "degraded",
      { provisioningStatus: "ERROR", operatingStatus: "ERROR", health: "Unknown", probe: "Failed" },
    ],
    ["is being built", "progressing", { provisioningStatus: "PENDING_CREATE", health: "Empty", members: { total: 0 } }],
    ["is being made", "progressing", { id: "", provisioningStatus: undefined, health: "Empty", ipDetached: true }],
    [
      "is being made again",
      "unhealthy",
      { provisioningStatus: "PENDING_CREATE", health: "Unhealthy", members: { total: 0 }, repair: lostNow },
    ],
    ["is being made again", "unhealthy", { id: "", health: "Unhealthy", members: { total: 0 }, repair: lostNow }],
    ["does not answer", "unhealthy", { probe: "Failed", operatingStatus: "ERROR", health: "Unhealthy" }],
  ] as const)("breaks at a balancer that is rebuilt: %s", (word, health, over) => {
    const rebuilt = balancer("az2", { ...over, dns: { addresses: [] } } as Partial<LoadBalancerStatus>);
    const picture = pictureOf(cluster([balancer("az1"), rebuilt, balancer("az3")]));
    expect(nodesOf(picture)[2]).toContain(`az2 ${health}: ${word}`);
    expect(broken(picture)).toContain("address az2 > balancer az2");
    expect(picture.reach.words).toBe("The API answers through az1 and az3, not through az2.");
  });

  test("of a balancer that is made again: since when, its id, and that its machine waits and is not missing", () => {
    const over = { provisioningStatus: "PENDING_CREATE", health: "Unhealthy", members: { total: 0 }, repair: lostNow };
    const picture = pictureOf(cluster([balancer("az1"), balancer("az2", over as Partial<LoadBalancerStatus>)]));
    const node = picture.columns[2]?.nodes[1];
    expect(node).toMatchObject({ note: "gone since 10:00:00Z", ident: "id lb-az2" });
    expect(nodesOf(picture)[3]).toContain("blue-az2 progressing: waits for its balancer");
    expect(broken(picture)).toEqual(["address az2 > balancer az2", "balancer az2 > machine blue-az2"]);
  });

  test("says why Octavia calls a balancer ERROR that is complete, and names it for commands", () => {
    const dark = { operatingStatus: "ERROR", health: "Unhealthy", members: { total: 1, healthy: 0 } } as const;
    const [serving, node] = pictureOf(cluster([balancer("az1"), balancer("az2", dark)])).columns[2]?.nodes ?? [];
    expect(node).toMatchObject({ note: "ACTIVE, ERROR because no machine answers", ident: "id lb-az2" });
    expect(serving).not.toHaveProperty("ident");
  });

  test("does not know whether clients come through a balancer in ERROR, and says so", () => {
    const inError = { provisioningStatus: "ERROR", operatingStatus: "ERROR", health: "Unknown" } as const;
    const one = pictureOf(cluster([balancer("az1"), balancer("az2", inError), balancer("az3")]));
    expect(one.reach.words).toBe("The API answers through az1 and az3, az2 is in ERROR and may still serve.");
    expect(nodesOf(one)[2]).toContain("az2 degraded: in ERROR, may still serve");
    expect(broken(one)).toEqual([]);
    const all = pictureOf(cluster(zones.map((zone) => balancer(zone, inError))));
    expect(all.reach).toEqual({
      health: "unknown",
      words: "Whether the API answers is not known: az1, az2 and az3 are in ERROR and may still serve.",
    });
    const left = pictureOf(cluster([balancer("az1"), balancer("az2", { ...inError, dns: { addresses: [] } })]));
    expect(left.reach.words).toBe("The API answers through az1, az2 is in ERROR and not in DNS.");
    expect(nodesOf(left)[2]).toContain("az2 degraded: in ERROR, may still serve, but is not in DNS");
  });

  test("says of a zone that leaves, in headline and picture alike, that it serves and nobody is sent there", () => {
    const leaving = pictureOf(cluster([balancer("az1"), balancer("az2", { dns: { addresses: [] } })]));
    expect(leaving.reach.words).toBe("The API answers through az1, az2 serves, but is not in DNS.");
    expect(nodesOf(leaving)[2]).toContain("az2 healthy: serves, but is not in DNS");
    const all = pictureOf(cluster([balancer("az2", { dns: { addresses: [] } })]));
    expect(all.reach.words).toBe("Nobody reaches the API: az2 serves, but is not in DNS.");
  });

  test("does not say of a zone that is refused that its balancer is being made, and neither does the table", () => {
    const none = { id: undefined, ip: undefined, health: "Empty", members: { total: 0 } };
    const conditions = [{ type: "NetworkReady", status: "False" }];
    const object = cluster([balancer("az1"), { ...balancer("az7"), ...none }], { status: { conditions } });
    expect(nodesOf(pictureOf(object))[2]).toContain("az7 refused: does not exist, refused");
    expect(zoneParts(object)?.table.rows.map(({ name, health }) => `${name} ${health}`)).toEqual([
      "az1 healthy",
      "az7 refused",
    ]);
  });

  test("counts the machines behind a balancer in ERROR as the table does, which says that it stays", () => {
    const inError = { provisioningStatus: "ERROR", operatingStatus: "ERROR", health: "Unknown" } as const;
    const object = cluster([balancer("az1", { ...inError, dns: { addresses: [] } }), balancer("az2")], {
      spec: { apiServerLoadBalancer: { availabilityZoneSubnets: [{ availabilityZone: "az1" }] } },
      status: { leavingLoadBalancers: [{ id: "lb-az1", name: "k8s-az1", since: "2026-01-01T00:00:00Z" }] },
    });
    expect(nodesOf(pictureOf(object))[3]).toContain("blue-az1 healthy: answers");
    const parts = zoneParts(object);
    expect(parts?.table.rows[0]?.cells.map(({ text }) => text)).toEqual([
      "1 of 1 answers",
      ipOf("az1"),
      "ERROR, out of DNS",
      "left out",
    ]);
    expect(parts?.underWay).toBeUndefined();
  });

  test("says while the cloud is away that nobody knows, what was known last, and that the records stay", () => {
    const unseen = { provisioningStatus: undefined, operatingStatus: undefined, members: undefined, health: "Unknown" };
    const status = { lastKnownConditions: [{ type: "Ready", status: "True", message: "" }] };
    const entries = zones.map((zone) => balancer(zone, unseen as unknown as Partial<LoadBalancerStatus>));
    const picture = pictureOf(cluster(entries, { status }));
    expect(picture.reach).toEqual({
      health: "unknown",
      words:
        "Whether the API answers is not known: az1, az2 and az3 could not be seen. Load balancers normally go on serving without Mainstay and without the cloud's API. When last seen, the API could be reached.",
    });
    expect(nodesOf(picture)[2]).toContain("az1 unknown: could not be seen");
    expect(nodesOf(picture)[3]).toContain("blue-az1 unknown: could not be seen");
    expect(broken(picture)).toEqual([]);
    const probed = entries.map((entry) => ({ ...entry, probe: "Answered" }));
    expect(pictureOf(cluster(probed)).reach.words).toBe("The API answers through az1, az2 and az3.");
  });

  test("says when nobody gets through, and at the beginning that nobody does yet", () => {
    const down = { health: "Unhealthy", operatingStatus: "ERROR", members: { total: 1, healthy: 0 } } as const;
    expect(pictureOf(cluster([balancer("az1", down), balancer("az2", down)])).reach).toEqual({
      health: "unhealthy",
      words: "Nobody reaches the API: it does not answer through az1 or az2.",
    });
    const none = {
      id: undefined,
      ip: undefined,
      health: "Empty",
      members: { total: 0 },
    } as unknown as Partial<LoadBalancerStatus>;
    const picture = pictureOf(cluster([balancer("az1", none)]), []);
    expect(picture.reach).toEqual({
      health: "progressing",
      words: "The API does not answer yet: no load balancer serves.",
    });
    expect(picture.columns.map(({ title }) => title)).toEqual(["DNS name", "Addresses", "Load balancers"]);
    expect(endpointPicture({ object: cluster([]), related: [] })).toBeUndefined();
  });

  test("believes the records that are published, and shows those that lead to no balancer", () => {
    const object = cluster(zones.map((zone) => balancer(zone)));
    const picture = pictureOf(object, [...allMachines, records([ipOf("az1"), "198.51.100.7"])]);
    expect(closed(picture)).toEqual(["name > address az2", "name > address az3"]);
    expect(broken(picture)).toEqual(["name > stray 198.51.100.7"]);
    expect(nodesOf(picture)[0]).toEqual(["DNS name", "api.blue.example.com degraded: leads to 2 addresses"]);
    expect(closed(pictureOf(object, [records([], "somebody else")]))).toEqual([]);
  });

  test("does not claim to know records that are not Mainstay's, and follows an endpoint that is an address", () => {
    const entries = [balancer("az1", { dns: undefined } as unknown as Partial<LoadBalancerStatus>)];
    expect(nodesOf(pictureOf(cluster(entries)))[0]).toEqual([
      "DNS name",
      "api.blue.example.com unknown: its records are not Mainstay's",
    ]);
    const spec = { controlPlaneEndpoint: { host: ipOf("az1"), port: 443 } };
    expect(nodesOf(pictureOf(cluster(entries, { spec })))[0]).toEqual([
      "Endpoint",
      `${ipOf("az1")} healthy: leads to 1 address`,
    ]);
  });

  test("leaves machines out that are no control plane, and says which are about to go or behind no balancer", () => {
    const worker = machine("az1", { name: "worker", labels: {} });
    const leaving = machine("az1", { name: "old", deletionTimestamp: "2026-01-01T00:00:00Z" });
    const elsewhere = machine("az9", { name: "far" });
    const picture = pictureOf(cluster([balancer("az1")]), [worker, leaving, elsewhere, machine("az1")]);
    expect(
      nodesOf(picture)[3]
        ?.slice(1)
        .toSorted(byText((line) => line)),
    ).toEqual([
      "blue-az1 healthy: answers",
      "far progressing: behind no balancer yet",
      "old progressing: is being deleted",
    ]);
  });

  test("shows one balancer without zones, and beside the zones what is kept or leaves", () => {
    const { availabilityZone: _, dns: _dns, ...single } = balancer("az1", { name: "k8s-blue" });
    const object = { ...cluster([]), status: { apiServerLoadBalancer: single } } as KubeObject;
    expect(pictureOf(object).reach.words).toBe("The API answers through k8s-blue.");
    const status = {
      apiServerLoadBalancer: { ...single, id: "old" },
      leavingLoadBalancers: [{ id: "older", name: "gone" }],
    };
    const picture = pictureOf(cluster([balancer("az1")], { status }));
    expect(picture.columns[2]?.nodes.map(({ name }) => name)).toEqual(["az1", "fall-back", "leaving"]);
    expect(picture.reach.words).toBe("The API answers through az1.");
  });

  test("is the same whatever order related objects come in", () => {
    const object = cluster(zones.map((zone) => balancer(zone)));
    expect(pictureOf(object, allMachines.toReversed())).toEqual(pictureOf(object));
  });
});
