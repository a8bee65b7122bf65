// Lives of a cluster in which every kind of action of the api-endpoint job happens at least once, told as what people and the cloud do;
// what came of it is looked at after each step.

import { clusters, machines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import { customResourceDefinitions, secrets } from "../../../src/apis/kube/builtin-kinds.ts";
import { publishDnsAnnotation, repairAnnotation } from "../../../src/jobs/api-endpoint/apis/annotations.ts";
import { apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import { addPort } from "../../../src/sim/fakes/openstack/cloud-setup.ts";
import { balancerNamed, floatingIps } from "../world/cloud-contents.ts";
import { cloudsYaml, type EndpointWorld, namespace, type WorldOptions } from "../world/endpoint-world.ts";

export interface History {
  readonly name: string;
  readonly options?: WorldOptions;
  readonly steps: readonly ((world: EndpointWorld) => Promise<void>)[];
}

const host = { controlPlaneEndpoint: { host: "api.blue.example.com", port: 6443 } };

/** Somebody changes something in the cloud. */
async function byHand(world: EndpointWorld, call: Promise<unknown>): Promise<void> {
  await world.clock.advance(6_000);
  await call;
}

const ports = (additionalPorts: readonly number[] | null) => (world: EndpointWorld) =>
  world.patch("blue", { spec: { apiServerLoadBalancer: { additionalPorts } } });

async function removeAll(world: EndpointWorld): Promise<void> {
  const { items } = await world.kube.list(machines, { namespace });
  for (const { metadata } of items) await world.kube.delete(machines, { name: metadata.name, namespace });
  await world.remove("blue");
}

const firstOf = <T>(rows: readonly T[]): T => {
  if (rows[0] === undefined) throw new Error("nothing there");
  return rows[0];
};

const oneBalancer: History = {
  name: "one balancer, its drifts and its end",
  steps: [
    async (world) => {
      await world.cluster("blue", { spec: { apiServerLoadBalancer: { enabled: true } } });
      await world.machine("blue", "az1");
    },
    ports([9345]),
    ports(null),
    async (world) => {
      const { octavia } = world.cloud;
      const { listeners, pools, healthmonitors } = world.lab.fake.cloud.tables;
      await byHand(world, octavia.updateListener(firstOf(listeners.all()).id, { connectionLimit: 1 }));
      await byHand(world, octavia.updatePool(firstOf(pools.all()).id, { name: "renamed" }));
      await byHand(world, octavia.updateHealthMonitor(firstOf(healthmonitors.all()).id, { delaySeconds: 42 }));
      await byHand(world, octavia.updateLoadBalancer(balancerNamed(world, "blue").id, { name: "renamed" }));
    },
    (world) => byHand(world, world.cloud.neutron.updateFloatingIp(firstOf(floatingIps(world)).id, { portId: null })),
    async (world) => {
      await world.machine("blue", "az2");
      await world.clock.advance(60_000);
      await world.kube.delete(machines, { name: "blue-az1", namespace });
    },
    async (world) => {
      await world.patch("blue", { metadata: { annotations: { [repairAnnotation]: "true" } } });
      world.lab.fake.faults.setStatus("loadbalancers", balancerNamed(world, "blue").id, { provisioning: "ERROR" });
    },
    removeAll,
  ],
};

const publishedZone: History = {
  name: "a zone whose record is published, and a port that Octavia leaves behind",
  steps: [
    async (world) => {
      await world.kube.create(customResourceDefinitions, openCrd(dnsEndpoints));
      await world.clock.advance(1_000);
      const spec = { ...host, apiServerLoadBalancer: world.zones(["az1"]) };
      await world.cluster("blue", { spec, annotations: { [publishDnsAnnotation]: "true" } });
      await world.machine("blue", "az1");
    },
    async (world) => {
      const { fake, networkId, projectId, subnetIds } = world.lab;
      const { id: balancerId, vipAddress: address } = balancerNamed(world, "az1");
      const { id } = firstOf(floatingIps(world));
      fake.onChange((changed) => {
        if (changed.id !== balancerId || changed.after !== undefined) return;
        const left = addPort(fake.cloud, { projectId, networkId, subnetId: subnetIds[0], address });
        fake.cloud.tables.floatingips.patch(id, { portId: left.id, fixedAddress: address });
      });
      await removeAll(world);
    },
  ],
};

const besideCapo: History = {
  name: "an APIEndpoint that opens CAPO's gate, whose Secret is replaced, and whose Cluster goes",
  steps: [
    async (world) => {
      const spec = { disableAPIServerFloatingIP: true, apiServerLoadBalancer: { enabled: false } };
      await world.cluster("blue", { spec });
      await world.patch("blue", { metadata: { annotations: { "cluster.x-k8s.io/managed-by": null } } });
      await world.kube.create(apiEndpoints, world.apiEndpoint("blue", { openGate: true }));
    },
    async (world) => {
      await world.kube.delete(secrets, { name: "cloud", namespace });
      await world.clock.advance(90_000);
      await world.putCredentials(cloudsYaml(world.lab));
    },
    async (world) => {
      const ref = { name: "blue", namespace };
      const body = { metadata: { finalizers: ["cluster.cluster.x-k8s.io"] } };
      await world.kube.patch(clusters, ref, { type: "merge", body });
      await world.kube.delete(clusters, ref);
    },
  ],
};

const lateOnOvn: History = {
  name: "a port that comes later on OVN",
  options: { cloud: { defaultProvider: "ovn" } },
  steps: [
    async (world) => {
      await world.cluster("blue", { spec: { ...host, apiServerLoadBalancer: world.zones(["az1"]) } });
      await world.machine("blue", "az1");
    },
    ports([9345]),
    removeAll,
  ],
};

const changedTags: History = {
  name: "tags that come with the object, change and go",
  steps: [
    async (world) => {
      await world.cluster("blue", { spec: { tags: ["red"], ...host, apiServerLoadBalancer: world.zones(["az1"]) } });
      await world.machine("blue", "az1");
    },
    (world) => world.patch("blue", { spec: { tags: ["green"] } }),
    (world) => world.patch("blue", { spec: { tags: null } }),
    removeAll,
  ],
};

export const histories: readonly History[] = [oneBalancer, publishedZone, besideCapo, lateOnOvn, changedTags];
