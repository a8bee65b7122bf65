// What others do with floating IPs: one is set aside for a zone before its balancer is there; one of ours is put on a machine, where there
// is no balancer, or stays on a VIP's port that outlives its balancer.

import type { BalancerRecord, FloatingIpRecord, PortRecord } from "../../../../sim/fakes/openstack/cloud-records.ts";
import { addPort } from "../../../../sim/fakes/openstack/cloud-setup.ts";
import { removePort } from "../../../../sim/fakes/openstack/neutron/ports.ts";
import { between, chance } from "../../../../sim/time/derive-seed.ts";
import { isFloatingIpFor, ownerTag } from "../../core/model/ownership.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { type EndpointSim, objectFor, ownerIdOf } from "../endpoint-sim.ts";
import { machinesBehind } from "../people/machines-wanted.ts";

/** Marked for a zone by its tags, as the guide says: for us to use, never to delete. */
export async function setAsideFloatingIp(sim: EndpointSim, owner: string, zone: string): Promise<void> {
  const { project, lab, premade } = sim;
  const { id } = await project.neutron.createFloatingIp({
    floatingNetworkId: lab.externalNetworkId,
    description: "prepared by the operator",
  });
  premade.add(id);
  await project.neutron.replaceTags("floatingips", id, [ownerTag(owner), `mainstay-zone=${zone}`]);
}

/** Without a balancer the endpoint's address is for a machine: whoever looks after machines puts it on one's port. */
export async function giveToMachine(sim: EndpointSim, cluster: EndpointCluster): Promise<void> {
  const { fake, lab, project } = sim;
  const owner = ownerIdOf(objectFor(sim, cluster));
  const [address] = machinesBehind(sim, { ...cluster, family: 4 }, "az1");
  const kept = fake.cloud.tables.floatingips
    .all()
    .find((one) => owner !== undefined && one.portId === undefined && isFloatingIpFor(one, owner, undefined));
  if (kept === undefined || address === undefined) return;
  const place = { projectId: lab.projectId, networkId: lab.networkId, subnetId: lab.subnetIds[0], address };
  const { id: portId } = addPort(fake.cloud, { ...place, deviceOwner: machinePort });
  await project.neutron.updateFloatingIp(kept.id, { portId });
}

const machinePort = "compute:az1";

/** The port goes with its machine, and where a balancer is wanted the address must be free for it. */
export function takeFromMachine(sim: EndpointSim, cluster: EndpointCluster, isBalancerWanted: boolean): void {
  const { ports } = sim.fake.cloud.tables;
  const there = machinesBehind(sim, { ...cluster, family: 4 }, "az1");
  const isOurs = ({ fixedIps }: PortRecord) => fixedIps.some(({ address }) => address.startsWith(prefixOf(cluster)));
  for (const port of ports.all().filter((each) => each.deviceOwner === machinePort && isOurs(each)))
    if (isBalancerWanted || !port.fixedIps.some(({ address }) => there.includes(address)))
      removePort(sim.fake.cloud, port);
}

/** Of the addresses of its machines in the first zone. */
function prefixOf({ index }: EndpointCluster): string {
  return index === 0 ? "10.0.1.10" : "10.0.1.15";
}

/** In some clouds a VIP's port outlives its balancer for a while, with the floating IP on it. */
export function leavePortsBehind(sim: EndpointSim): void {
  const { fake, world, lab, project } = sim;
  const { floatingips, loadbalancers } = fake.cloud.tables;
  const { scheduler } = world.network;
  const last = new Map<string, string>();
  fake.onChange(({ kind, id, before, after }) => {
    const was = (before as FloatingIpRecord | undefined)?.portId;
    if (kind === "floatingips" && was !== undefined) last.set(was, id);
    if (kind !== "loadbalancers" || after !== undefined || !chance(world.random, 0.7)) return;
    const { vipPortId, vipAddress: address, vipSubnetId: subnetId } = before as BalancerRecord;
    const floating = last.get(vipPortId);
    if (floating === undefined) return;
    scheduler.after(0, undefined, () => {
      const isTaken = loadbalancers.all().some(({ vipAddress }) => vipAddress === address);
      if (isTaken || floatingips.get(floating)?.portId !== undefined || !floatingips.get(floating)) return;
      const port = addPort(fake.cloud, { projectId: lab.projectId, networkId: lab.networkId, subnetId, address });
      void project.neutron.updateFloatingIp(floating, { portId: port.id }).catch(() => {});
      scheduler.after(between(world.random, 1_000, 12_000), undefined, () => removePort(fake.cloud, port));
    });
  });
}
