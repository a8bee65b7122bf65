// Commands judge by what they observe, so they must observe what the controller does: everything, also what only Nova or a bastion's
// status says.

import { expect, test } from "vitest";
import { machines, openStackMachines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { planOnce } from "../../../src/engine/round/plan-once.ts";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { frontDoorOf } from "../../../src/jobs/api-endpoint/commands/front-door-of.ts";
import { observeEndpointOnce } from "../../../src/jobs/api-endpoint/commands/observe-endpoint-once.ts";
import { readCluster } from "../../../src/jobs/api-endpoint/commands/read-cluster.ts";
import { openStackClusterFeature } from "../../../src/jobs/api-endpoint/controller/front-doors.ts";
import type { EndpointObserved } from "../../../src/jobs/api-endpoint/core/model/observed.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const ref = { name: "blue", namespace };

async function asTheController(world: EndpointWorld): Promise<EndpointObserved> {
  const feature = openStackClusterFeature({ openStack: world.lab.fake, claims: "annotated" });
  let seen: unknown;
  const plan: typeof feature.plan = (observed, nowMs) => {
    seen = observed;
    return feature.plan(observed, nowMs);
  };
  await planOnce({ ...feature, plan }, ref, { kube: world.kube, clock: world.clock, guard: (wanted) => wanted });
  const { kubeObject: _, ...observed } = seen as EndpointObserved & { readonly kubeObject: unknown };
  return observed;
}

async function asACommand(world: EndpointWorld): Promise<EndpointObserved> {
  const { kube, clock, lab } = world;
  const { facts: cluster, openStackCluster: object } = await readCluster(kube, ref);
  if (object === undefined) throw new Error("the cluster has no OpenStackCluster");
  return await observeEndpointOnce({
    door: frontDoorOf(object, "all"),
    object,
    cluster,
    kube,
    ports: { clock, openStack: lab.fake },
  });
}

async function whileTimePasses<T>({ clock }: EndpointWorld, work: Promise<T>): Promise<T> {
  const progress = { ended: false };
  const settled = work.finally(() => {
    progress.ended = true;
  });
  while (!progress.ended) await clock.advance(10);
  return await settled;
}

function withoutTimes(observed: EndpointObserved): object {
  const { balancers } = observed;
  const trees = balancers.known ? balancers.value.map((one) => ({ ...one, treeAskedMs: 0 })) : [];
  return { ...observed, cloudNowMs: 0, monotonicMs: 0, balancers: { ...balancers, value: trees } };
}

test("a zone that only Nova has, a machine that only Nova can place and a bastion are seen by both", async () => {
  const world = new EndpointWorld({ cloud: { services: ["keystone", "neutron", "octavia", "nova"] } });
  await world.furnish();
  const { manager } = world.work();
  const apiServerLoadBalancer = { ...world.zones(["az1", "az2"]), allowedCIDRs: ["192.0.2.0/24"] };
  const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
  await world.cluster("blue", { spec: { controlPlaneEndpoint, apiServerLoadBalancer } });
  const labels = { "cluster.x-k8s.io/cluster-name": "blue", "cluster.x-k8s.io/control-plane": "" };
  const status = { addresses: [{ type: "InternalIP", address: "10.0.1.77" }], instanceID: world.lab.server?.id };
  await world.put(openStackMachines, "adrift", {}, { labels, status });
  const infrastructureRef = { kind: "OpenStackMachine", name: "adrift" };
  await world.put(machines, "adrift", { clusterName: "blue", infrastructureRef }, { labels });
  const body = { status: { bastion: { ip: "10.0.1.200", floatingIP: "203.0.113.200" } } };
  await world.kube.patch(openStackClusters, ref, { type: "merge", body }, { subresource: "status" });
  await world.clock.advance(120_000);
  await manager.stop();

  const controllers = await whileTimePasses(world, asTheController(world));
  const commands = await whileTimePasses(world, asACommand(world));
  // They looked one after the other.
  expect(withoutTimes(commands)).toEqual(withoutTimes(controllers));
  expect(commands.computeZones).toEqual({ known: true, value: ["az1", "az2", "az3"] });
  expect(commands.places).toMatchObject({ value: { bastionAddresses: ["10.0.1.200", "203.0.113.200"] } });
  expect(commands.machines).toMatchObject([{ name: "adrift", zone: "az1" }]);
});
