// What happens in the cloud without us, one thing each: balancers deleted by hand, broken, stuck for minutes; quotas used up; members down;
// things put beside ours, drift, floating IPs taken off or prepared. Whatever lasts ends by itself, or when the caller says so.

import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import type { QuotaKind } from "../../../../sim/fakes/openstack/cloud-settings.ts";
import { addSubnet } from "../../../../sim/fakes/openstack/cloud-setup.ts";
import { between, chance, pick } from "../../../../sim/time/derive-seed.ts";
import { zonesOfCloud } from "../endpoint-setting.ts";
import { type EndpointSim, objectFor, ownerIdOf } from "../endpoint-sim.ts";
import { setAsideFloatingIp } from "./floating-ips-of-others.ts";

/** What ends later; `what` names it, so that two of the same sort do not end each other. */
export type Lasting = (what: string, endsAfterMs: number | undefined, end: () => void) => void;

export interface EndpointCloudFaultInput {
  readonly sim: EndpointSim;
  /** One of ours, or one that will be. */
  readonly balancer: LoadBalancer;
  readonly lasting: Lasting;
}

export type EndpointCloudFault = (input: EndpointCloudFaultInput) => Promise<void> | void;

export const endpointCloudFaults: Readonly<Record<string, EndpointCloudFault>> = {
  "balancer deleted": ({ sim, balancer }) => sim.fake.faults.deleteBalancer(balancer.id),
  "balancer in ERROR": ({ sim, balancer: { id, tags } }) => {
    // One without marks is nobody's to agree to repair.
    if (tags.length > 0) sim.fake.faults.setStatus("loadbalancers", id, { provisioning: "ERROR" });
  },
  "balancer stuck": ({ sim: { fake, world }, balancer: { id }, lasting }) => {
    fake.faults.darkenBalancer(id, "stuck");
    lasting(`balancer ${id}`, between(world.random, 2_000, 60_000), () => fake.faults.lightenBalancer(id));
  },
  "quota used up": ({ sim: { fake, lab, world }, lasting }) => {
    const kind = pick(world.random, quotaKinds) ?? "load_balancer";
    fake.faults.setQuota(lab.projectId, kind, 0);
    // Some are raised only when somebody complains.
    const ms = chance(world.random, 0.3) ? undefined : between(world.random, 1_000, 20_000);
    lasting(`quota ${kind}`, ms, () => fake.faults.setQuota(lab.projectId, kind, undefined));
  },
  "member down": ({ sim: { fake, world }, lasting }) => {
    const member = pick(world.random, fake.cloud.tables.members.all());
    if (member === undefined) return;
    fake.faults.setMemberDown(member.address, true);
    lasting(`member ${member.address}`, between(world.random, 1_000, 15_000), () =>
      fake.faults.setMemberDown(member.address, false),
    );
  },
  "tokens revoked": ({ sim }) => sim.fake.faults.revokeTokens("demo"),
  "foreign listener": async ({ sim, balancer: { id } }) => {
    const { octavia } = sim.project;
    // OVN hangs on it for ever, and then nobody can help but an administrator.
    if (sim.setting.provider === "ovn") return;
    const port = 7_000 + sim.fake.cloud.tables.listeners.find(`balancer:${id}`).length;
    await octavia.createListener({ loadBalancerId: id, name: foreignName(sim), protocol: "TCP", port, tags: [] });
  },
  "foreign member": async ({ sim, balancer: { id } }) => {
    const [pool] = sim.fake.cloud.tables.pools.find(`balancer:${id}`);
    if (pool === undefined) return;
    const address = `10.0.1.${between(sim.world.random, 30, 90)}`;
    const subnet = sim.setting.provider === "ovn" ? { subnetId: sim.lab.subnetIds[0] } : {};
    const wanted = { name: foreignName(sim), address, port: 6443, tags: [], ...subnet };
    await sim.project.octavia.createMember(pool.id, wanted);
  },
  "listener deleted": async ({ sim, balancer: { id } }) => {
    const marked = sim.fake.cloud.tables.listeners.find(`balancer:${id}`).filter(({ tags }) => tags.length > 0);
    const listener = pick(sim.world.random, marked);
    if (listener !== undefined) await sim.project.octavia.deleteListener(listener.id);
  },
  "listener in ERROR": ({ sim, balancer: { id } }) => breakOne(sim, "listeners", id),
  "pool in ERROR": ({ sim, balancer: { id } }) => breakOne(sim, "pools", id),
  "floating IP taken off": async ({ sim, balancer: { vipPortId } }) => {
    const [floating] = sim.fake.cloud.tables.floatingips.find(`port:${vipPortId}`);
    if (floating !== undefined) await sim.project.neutron.updateFloatingIp(floating.id, { portId: null });
  },
  "floating IP prepared": ({ sim }) => prepareFloatingIp(sim),
  "subnet of the same name": ({ sim: { fake, lab, world }, lasting }) => {
    const zone = pick(world.random, [1, 3]) ?? 1;
    const fields = { name: `tenant-${zone}`, projectId: lab.projectId, networkId: lab.networkId, cidr: "10.9.0.0/24" };
    const { id } = addSubnet(fake.cloud, fields);
    lasting(`subnet ${id}`, between(world.random, 1_000, 20_000), () => fake.cloud.tables.subnets.remove(id));
  },
};

const quotaKinds: readonly QuotaKind[] = [
  "load_balancer",
  "listener",
  "pool",
  "health_monitor",
  "member",
  "floatingip",
];

/** As a provider does that lost track of one of ours. */
function breakOne({ fake, world }: EndpointSim, kind: "listeners" | "pools", balancerId: string): void {
  const marked = fake.cloud.tables[kind].find(`balancer:${balancerId}`).filter(({ tags }) => tags.length > 0);
  const broken = pick(world.random, marked);
  if (broken !== undefined) fake.faults.setStatus(kind, broken.id, { provisioning: "ERROR" });
}

function foreignName({ world }: EndpointSim): string {
  return `foreign-${between(world.random, 1, 999_999)}`;
}

async function prepareFloatingIp(sim: EndpointSim): Promise<void> {
  const { world, setting } = sim;
  const cluster = pick(world.random, setting.clusters);
  const owner = cluster === undefined ? undefined : ownerIdOf(objectFor(sim, cluster));
  if (owner !== undefined) await setAsideFloatingIp(sim, owner, pick(world.random, zonesOfCloud) ?? "az1");
}
