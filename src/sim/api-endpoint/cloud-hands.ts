// What happens in the cloud without us: balancers deleted by hand, broken, stuck for minutes; quotas used up; members down; things put beside
// ours, drift, a floating IP taken off or prepared. Whatever lasts ends by itself, and at the latest when faults end.

import { ownerTag } from "../../core/api-endpoint/ownership.ts";
import type { LoadBalancer } from "../../core/openstack/octavia-objects.ts";
import { isOpenStackError } from "../../core/openstack/openstack-error.ts";
import { between, pick } from "../derive-seed.ts";
import type { QuotaKind } from "../fakes/openstack/cloud.ts";
import { zonesOfCloud } from "./endpoint-setting.ts";
import { type EndpointStage, objectFor, ownerIdOf } from "./endpoint-stage.ts";

type Mischief = (balancer: LoadBalancer) => Promise<void> | void;

const quotaKinds: readonly QuotaKind[] = [
  "load_balancer",
  "listener",
  "pool",
  "health_monitor",
  "member",
  "floatingip",
];

export class CloudHands {
  readonly #stage: EndpointStage;
  readonly #down = new Set<string>();
  readonly #mischief: readonly Mischief[];
  #strangers = 0;
  #healed = false;
  #dark: string | undefined;

  constructor(stage: EndpointStage) {
    this.#stage = stage;
    const { faults } = stage.fake;
    const { octavia, neutron } = stage.project;
    const { tables } = stage.fake.cloud;
    const { random } = stage.world;
    this.#mischief = [
      ({ id }) => faults.deleteBalancer(id),
      ({ id }) => faults.setStatus("loadbalancers", id, { provisioning: "ERROR" }),
      ({ id }) => this.#stick(id),
      () => this.#useUpQuota(),
      () => this.#loseMember(),
      () => faults.revokeTokens("demo"),
      ({ id }) => this.#addStrangersBelow(id),
      async ({ id }) => {
        const listener = pick(
          random,
          tables.listeners.find(`balancer:${id}`).filter(({ tags }) => tags.length > 0),
        );
        if (listener !== undefined) await octavia.deleteListener(listener.id);
      },
      async ({ id }) => {
        const monitor = pick(random, tables.healthmonitors.find(`balancer:${id}`));
        if (monitor !== undefined)
          await octavia.updateHealthMonitor(monitor.id, { delaySeconds: 42, timeoutSeconds: 7 });
      },
      async ({ vipPortId }) => {
        const [floating] = tables.floatingips.find(`port:${vipPortId}`);
        if (floating !== undefined) await neutron.updateFloatingIp(floating.id, { portId: null });
      },
      () => this.#prepareFloatingIp(),
    ];
  }

  get dark(): string | undefined {
    return this.#dark;
  }

  async act(): Promise<void> {
    const { random, space } = this.#stage.world;
    const balancer = pick(random, this.#ours());
    const mischief = pick(random, this.#mischief);
    if (balancer === undefined || mischief === undefined || this.#healed) return;
    space.trace.say("operator", `mischief ${this.#mischief.indexOf(mischief)} at ${balancer.name} ${balancer.id}`);
    try {
      await mischief(balancer);
    } catch (error) {
      // The cloud says no to people, too.
      if (!isOpenStackError(error)) throw error;
    }
  }

  heal(): void {
    if (this.#healed) return;
    this.#healed = true;
    const { fake, lab } = this.#stage;
    for (const kind of quotaKinds) fake.faults.setQuota(lab.projectId, kind, undefined);
    for (const address of this.#down) fake.faults.setMemberDown(address, false);
    for (const { id } of fake.cloud.tables.loadbalancers.all()) fake.faults.lightenBalancer(id);
  }

  darken(): void {
    if (this.#dark !== undefined) return;
    const { random } = this.#stage.world;
    this.#dark = pick(random, zonesOfCloud) ?? "az1";
    this.#stage.fake.faults.darkenZone(this.#dark, pick(random, ["error", "stuck"]) ?? "error");
  }

  lighten(): void {
    if (this.#dark !== undefined) this.#stage.fake.faults.lightenZone(this.#dark);
    this.#dark = undefined;
  }

  #ours(): readonly LoadBalancer[] {
    const { fake, owners, legacy } = this.#stage;
    const tags = new Set([...owners.keys()].map(ownerTag));
    return fake.cloud.tables.loadbalancers
      .all()
      .filter((balancer) => legacy.has(balancer.id) || balancer.tags.some((tag) => tags.has(tag)));
  }

  #later(lowMs: number, highMs: number, end: () => void): void {
    const { random, space } = this.#stage.world;
    space.scheduler.after(between(random, lowMs, highMs), undefined, end);
  }

  #stick(id: string): void {
    const { faults } = this.#stage.fake;
    faults.darkenBalancer(id, "stuck");
    this.#later(2_000, 60_000, () => faults.lightenBalancer(id));
  }

  #useUpQuota(): void {
    const { fake, lab, world } = this.#stage;
    const kind = pick(world.random, quotaKinds) ?? "load_balancer";
    fake.faults.setQuota(lab.projectId, kind, 0);
    this.#later(1_000, 20_000, () => fake.faults.setQuota(lab.projectId, kind, undefined));
  }

  #loseMember(): void {
    const { fake, world } = this.#stage;
    const member = pick(world.random, fake.cloud.tables.members.all());
    if (member === undefined) return;
    this.#down.add(member.address);
    fake.faults.setMemberDown(member.address, true);
    this.#later(1_000, 15_000, () => fake.faults.setMemberDown(member.address, false));
  }

  /** Below a balancer of ours, and not ours: a listener, or a member of its first pool. */
  async #addStrangersBelow(id: string): Promise<void> {
    const { project, fake, world } = this.#stage;
    this.#strangers += 1;
    const name = `stranger-${this.#strangers}`;
    const [pool] = fake.cloud.tables.pools.find(`balancer:${id}`);
    if (pool === undefined || world.random.next() < 0.5) {
      const port = 7_000 + this.#strangers;
      return void (await project.octavia.createListener({ loadBalancerId: id, name, port, tags: [] }));
    }
    const address = `10.0.1.${30 + this.#strangers}`;
    const subnet = this.#stage.setting.provider === "ovn" ? { subnetId: this.#stage.lab.subnetIds[0] } : {};
    await project.octavia.createMember(pool.id, { name, address, port: 6443, tags: [], ...subnet });
  }

  /** Marked for a zone by its tags, as the guide says: for us to use, never to delete. */
  async #prepareFloatingIp(): Promise<void> {
    const { world, setting, project, lab, premade } = this.#stage;
    const cluster = pick(world.random, setting.clusters);
    const owner = cluster === undefined ? undefined : ownerIdOf(objectFor(this.#stage, cluster));
    if (owner === undefined) return;
    const { id } = await project.neutron.createFloatingIp({
      floatingNetworkId: lab.externalNetworkId,
      description: "prepared by the operator",
    });
    premade.add(id);
    const zone = pick(world.random, zonesOfCloud) ?? "az1";
    await project.neutron.replaceTags("floatingips", id, [ownerTag(owner), `mainstay-zone=${zone}`]);
  }
}
