// One zone of the cloud that is dark for long: its balancers end in ERROR, stay PENDING, or its part of Octavia answers nothing. Where
// addresses are probed, also: its balancers are dead, their members are fine, and Octavia does not notice.

import { isRecord } from "../../../../apis/text/problem.ts";
import type { PortCall } from "../../../../sim/network/port-call.ts";
import { pick } from "../../../../sim/time/derive-seed.ts";
import { type EndpointCluster, zonesOfCloud } from "../endpoint-setting.ts";
import type { EndpointSim } from "../endpoint-sim.ts";
import type { DesiredEndpoint } from "../people/desired-endpoint.ts";

export class DarkZone {
  readonly #sim: EndpointSim;
  readonly #desiredByCluster: ReadonlyMap<EndpointCluster, DesiredEndpoint>;
  #dark: string | undefined;

  constructor(sim: EndpointSim, desiredByCluster: ReadonlyMap<EndpointCluster, DesiredEndpoint>) {
    this.#sim = sim;
    this.#desiredByCluster = desiredByCluster;
  }

  get dark(): string | undefined {
    return this.#dark;
  }

  darken(): void {
    if (this.#dark !== undefined) return;
    const { world, fake, silentZones } = this.#sim;
    const inUse = [...this.#desiredByCluster.values()].flatMap(({ zones }) => zones);
    this.#dark = pick(world.random, inUse) ?? pick(world.random, zonesOfCloud) ?? "az1";
    const drawn = pick(world.random, ["error", "stuck", "silent", "silent"] as const) ?? "error";
    const how = drawn !== "error" && this.#sim.setting.probing ? "dead" : drawn;
    world.network.trace.write("cloud", `zone ${this.#dark} goes dark: ${how}`);
    if (how === "silent") silentZones.add(this.#dark);
    else if (how === "dead") this.#kill(this.#dark);
    else fake.faults.darkenZone(this.#dark, how);
  }

  #kill(zone: string): void {
    const { cloud, faults } = this.#sim.fake;
    for (const { id, vipSubnetId } of cloud.tables.loadbalancers.all())
      if (cloud.subnetZones.get(vipSubnetId) === zone) faults.killBalancer(id);
  }

  lighten(): void {
    if (this.#dark !== undefined) this.#sim.fake.faults.lightenZone(this.#dark);
    for (const id of this.#sim.fake.cloud.trouble.deadBalancers) this.#sim.fake.faults.reviveBalancer(id);
    this.#sim.silentZones.clear();
    this.#dark = undefined;
  }
}

/** Whether a call is about something in a zone that answers nothing. Lists are everybody's. */
export function isAboutSilentZone({ silentZones, fake }: EndpointSim, { path, body }: PortCall): boolean {
  if (silentZones.size === 0 || path !== "octavia") return false;
  const { subnetZones, tables } = fake.cloud;
  const { loadbalancers, listeners, pools, healthmonitors } = tables;
  return subjectsOf(body).some((id) => {
    const above = (listeners.get(id) ?? pools.get(id) ?? healthmonitors.get(id))?.loadBalancerId;
    const balancer = loadbalancers.get(id) ?? loadbalancers.get(above ?? "");
    const zone = subnetZones.get(balancer?.vipSubnetId ?? id);
    return zone !== undefined && silentZones.has(zone);
  });
}

/** What a call names first, or hangs its new thing on. */
function subjectsOf(body: string): readonly string[] {
  const [first] = JSON.parse(body) as readonly unknown[];
  if (typeof first === "string") return [first];
  if (!isRecord(first)) return [];
  const { vipSubnetId, loadBalancerId, listenerId, poolId } = first;
  return [vipSubnetId, loadBalancerId, listenerId, poolId].filter((id) => typeof id === "string");
}
