// One zone of the cloud that is dark for long: its balancers end in ERROR, stay PENDING, or its part of Octavia refuses everything, answers
// nothing, or is slow. Where addresses are probed, also: its balancers are dead, their members are fine, and Octavia does not notice.

import { isRecord } from "../../../../apis/text/problem.ts";
import type { Random } from "../../../../ports/random.ts";
import type { CallPlan, PortCall } from "../../../../sim/network/port-call.ts";
import { slowed } from "../../../../sim/network/simulated-port.ts";
import { callDeadlineMs } from "../../../../sim/openstack/openstack-link.ts";
import { between, pick } from "../../../../sim/time/derive-seed.ts";
import { type EndpointCluster, zonesOfCloud } from "../endpoint-setting.ts";
import type { EndpointSim, Muted } from "../endpoint-sim.ts";
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
    const { world, fake, mutedZones, setting } = this.#sim;
    this.#dark = this.#draw(world.random);
    const drawn = pick(world.random, ["error", "stuck", "refusing", "silent"] as const) ?? "error";
    const how = drawn !== "error" && setting.probing ? "dead" : drawn;
    world.network.trace.write("cloud", `zone ${this.#dark} fails: ${how}`);
    if (how === "silent" || how === "refusing") mutedZones.set(this.#dark, how);
    else if (how === "dead") this.#kill(this.#dark);
    else fake.faults.darkenZone(this.#dark, how);
  }

  slow(random: Random): void {
    if (this.#dark !== undefined) return;
    const { world, mutedZones } = this.#sim;
    this.#dark = this.#draw(random);
    const slowMs = between(random, 3_000, callDeadlineMs - 500);
    world.network.trace.write("cloud", `zone ${this.#dark} becomes slow: ${slowMs} ms`);
    mutedZones.set(this.#dark, { slowMs });
  }

  #draw(random: Random): string {
    const inUse = [...this.#desiredByCluster.values()].flatMap(({ zones }) => zones);
    return pick(random, inUse) ?? pick(random, zonesOfCloud) ?? "az1";
  }

  #kill(zone: string): void {
    const { cloud, faults } = this.#sim.fake;
    for (const { id, vipSubnetId } of cloud.tables.loadbalancers.all())
      if (cloud.subnetZones.get(vipSubnetId) === zone) faults.killBalancer(id);
  }

  lighten(): void {
    if (this.#dark !== undefined) this.#sim.fake.faults.lightenZone(this.#dark);
    for (const id of this.#sim.fake.cloud.trouble.deadBalancers) this.#sim.fake.faults.reviveBalancer(id);
    this.#sim.mutedZones.clear();
    this.#dark = undefined;
  }
}

/** What becomes of a call about something in such a zone. Lists are everybody's. */
export function mutedCall(sim: EndpointSim, call: PortCall, callPlan: CallPlan): CallPlan {
  const how = howMuted(sim, call);
  if (how === undefined) return callPlan;
  if (how === "refusing") return { ...callPlan, turnedAway: { how: "status", status: 503 } };
  // What arrives after its time comes to nothing.
  return how === "silent"
    ? { ...callPlan, thereMs: callPlan.thereMs + 2 * callDeadlineMs }
    : slowed(callPlan, how.slowMs);
}

function howMuted({ mutedZones, fake }: EndpointSim, { path, body }: PortCall): Muted | undefined {
  if (mutedZones.size === 0 || path !== "octavia") return undefined;
  const { subnetZones, tables } = fake.cloud;
  const { loadbalancers, listeners, pools, healthmonitors } = tables;
  const zones = subjectsOf(body).map((id) => {
    const above = (listeners.get(id) ?? pools.get(id) ?? healthmonitors.get(id))?.loadBalancerId;
    const balancer = loadbalancers.get(id) ?? loadbalancers.get(above ?? "");
    return subnetZones.get(balancer?.vipSubnetId ?? id);
  });
  return zones.map((zone) => mutedZones.get(zone ?? "")).find((how) => how !== undefined);
}

/** What a call names first, or hangs its new thing on. */
function subjectsOf(body: string): readonly string[] {
  const [first] = JSON.parse(body) as readonly unknown[];
  if (typeof first === "string") return [first];
  if (!isRecord(first)) return [];
  const { vipSubnetId, loadBalancerId, listenerId, poolId } = first;
  return [vipSubnetId, loadBalancerId, listenerId, poolId].filter((id) => typeof id === "string");
}
