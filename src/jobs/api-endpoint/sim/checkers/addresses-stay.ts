// People put addresses into DNS: those of a zone that stays do not change. A wanted balancer is deleted only when it is broken, it comes back
// with the VIP that status remembers, and it takes the floating IP that waits for it.

import type { KubeObject } from "../../../../apis/kube/kube-object.ts";
import { type Checker, isBlindAfterRestore, type WorldView } from "../../../../sim/checkers/checker.ts";
import type { BalancerRecord, FloatingIpRecord } from "../../../../sim/fakes/openstack/cloud-records.ts";
import type { CallEffect } from "../../../../sim/openstack/call-effects.ts";
import { isFloatingIpFor, ownerTag, zoneTagOf } from "../../core/model/ownership.ts";
import { clusterOfRound, type EndpointSim, objectFor, ownerIdOf } from "../endpoint-sim.ts";
import { followRounds, type Round } from "../follow-rounds.ts";
import type { SimOf } from "./endpoint-checkers.ts";

export function addressesStay(simOf: SimOf): Checker {
  return {
    name: "addresses-stay",
    promise: "VIP and floating IP of a zone that stays wanted do not change by our hand",
    watch: (view, broken) => {
      const sim = simOf();
      const roundOf = followRounds(sim, view);
      const freeSince = followFree(sim, view);
      sim.effects.on((effect) => {
        const cluster = clusterOfRound(sim, effect.call.actor);
        const round = roundOf(effect.call);
        const now = cluster === undefined ? undefined : objectFor(sim, cluster);
        if (round === undefined || now === undefined || round.object?.metadata.uid !== now.metadata.uid) return;
        if (isBlindAfterRestore(view)) return;
        const how = whyMoved(sim, effect, { round, now, freeSince });
        if (how !== undefined) broken(`${effect.call.process.name}: ${how}`);
      });
    },
  };
}

interface Moment {
  readonly round: Round;
  readonly now: KubeObject;
  readonly freeSince: ReadonlyMap<string, number>;
}

function whyMoved(sim: EndpointSim, { method, changes }: CallEffect, moment: Moment): string | undefined {
  const row = (kind: string) => changes.find((change) => change.kind === kind);
  if (method === "deleteLoadBalancer")
    return wantedDeleted(sim, row("loadbalancers")?.before as BalancerRecord | undefined, moment);
  if (method === "createLoadBalancer")
    return otherVip(row("loadbalancers")?.after as BalancerRecord | undefined, moment);
  if (method === "createFloatingIp") return otherFloatingIp(sim, row("floatingips")?.after as FloatingIpRecord, moment);
  return undefined;
}

function wantedDeleted(sim: EndpointSim, gone: BalancerRecord | undefined, { round, now }: Moment): string | undefined {
  const owner = ownerIdOf(now);
  if (gone === undefined || owner === undefined || gone.provisioningStatus === "ERROR") return undefined;
  const zone = zoneTagOf(gone.tags);
  if (now.metadata.deletionTimestamp !== undefined || zone === undefined) return undefined;
  const rivals = sim.fake.cloud.tables.loadbalancers
    .find(`tag:${ownerTag(owner)}`)
    .filter(({ tags, id }) => id !== gone.id && zoneTagOf(tags) === zone);
  return isWanted(zone, { round, now }) && rivals.length === 0
    ? `${gone.name} was wanted, whole, and deleted`
    : undefined;
}

function isWanted(zone: string, { round, now }: Pick<Moment, "round" | "now">): boolean {
  return [round.object, now].every((object) => zonesIn(object).includes(zone));
}

function otherVip(made: BalancerRecord | undefined, { round, now }: Moment): string | undefined {
  if (made === undefined) return undefined;
  const zone = zoneTagOf(made.tags);
  if (zone === undefined) return undefined;
  const remembered = vipIn(now, zone);
  if (remembered === undefined || vipIn(round.object, zone) !== remembered || remembered === made.vipAddress)
    return undefined;
  return `${made.name} came back with VIP ${made.vipAddress} instead of ${remembered}`;
}

function otherFloatingIp(sim: EndpointSim, made: FloatingIpRecord | undefined, { round, now, freeSince }: Moment) {
  const owner = ownerIdOf(now);
  const { floatingips, loadbalancers } = sim.fake.cloud.tables;
  const balancer = loadbalancers.all().find(({ vipPortId }) => made !== undefined && vipPortId === made.portId);
  if (made === undefined || owner === undefined || balancer === undefined) return undefined;
  const zone = zoneTagOf(balancer.tags);
  // One that is about to become the only one again: what waits for its zone waits for something else.
  if (zone !== undefined && !isWanted(zone, { round, now })) return undefined;
  const waiting = floatingips
    .all()
    .find((one) => isFloatingIpFor(one, owner, zone) && (freeSince.get(one.id) ?? Infinity) < round.beganMs);
  return waiting === undefined
    ? undefined
    : `${balancer.name} got the new floating IP ${made.address} although ${waiting.address} was free for it`;
}

/** Since when floating IPs are free and bear the marks they bear. */
function followFree({ fake }: EndpointSim, view: WorldView): ReadonlyMap<string, number> {
  const since = new Map<string, number>();
  fake.onChange(({ kind, id, after }) => {
    if (kind !== "floatingips") return;
    if (after === undefined || (after as FloatingIpRecord).portId !== undefined) since.delete(id);
    else since.set(id, view.nowMs());
  });
  return since;
}

interface ReportedObject {
  readonly spec?: {
    readonly apiServerLoadBalancer?: {
      readonly enabled?: boolean;
      readonly availabilityZoneSubnets?: readonly { readonly availabilityZone: string }[];
    };
  };
  readonly status?: {
    readonly apiServerLoadBalancers?: readonly { readonly availabilityZone: string; readonly internalIP?: string }[];
  };
}

function zonesIn(object: KubeObject | undefined): readonly string[] {
  const { spec } = (object ?? {}) as ReportedObject;
  const { enabled = true, availabilityZoneSubnets = [] } = spec?.apiServerLoadBalancer ?? {};
  return enabled ? availabilityZoneSubnets.map(({ availabilityZone }) => availabilityZone) : [];
}

function vipIn(object: KubeObject | undefined, zone: string): string | undefined {
  const { status } = (object ?? {}) as ReportedObject;
  const entry = status?.apiServerLoadBalancers?.find(({ availabilityZone }) => availabilityZone === zone);
  return entry?.internalIP === "" ? undefined : entry?.internalIP;
}
