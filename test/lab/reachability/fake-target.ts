// The story's world in one process: fake API server, fake cloud, the real controllers, virtual time. Only sockets and names are real.

import { machines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { capoBalancer } from "../../api-endpoint/world/capo-balancer.ts";
import { balancerNamed } from "../../api-endpoint/world/cloud-contents.ts";
import { mainstay } from "../../api-endpoint/world/endpoint-commands.ts";
import { EndpointWorld, namespace } from "../../api-endpoint/world/endpoint-world.ts";
import type { CloudTarget, Ongoing } from "./cloud-target.ts";
import type { ServedBalancer } from "./forwarders.ts";

const cluster = "blue";
const roundMs = 500;
const publishEvery = 4;
/** Ten minutes of its time. */
const mostRounds = 1_200;

export async function openFakeTarget({
  legacySubnet = 0,
}: {
  readonly legacySubnet?: 0 | 1 | 2;
} = {}): Promise<CloudTarget> {
  const world = new EndpointWorld();
  await world.furnish();
  let working: ReturnType<EndpointWorld["work"]> | undefined;
  let going: Ongoing | undefined;
  let rounds = 0;
  const round = async () => {
    rounds += 1;
    await world.clock.advance(roundMs);
    await going?.follow();
    if (rounds % publishEvery === 0) await going?.publish();
    await going?.attempt();
  };
  return {
    async buildLegacyCluster(host) {
      const spec = { controlPlaneEndpoint: { host, port: 6443 }, apiServerLoadBalancer: { enabled: true } };
      await world.cluster(cluster, { spec });
      const address = await world.machine(cluster, "az1", "cp-1");
      const balancer = await capoBalancer(world, cluster, { members: { "cp-1": address }, subnet: legacySubnet });
      await recordAsCapo(world, balancer);
      working = world.work();
      return address;
    },
    addMachine: (name, zone) => world.machine(cluster, zone, name),
    async deleteMachine(name) {
      const body = { metadata: { finalizers: ["machine.cluster.x-k8s.io"] } };
      await world.kube.patch(machines, { name, namespace }, { type: "merge", body });
      await world.kube.delete(machines, { name, namespace });
    },
    async machineIsGone(name) {
      const body = { metadata: { finalizers: null } };
      await world.kube.patch(machines, { name, namespace }, { type: "merge", body });
    },
    patch: (apiServerLoadBalancer) => world.patch(cluster, { spec: { apiServerLoadBalancer } }),
    zones: (...zones) => world.zones(zones),
    setMemberDown: async (address, isDown) => world.lab.fake.faults.setMemberDown(address, isDown),
    async breakBalancer(zone) {
      const { id } = balancerNamed(world, `-${zone}-kubeapi`);
      world.lab.fake.faults.setStatus("loadbalancers", id, { provisioning: "ERROR" });
    },
    balancers: async () => servedBy(world),
    async records() {
      const { code, out } = await mainstay(world, ["dns", "records", `${namespace}/${cluster}`, "-o", "bind"]);
      return code === 0 ? out : undefined;
    },
    nowMs: () => world.clock.nowMs(),
    begin: (ongoing) => void (going = ongoing),
    async until(what, ask) {
      for (let tries = 0; tries < mostRounds; tries += 1) {
        if (await ask()) return;
        await round();
      }
      throw new Error(`${mostRounds} rounds in vain for ${what}`);
    },
    close: async () => await working?.manager.stop(),
  };
}

async function recordAsCapo(
  world: EndpointWorld,
  { id, vipAddress, floatingAddress }: Awaited<ReturnType<typeof capoBalancer>>,
): Promise<void> {
  const name = `k8s-clusterapi-cluster-${namespace}-${cluster}-kubeapi`;
  const status = { apiServerLoadBalancer: { name, id, ip: floatingAddress, internalIP: vipAddress } };
  const ref = { name: cluster, namespace };
  await world.kube.patch(openStackClusters, ref, { type: "merge", body: { status } }, { subresource: "status" });
}

function servedBy({ lab }: EndpointWorld): readonly ServedBalancer[] {
  const { loadbalancers, listeners, members, floatingips } = lab.fake.cloud.tables;
  return loadbalancers.all().flatMap(({ id, name, provisioningStatus, vipPortId }) => {
    const address = floatingips.all().find(({ portId }) => portId === vipPortId)?.address;
    if (address === undefined) return [];
    const runs = provisioningStatus === "ACTIVE" || provisioningStatus === "PENDING_UPDATE";
    const listener = listeners.all().find((one) => one.loadBalancerId === id && one.port === 6443);
    const healthy = members
      .all()
      .filter((one) => one.loadBalancerId === id && one.port === 6443)
      .filter((one) => ["ACTIVE", "PENDING_UPDATE"].includes(one.provisioningStatus))
      .filter((one) => ["ONLINE", "NO_MONITOR"].includes(one.operatingStatus));
    return [{ name, address, listens: runs && listener !== undefined, members: healthy.map((one) => one.address) }];
  });
}
