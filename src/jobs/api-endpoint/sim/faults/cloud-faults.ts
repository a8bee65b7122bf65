// What happens in the cloud without us, one thing each: balancers deleted by hand, broken, stuck for minutes; quotas used up; members down;
// things put beside ours, drift, floating IPs taken off or prepared. Whatever lasts ends by itself, or when the caller says so.

import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import type { QuotaKind } from "../../../../sim/fakes/openstack/cloud.ts";
import { addSubnet } from "../../../../sim/fakes/openstack/cloud-setup.ts";
import { between, chance, pick } from "../../../../sim/time/derive-seed.ts";
import { zonesOfCloud } from "../endpoint-setting.ts";
import { type EndpointStage, objectFor, ownerIdOf } from "../endpoint-stage.ts";
import { setAsideFloatingIp } from "./floating-ip-hands.ts";

/** What ends later; the words tell two of the same sort apart. */
export type Lasting = (what: string, endsAfterMs: number | undefined, end: () => void) => void;

export interface MischiefInput {
  readonly stage: EndpointStage;
  /** One of ours, or one that will be. */
  readonly balancer: LoadBalancer;
  readonly lasting: Lasting;
}

export type Mischief = (input: MischiefInput) => Promise<void> | void;

export const mischiefs: Readonly<Record<string, Mischief>> = {
  "balancer deleted": ({ stage, balancer }) => stage.fake.faults.deleteBalancer(balancer.id),
  "balancer in ERROR": ({ stage, balancer: { id, tags } }) => {
    // One without marks is nobody's to agree to repair.
    if (tags.length > 0) stage.fake.faults.setStatus("loadbalancers", id, { provisioning: "ERROR" });
  },
  "balancer stuck": ({ stage: { fake, world }, balancer: { id }, lasting }) => {
    fake.faults.darkenBalancer(id, "stuck");
    lasting(`balancer ${id}`, between(world.random, 2_000, 60_000), () => fake.faults.lightenBalancer(id));
  },
  "quota used up": ({ stage: { fake, lab, world }, lasting }) => {
    const kind = pick(world.random, quotaKinds) ?? "load_balancer";
    fake.faults.setQuota(lab.projectId, kind, 0);
    // Some are raised only when somebody complains.
    const ms = chance(world.random, 0.3) ? undefined : between(world.random, 1_000, 20_000);
    lasting(`quota ${kind}`, ms, () => fake.faults.setQuota(lab.projectId, kind, undefined));
  },
  "member down": ({ stage: { fake, world }, lasting }) => {
    const member = pick(world.random, fake.cloud.tables.members.all());
    if (member === undefined) return;
    fake.faults.setMemberDown(member.address, true);
    lasting(`member ${member.address}`, between(world.random, 1_000, 15_000), () =>
      fake.faults.setMemberDown(member.address, false),
    );
  },
  "tokens revoked": ({ stage }) => stage.fake.faults.revokeTokens("demo"),
  "stranger's listener": async ({ stage, balancer: { id } }) => {
    const { octavia } = stage.project;
    // OVN hangs on it for ever, and then nobody can help but an administrator.
    if (stage.setting.provider === "ovn") return;
    const port = 7_000 + stage.fake.cloud.tables.listeners.find(`balancer:${id}`).length;
    await octavia.createListener({ loadBalancerId: id, name: strangerName(stage), port, tags: [] });
  },
  "stranger's member": async ({ stage, balancer: { id } }) => {
    const [pool] = stage.fake.cloud.tables.pools.find(`balancer:${id}`);
    if (pool === undefined) return;
    const address = `10.0.1.${between(stage.world.random, 30, 90)}`;
    const subnet = stage.setting.provider === "ovn" ? { subnetId: stage.lab.subnetIds[0] } : {};
    const wanted = { name: strangerName(stage), address, port: 6443, tags: [], ...subnet };
    await stage.project.octavia.createMember(pool.id, wanted);
  },
  "listener deleted": async ({ stage, balancer: { id } }) => {
    const marked = stage.fake.cloud.tables.listeners.find(`balancer:${id}`).filter(({ tags }) => tags.length > 0);
    const listener = pick(stage.world.random, marked);
    if (listener !== undefined) await stage.project.octavia.deleteListener(listener.id);
  },
  "listener in ERROR": ({ stage, balancer: { id } }) => breakOne(stage, "listeners", id),
  "pool in ERROR": ({ stage, balancer: { id } }) => breakOne(stage, "pools", id),
  "floating IP taken off": async ({ stage, balancer: { vipPortId } }) => {
    const [floating] = stage.fake.cloud.tables.floatingips.find(`port:${vipPortId}`);
    if (floating !== undefined) await stage.project.neutron.updateFloatingIp(floating.id, { portId: null });
  },
  "floating IP prepared": ({ stage }) => prepareFloatingIp(stage),
  "subnet of the same name": ({ stage: { fake, lab, world }, lasting }) => {
    const zone = pick(world.random, [1, 3]) ?? 1;
    const fields = { name: `tenant-${zone}`, projectId: lab.projectId, networkId: lab.networkId, cidr: "10.9.0.0/24" };
    const { id } = addSubnet(fake.cloud, fields);
    lasting(`subnet ${id}`, between(world.random, 1_000, 20_000), () => fake.cloud.tables.subnets.remove(id));
  },
};

export const quotaKinds: readonly QuotaKind[] = [
  "load_balancer",
  "listener",
  "pool",
  "health_monitor",
  "member",
  "floatingip",
];

/** As a provider does that lost track of one of ours. */
function breakOne({ fake, world }: EndpointStage, kind: "listeners" | "pools", balancerId: string): void {
  const marked = fake.cloud.tables[kind].find(`balancer:${balancerId}`).filter(({ tags }) => tags.length > 0);
  const broken = pick(world.random, marked);
  if (broken !== undefined) fake.faults.setStatus(kind, broken.id, { provisioning: "ERROR" });
}

function strangerName({ world }: EndpointStage): string {
  return `stranger-${between(world.random, 1, 999_999)}`;
}

async function prepareFloatingIp(stage: EndpointStage): Promise<void> {
  const { world, setting } = stage;
  const cluster = pick(world.random, setting.clusters);
  const owner = cluster === undefined ? undefined : ownerIdOf(objectFor(stage, cluster));
  if (owner !== undefined) await setAsideFloatingIp(stage, owner, pick(world.random, zonesOfCloud) ?? "az1");
}
