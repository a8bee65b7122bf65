// When a member may leave its pool. Adding always comes first; a member leaves alone, one a round.
//
//   a member of ours whose machine …            leaves
//   is gone                                     at once
//   is being deleted                            at once, from every pool (never-last.ts keeps the cluster's last healthy one)
//   has another address now                     when the new one is in and healthy, or the old one is not
//   belongs to another zone (cross-zone off)    when it is unhealthy; or when it is healthy behind its own zone's balancer and this zone
//                                               has a healthy member of its own, or no machine
//   has no zone or no address that we can see   not: what is not seen is not absent
//   is in ERROR and does not answer             when its balancer has rested for a while; it is made again afterwards
//   is in ERROR and may answer                  not: it is written again where it is, which takes nothing away, and Octavia sets it up anew

import { sameAddress } from "../../../../core/net/ip.ts";
import type { MemberNode, PoolNode } from "../../../../core/openstack/octavia-objects.ts";
import type { Refusal } from "../../../../core/plan.ts";
import { restAfterChangeMs } from "../balancer/pauses.ts";
import { toAskFor } from "../difference.ts";
import { zonesOf } from "../model/intent.ts";
import type { MachineObserved } from "../model/observed.ts";
import { retagged } from "../model/ownership.ts";
import type { BalancerContext } from "../ports/port-context.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { downBecause } from "../situation/balancer-health.ts";
import { type Health, isServing, memberHealth, membersBehind } from "../situation/health.ts";
import { machineOfMember } from "../situation/machine-of-member.ts";
import { type Situation } from "../situation/situation.ts";
import { belongsTo, type DesiredMember, newMember } from "./desired-members.ts";
import { balancersBefore, namesOf } from "./unplaced-machines.ts";

/** Those that are not in yet. */
export function membersToAdd(pool: PoolNode, desired: readonly DesiredMember[]): readonly DesiredMember[] {
  return desired.filter(({ address }) => !pool.members.some((member) => sameAddress(member.address, address)));
}

/**
 * Those of ours that go by an older name, that somebody drained (of weight 0 they get no new connections), or that have the user's tags of
 * before. For new tags alone, what somebody else changed about them stays.
 */
export function membersToCorrect(
  pool: PoolNode,
  desired: readonly DesiredMember[],
  { wanted, seen, situation }: Pick<BalancerContext, "wanted" | "seen" | "situation">,
): readonly DesiredMember[] {
  return desired.flatMap((member) => {
    const there = pool.members.find(({ address }) => sameAddress(address, member.address));
    if (there === undefined || machineOfMember(situation.observed, there) === "foreign") return [];
    const listed = seen.members?.get(pool.id)?.find(({ id }) => id === there.id);
    const tags = listed && retagged(listed.tags, member.tags, situation.userTags.former);
    const isDrained = there.operatingStatus === "DRAINING" && hasRested(wanted, situation);
    if (there.name !== member.name || isDrained) return [{ ...member, tags: tags ?? listed?.tags ?? member.tags }];
    if (listed === undefined || tags === undefined) return [];
    const { weight, backup, adminStateUp } = listed;
    return [{ ...member, tags, ...toAskFor({ weight, backup, adminStateUp }, newMember) }];
  });
}

/** Those of ours in ERROR that may answer. */
export function membersToRestore(
  pool: PoolNode,
  desired: readonly DesiredMember[],
  { wanted, situation }: Pick<BalancerContext, "wanted" | "situation">,
): readonly DesiredMember[] {
  return desired.filter((member) => {
    const there = pool.members.find(({ address }) => sameAddress(address, member.address));
    return there !== undefined && isBroken(there, wanted, situation) && mayAnswer(there, wanted, situation);
  });
}

/** The members that may leave, by the table above; the unhealthy first. */
export function membersToRemove(
  pool: PoolNode,
  desired: readonly DesiredMember[],
  { wanted, situation }: { readonly wanted: WantedBalancer; readonly situation: Situation },
): readonly MemberNode[] {
  const isDesired = (member: MemberNode) => desired.some(({ address }) => sameAddress(address, member.address));
  return pool.members
    .filter((member) =>
      isDesired(member)
        ? isBroken(member, wanted, situation) && !mayAnswer(member, wanted, situation)
        : mayLeave(member, { pool, desired, wanted, situation }),
    )
    .toSorted(
      (a, b) =>
        rank[healthIn(wanted, situation)(a)] - rank[healthIn(wanted, situation)(b)] || (a.name < b.name ? -1 : 1),
    );
}

const rank: Readonly<Record<Health, number>> = { bad: 0, unknown: 1, good: 2 };

function healthIn({ seen }: Pick<WantedBalancer, "seen">, { observed }: Situation): (member: MemberNode) => Health {
  return (member) => memberHealth(member, seen?.balancer.provider, observed);
}

/** Octavia could not set it up, and changes nothing about it by itself. */
function isBroken(member: MemberNode, wanted: WantedBalancer, situation: Situation): boolean {
  if (member.provisioningStatus !== "ERROR" || machineOfMember(situation.observed, member) === "foreign") return false;
  return hasRested(wanted, situation);
}

/** People may come through it, whatever Octavia could not do about it. */
function mayAnswer(member: MemberNode, wanted: WantedBalancer, situation: Situation): boolean {
  return healthIn(wanted, situation)(member) !== "bad";
}

/** What a change did shows a while later. Where it did nothing, it is not tried in a frenzy. */
function hasRested({ seen }: WantedBalancer, situation: Situation): boolean {
  return seen !== undefined && restAfterChangeMs(seen.balancer, situation) <= 0;
}

interface Leaving {
  readonly pool: PoolNode;
  readonly desired: readonly DesiredMember[];
  readonly wanted: WantedBalancer;
  readonly situation: Situation;
}

function mayLeave(member: MemberNode, { pool, desired, wanted, situation }: Leaving): boolean {
  const machine = machineOfMember(situation.observed, member);
  if (machine === "foreign") return false;
  if (machine === "gone" || machine.deleting) return true;
  const health = healthIn(wanted, situation);
  const healthyAt = (address: string) =>
    pool.members.some((other) => sameAddress(other.address, address) && health(other) === "good");
  const isIn = (address: string) => pool.members.some((other) => sameAddress(other.address, address));
  const replacement = desired.find((candidate) => candidate.machine === machine.name);
  if (replacement !== undefined)
    return isIn(replacement.address) && (health(member) === "bad" || healthyAt(replacement.address));
  if (belongsTo(wanted, machine, situation.intent.crossZone) || machine.zone === undefined) return false;
  if (health(member) === "bad") return true;
  return (
    isServedAtHome(machine, situation) && (desired.length === 0 || desired.some(({ address }) => healthyAt(address)))
  );
}

/** Healthy behind the balancer of its own zone, as far as that zone has one to be behind. */
function isServedAtHome(machine: MachineObserved, situation: Situation): boolean {
  const { assignment, observed, intent } = situation;
  const home = assignment.wanted.find(({ zone }) => zone === machine.zone);
  if (home === undefined) return true;
  if (home.seen === undefined || !isServing(home.seen) || downBecause(home.seen, observed) !== undefined) return false;
  const health = healthIn(home, situation);
  return membersBehind(home.seen, intent.apiPort).some((member) => {
    const found = machineOfMember(observed, member);
    return typeof found === "object" && found.name === machine.name && health(member) === "good";
  });
}

/** Machines that belong behind no balancer, for all that anybody knows of their zone. */
export function unmappedMachines(situation: Situation): readonly Refusal[] {
  const { intent, observed } = situation;
  const mapped = zonesOf(intent).map(({ zone }) => zone);
  const present = observed.machines.filter(({ deleting }) => !deleting).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (intent.mode !== "zones" || intent.crossZone) return [];
  return present
    .filter(({ zone }) => zone === undefined || !mapped.includes(zone))
    .map((machine) => {
      const { name, zone } = machine;
      const why = zone === undefined ? "its zone is not known" : `zone ${zone} has no mapping`;
      return {
        reason: "MachineZoneUnmapped",
        message: `machine ${name}: ${why}, ${whereUnmapped(machine, situation)}`,
      };
    });
}

/** Nobody takes a machine away from where it is because its zone cannot be read; one of another zone leaves: `mayLeave`. */
function whereUnmapped(machine: MachineObserved, situation: Situation): string {
  const now = balancersBefore(machine, situation).filter(({ role }) => role === "zone");
  if (now.length === 0) return "so it is behind no zone's balancer";
  const names = namesOf(now);
  return machine.zone === undefined
    ? `so it stays behind ${names} as it is, and could not be put back`
    : `so it belongs behind no zone's balancer, and leaves ${names} as soon as the machines there answer without it`;
}
