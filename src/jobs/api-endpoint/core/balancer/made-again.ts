// Whether what is to be taken down could be made again, as far as anybody can tell beforehand. It may serve while it is in ERROR: nobody
// takes it down to find out then that it cannot come back, or not with the machines that answer behind it now.
//
//   not known                                                    then
//   what Octavia can do, where places and machines are           wait: it passes by itself
//   its floating IP, where it has one                            wait
//   where the balancer goes                                      refuse, with the reason for which it would not be made
//   who may connect: no listener would be made                   refuse
//   address or zone of a machine whose member may answer         refuse, until somebody agrees for this zone

import type { Unknown } from "../../../../core/known.ts";
import { desireBalancer } from "../desired.ts";
import { belongsTo } from "../members/desired-members.ts";
import type { BalancerObserved, MachineObserved } from "../model/observed.ts";
import { isSamePort } from "../model/port.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { memberHealth, membersBehind } from "../situation/health.ts";
import { machineOfMember } from "../situation/machine-of-member.ts";
import { unresolvedNodes } from "../situation/node-places.ts";
import { placeOf } from "../situation/places.ts";
import type { Situation } from "../situation/situation.ts";
import { howToName, repairConsent } from "./repair-consent.ts";

/** `unseen` passes by itself; `why`, in words, may not. */
export type Obstacle = { readonly unseen: Unknown } | { readonly why: string };

/** For a balancer as a whole. */
export function obstacleToRebuild(
  wanted: WantedBalancer,
  seen: BalancerObserved,
  situation: Situation,
): Obstacle | undefined {
  const { floatingIps } = situation.observed;
  // It would come back without the address by which people know it.
  if (!floatingIps.known && situation.intent.floatingIp.enabled) return { unseen: floatingIps };
  const below = obstacleBelow(wanted, seen, situation);
  if (below !== undefined) return below;
  const placed = placeOf(situation.observed, wanted.zone);
  if ("unseen" in placed) return { unseen: placed.unseen };
  return "refusal" in placed ? { why: `it could not be made again: ${placed.refusal.message}` } : undefined;
}

/** For what lets people in on the API port. */
export function obstacleBelow(
  wanted: WantedBalancer,
  seen: BalancerObserved,
  situation: Situation,
): Obstacle | undefined {
  const { capabilities, places } = situation.observed;
  if (!capabilities.known) return { unseen: capabilities };
  if (!places.known) return { unseen: places };
  const { apiPort } = situation.intent;
  const desired = desireBalancer(wanted, situation).ports.find(({ port }) => isSamePort(port, apiPort));
  if (desired?.isAccessListKnown === false)
    return { why: `who may connect cannot be told: ${unresolvedNodes(places.value).join("; ")}` };
  const returning = new Set(desired?.members.map(({ machine }) => machine));
  const lost =
    repairConsent(wanted, situation) === "regardless" ? undefined : whoIsLost(wanted, seen, returning, situation);
  return lost === undefined ? undefined : { why: `${lost}; ${howToName(wanted)}` };
}

/** Of those whose members may answer, in words. */
function whoIsLost(
  wanted: WantedBalancer,
  seen: BalancerObserved,
  returning: ReadonlySet<string>,
  { observed, intent }: Situation,
): string | undefined {
  const answering = membersBehind(seen, intent.apiPort).filter(
    (member) => memberHealth(member, seen.balancer.provider, observed) !== "bad",
  );
  if (answering.length > 0 && observed.machines.length === 0)
    return "machines answer behind it, and no machine is known that could be put back";
  const lost = answering
    .map((member) => machineOfMember(observed, member))
    .filter((machine): machine is MachineObserved => typeof machine !== "string" && !machine.deleting)
    .filter((machine) => machine.zone === undefined || belongsTo(wanted, machine, intent.crossZone))
    .find(({ name }) => !returning.has(name));
  if (lost === undefined) return undefined;
  const isPlaced = belongsTo(wanted, lost, intent.crossZone);
  return `machine ${lost.name} could not be put back behind it: its ${isPlaced ? "address is not known, or does not fit" : "zone is not known"}`;
}
