// The cluster blue in the demonstration: how it builds up, what each fault of the cloud does to it, and that it heals.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clusters, machines, openStackMachines } from "../../src/apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../src/apis/external-dns/dns-endpoint.ts";
import { namespaces, secrets } from "../../src/apis/kube/builtin-kinds.ts";
import { apiVersionOf, type KubeObject } from "../../src/apis/kube/kube-object.ts";
import { readStatus } from "../../src/cli/status/read-status.ts";
import { isKubeError } from "../../src/core/kube-error.ts";
import {
  type OpenStackCluster,
  openStackClusters,
} from "../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import {
  blue,
  blueCluster,
  blueOpenStackCluster,
  credentialsOf,
  mappingOf,
} from "../../src/jobs/api-endpoint/sim/demo/blue-cluster.ts";
import { startVirtualDemo, type VirtualDemo } from "./virtual-demo.ts";

let demo: VirtualDemo;
beforeEach(async () => {
  demo = await startVirtualDemo();
});
afterEach(() => demo.close());

const read = () => demo.kube.get(openStackClusters, blue);
const zonesOf = ({ status }: OpenStackCluster) =>
  Object.fromEntries(
    (status?.apiServerLoadBalancers ?? []).map(({ availabilityZone, ...rest }) => [availabilityZone, rest]),
  );
const healthByZone = async () =>
  Object.fromEntries(Object.entries(zonesOf(await read())).map(([zone, { health }]) => [zone, health]));
const records = async () => (await demo.kube.get(dnsEndpoints, blue)).spec?.endpoints?.[0]?.targets ?? [];
const balancers = () => demo.cloud.fake.cloud.tables.loadbalancers.all();
const blueHealth = async () => {
  const { objects } = await readStatus(demo.kube, demo.managers.insight().shown);
  return objects.find(({ id }) => id.name === blue.name)?.health;
};
const allWell = { az1: "Healthy", az2: "Healthy", az3: "Healthy" };
const machinesOf = async (cluster: string, namespace = "default") => {
  const { items } = await demo.kube.list(machines, { namespace });
  return items
    .filter(({ spec }) => spec?.clusterName === cluster)
    .map(({ metadata }) => metadata.name)
    .toSorted();
};
/** As people make one: a Cluster, and what it says of its infrastructure, with blue's credentials. */
const makeCluster = async (name: string, namespace: string) => {
  if (namespace !== blue.namespace) {
    const secret = credentialsOf(demo.cloud.cloudsYaml);
    await demo.kube.create<KubeObject>(secrets, { ...secret, metadata: { ...secret.metadata, namespace } });
  }
  const { metadata, spec } = blueOpenStackCluster;
  const infrastructureRef = { apiGroup: openStackClusters.group, kind: openStackClusters.kind, name };
  await demo.kube.create<KubeObject>(clusters, {
    ...blueCluster,
    metadata: { name, namespace },
    spec: { infrastructureRef },
  } as KubeObject);
  await demo.kube.create<KubeObject>(openStackClusters, {
    ...blueOpenStackCluster,
    metadata: { ...metadata, name, namespace, labels: {} },
    spec: {
      ...spec,
      controlPlaneEndpoint: { host: `api.${name}.${namespace}.example.com`, port: 6443 },
      apiServerLoadBalancer: {
        ...spec?.apiServerLoadBalancer,
        availabilityZoneSubnets: ["az1", "az2"].map(mappingOf),
      },
    },
  } as KubeObject);
};
const change = (spec: object) => demo.kube.patch(openStackClusters, blue, { type: "merge", body: { spec } });

test("three zones build up, each with its balancer, its address, its machine and its record", async () => {
  const found = await read();
  expect(found.status?.ready).toBe(true);
  expect(await healthByZone()).toEqual(allWell);
  expect(
    balancers()
      .map(({ availabilityZone }) => availabilityZone)
      .toSorted(),
  ).toEqual(["az1", "az2", "az3"]);
  const { items } = await demo.kube.list(machines);
  expect(items.map(({ spec }) => spec?.failureDomain).toSorted()).toEqual(["az1", "az2", "az3"]);
  const addresses = Object.values(zonesOf(found)).flatMap(({ ip }) => ip ?? []);
  expect(addresses).toHaveLength(3);
  expect([...(await records())].toSorted()).toEqual(addresses.toSorted());
  expect(await blueHealth()).toBe("healthy");
});

test("machines come one after another", async () => {
  const { items } = await demo.kube.list(machines);
  const born = items.map(({ metadata }) => metadata.creationTimestamp);
  expect(new Set(born).size).toBe(3);
});

describe("a fault", () => {
  test("zone-dark takes a zone out of the records, and it comes back when the zone does", async () => {
    const before = zonesOf(await read());
    demo.faults.start("zone-dark", { zone: 2, seconds: 60 });
    await demo.clock.advance(8_000);
    expect(await healthByZone()).toEqual({ ...allWell, az2: "Unhealthy" });
    expect(await blueHealth()).toBe("degraded");
    expect(await records()).toHaveLength(3);
    await demo.clock.advance(15_000);
    expect([...(await records())].toSorted()).toEqual([before["az1"]?.ip, before["az3"]?.ip].toSorted());
    await demo.clock.advance(45_000);
    expect(await healthByZone()).toEqual(allWell);
    expect(await records()).toHaveLength(3);
    expect(await blueHealth()).toBe("healthy");
    expect(Object.values(zonesOf(await read())).map(({ id }) => id)).toEqual(Object.values(before).map(({ id }) => id));
  });

  test("never takes the last records away, though every zone is dark", async () => {
    const before = await records();
    for (const zone of ["az1", "az3"]) demo.cloud.fake.faults.darkenZone(zone, "stuck");
    demo.faults.start("zone-dark", { zone: 2, seconds: 60 });
    await demo.clock.advance(40_000);
    expect(await healthByZone()).toEqual({ az1: "Unhealthy", az2: "Unhealthy", az3: "Unhealthy" });
    expect((await records()).length).toBeGreaterThan(0);
    for (const zone of ["az1", "az3"]) demo.cloud.fake.faults.lightenZone(zone);
    demo.faults.stop("zone-dark");
    await demo.clock.advance(30_000);
    expect(await records()).toEqual(before);
  });

  test("members-down leaves the balancer up and its zone without healthy members", async () => {
    demo.faults.start("members-down", { zone: 3, seconds: 40 });
    await demo.clock.advance(30_000);
    expect(await healthByZone()).toEqual({ ...allWell, az3: "Unhealthy" });
    expect(await records()).toHaveLength(2);
    await demo.clock.advance(20_000);
    expect(await healthByZone()).toEqual(allWell);
    expect(await records()).toHaveLength(3);
  });

  test.each([
    ["balancer-error", 300],
    ["balancer-deleted", 30],
  ])("%s is repaired, and the addresses stay", async (fault, seconds) => {
    const before = zonesOf(await read());
    demo.faults.start(fault, { zone: 1, seconds });
    await demo.clock.advance(90_000);
    const after = zonesOf(await read());
    expect(await healthByZone()).toEqual(allWell);
    expect([after["az1"]?.ip, after["az1"]?.internalIP]).toEqual([before["az1"]?.ip, before["az1"]?.internalIP]);
    expect(balancers().map(({ provisioningStatus }) => provisioningStatus)).toEqual(["ACTIVE", "ACTIVE", "ACTIVE"]);
    expect(demo.cloud.fake.cloud.tables.floatingips.all()).toHaveLength(3);
    expect(await blueHealth()).toBe("healthy");
  });

  test.each([
    ["cloud-slow", { seconds: 60, delay: 5 }],
    ["cloud-rate-limits", { seconds: 60, percent: 100 }],
    ["cloud-away", { seconds: 60 }],
  ])("%s changes neither balancers nor records, and is forgotten when it ends", async (fault, parameters) => {
    const [before, published] = [zonesOf(await read()), await records()];
    demo.faults.start(fault, parameters);
    await demo.clock.advance(50_000);
    expect(await records()).toEqual(published);
    demo.faults.stop(fault);
    await demo.clock.advance(90_000);
    expect(await healthByZone()).toEqual(allWell);
    expect(Object.values(zonesOf(await read())).map(({ id }) => id)).toEqual(Object.values(before).map(({ id }) => id));
    expect(await records()).toEqual(published);
    expect(await blueHealth()).toBe("healthy");
  });

  test("a deleted balancer is seen being built for as long as the fault lasts", async () => {
    demo.faults.start("balancer-deleted", { zone: 1, seconds: 300 });
    await demo.clock.advance(120_000);
    expect(balancers().map(({ provisioningStatus }) => provisioningStatus)).toContain("PENDING_CREATE");
    expect(await records()).toHaveLength(2);
    demo.faults.stop("balancer-deleted");
    await demo.clock.advance(60_000);
    expect(await healthByZone()).toEqual(allWell);
  });

  test("cloud-away is said: nobody knows", async () => {
    demo.faults.start("cloud-away", { seconds: 60 });
    await demo.clock.advance(20_000);
    expect(await blueHealth()).toBe("unknown");
    expect(demo.faults.list().find(({ id }) => id === "cloud-away")?.active?.says).toMatch(
      /^\d+ calls found no cloud$/,
    );
  });
});

describe("people", () => {
  test("add a zone and get a balancer and a machine there", async () => {
    await change({ apiServerLoadBalancer: { availabilityZoneSubnets: ["az1", "az2", "az3", "az4"].map(mappingOf) } });
    await demo.clock.advance(30_000);
    expect(await healthByZone()).toEqual({ ...allWell, az4: "Healthy" });
    expect(await records()).toHaveLength(4);
  });

  test("let every zone reach every machine, and open another port", async () => {
    await change({ apiServerLoadBalancer: { allowCrossAZLoadBalancerMembers: true, additionalPorts: [9345] } });
    await demo.clock.advance(40_000);
    expect(Object.values(zonesOf(await read())).map(({ members }) => members)).toEqual(
      Array.from({ length: 3 }, () => ({ total: 3, healthy: 3 })),
    );
    const ports = demo.cloud.fake.cloud.tables.listeners.all().map(({ port }) => port);
    expect(ports.toSorted((a, b) => a - b)).toEqual([6443, 6443, 6443, 9345, 9345, 9345]);
  });

  test("are refused what cannot be, with the reason", async () => {
    const refused = await change({
      controlPlaneEndpoint: { host: "203.0.113.9" },
    }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(isKubeError(refused, "Invalid", "Forbidden")).toBe(true);
  });

  test("delete a machine, and another one comes in its place", async () => {
    const [first] = (await demo.kube.list(machines)).items;
    const ref = { name: first?.metadata.name ?? "", namespace: blue.namespace };
    await demo.kube.delete(machines, ref);
    await demo.clock.advance(30_000);
    expect((await demo.kube.get(machines, ref)).metadata.uid).not.toBe(first?.metadata.uid);
    expect(await healthByZone()).toEqual(allWell);
  });

  test("take a zone away, and its machine stays until somebody deletes it", async () => {
    await change({ apiServerLoadBalancer: { availabilityZoneSubnets: ["az1", "az2"].map(mappingOf) } });
    await demo.clock.advance(60_000);
    expect(await healthByZone()).toEqual({ az1: "Healthy", az2: "Healthy" });
    expect(await machinesOf("blue")).toEqual(["blue-az1", "blue-az2", "blue-az3"]);
    await demo.kube.delete(machines, { name: "blue-az3", namespace: blue.namespace });
    await demo.clock.advance(30_000);
    expect(await machinesOf("blue")).toEqual(["blue-az1", "blue-az2"]);
  });

  test("make a second cluster beside it, which gets machines of its own, and a deleted one back", async () => {
    await makeCluster("green", "default");
    await demo.clock.advance(40_000);
    expect(await machinesOf("green")).toEqual(["green-az1", "green-az2"]);
    expect((await demo.kube.get(openStackClusters, { ...blue, name: "green" })).status?.ready).toBe(true);
    for (const name of ["blue-az1", "green-az2"]) await demo.kube.delete(machines, { name, namespace: "default" });
    await demo.clock.advance(15_000);
    expect(await machinesOf("green")).toEqual(["green-az1", "green-az2"]);
    expect(await machinesOf("blue")).toEqual(["blue-az1", "blue-az2", "blue-az3"]);
    expect(await healthByZone()).toEqual(allWell);
  });

  test("make a cluster of the same name in another namespace, and each keeps its machines and addresses", async () => {
    await demo.kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } });
    await makeCluster("blue", "other");
    await demo.clock.advance(40_000);
    expect(await machinesOf("blue", "other")).toEqual(["blue-az1", "blue-az2"]);
    expect(await machinesOf("blue")).toEqual(["blue-az1", "blue-az2", "blue-az3"]);
    const { items } = await demo.kube.list(openStackMachines);
    const addresses = items.map(({ status }) => status?.addresses?.[0]?.address);
    expect(new Set(addresses).size).toBe(5);
    await demo.kube.delete(clusters, { name: "blue", namespace: "other" });
    await demo.clock.advance(60_000);
    expect(await machinesOf("blue", "other")).toEqual([]);
    expect(await healthByZone()).toEqual(allWell);
  });

  test("make a cluster whose machines cannot be made, and the others get theirs", async () => {
    // Nobody may make a second Machine of this name: the stand-in is refused each time it tries.
    await demo.kube.create<KubeObject>(machines, {
      apiVersion: apiVersionOf(machines),
      kind: machines.kind,
      metadata: { name: "amber-az1", namespace: "default" },
      spec: { clusterName: "somebody-else" },
    } as KubeObject);
    await makeCluster("amber", "default");
    await demo.clock.advance(20_000);
    const ref = { name: "blue-az2", namespace: "default" };
    const { uid } = (await demo.kube.get(machines, ref)).metadata;
    await demo.kube.delete(machines, ref);
    await demo.clock.advance(20_000);
    expect((await demo.kube.get(machines, ref)).metadata.uid).not.toBe(uid);
    expect(await healthByZone()).toEqual(allWell);
  });

  test("delete the cluster, and nothing is left in the cloud", async () => {
    await demo.kube.delete(clusters, blue);
    await demo.clock.advance(90_000);
    const { loadbalancers, floatingips, listeners, pools, members, ports } = demo.cloud.fake.cloud.tables;
    for (const table of [loadbalancers, floatingips, listeners, pools, members]) expect(table.all()).toEqual([]);
    const owners = ports.all().map(({ deviceOwner }) => deviceOwner);
    expect(owners.filter((owner) => owner !== "network:router_interface")).toEqual([]);
    expect((await demo.kube.list(clusters)).items).toEqual([]);
    expect((await demo.kube.list(openStackClusters)).items).toEqual([]);
    expect((await demo.kube.list(dnsEndpoints)).items).toEqual([]);
  });
});
