// Whether a wanted balancer is away: nobody comes through it until it is made, or made again, or its machines are back. As long as one is, no
// other that may let people in is taken down (why-kept.ts). Told by what stands in the cloud; status only tells a balancer that is gone
// from one that never was.
//
//   it is                                                          away
//   not there, and status knew it                                  yes
//   not there, and nothing says whether it ever was                perhaps: its zone is new, or the status was lost
//   PENDING, or about to be by a repair that is under way          yes: it is made, deleted, or failed over
//   ACTIVE, and what is below it cannot be read                    yes
//   ACTIVE, without listener, pool or monitor on the API port      yes; so it is while one of the first two is switched off
//   in ERROR, or one of these is                                   where nobody stands behind it; else it may serve
//   whole, and without the address by which people reach it        yes
//   whole, and somebody answers, or may, or nobody is to be there  no
//   whole, and nobody answers                                      yes for ten minutes after it was made or taken down; else as somebody
//                                                                  says: its machines may be the reason
//
// Nobody waits for ever for one that does not become whole: when nothing has happened to it for a quarter of an hour, or it has been away for an
// hour since it was last taken down, somebody may say for another zone that it does not wait for it (repair-consent.ts). Since when is what this process has seen
// (away-since.ts); right after a restart, Octavia's own times tell.

import { laneKey } from "../../../../core/plan.ts";
import { belongsTo } from "../members/desired-members.ts";
import type { EndpointAction } from "../model/action.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { supports } from "../model/provider-features.ts";
import { ageMs, timeOfOctavia } from "../model/time-of-octavia.ts";
import { isInError } from "../ports/port-context.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { downBecause } from "../situation/balancer-health.ts";
import { healthBehind, membersBehind, portOf } from "../situation/health.ts";
import { mayLetIn } from "../situation/in-use.ts";
import { recordedOf } from "../situation/places.ts";
import { publicAddress } from "../situation/public-address.ts";
import type { Situation } from "../situation/situation.ts";
import { stuckAfterMs } from "./waits.ts";

export interface Awayness {
  /**
   * `ask`: its machines may be the reason, so somebody has to say whether others wait for it. `name`: it may never come back, and perhaps it was taken
   * down by a consent that still stands, so somebody has to name who does not wait for it.
   */
  readonly away: "no" | "perhaps" | "ask" | "name" | "yes";
  /** In words. */
  readonly why: string;
  /** Of `yes`, where nothing changes: so long until somebody may name who does not wait for it. */
  readonly namedInMs?: number;
}

/** So long members may need until they answer behind a balancer that was made. */
const newMs = 600_000;
/** Tries go on for ever, and each may leave its trace on the balancer. */
const longestWaitMs = 3_600_000;

/** `broken`: the other one, which waits for it. */
export function awayness(wanted: WantedBalancer, broken: BalancerObserved, situation: Situation): Awayness {
  const { name, seen } = wanted;
  const { is, why } = absence(wanted, situation);
  if (is === "there" || is === "unmade") return { away: is === "there" ? "no" : "perhaps", why };
  if (isTakenDownNow(wanted, situation)) return { away: "yes", why };
  const { sinceMs = situation.observed.monotonicMs, wasTakenDown = mayHaveBeenTakenDown(wanted, situation) } =
    situation.observed.awaySince?.get(name) ?? {};
  const awayMs = situation.observed.monotonicMs - sinceMs;
  if (is === "dead") {
    const laterMs = madeLaterMs(seen, broken);
    const ages = [...(wasTakenDown ? [awayMs] : []), ...(laterMs > 0 ? [madeAgoMs(seen, situation)] : [])];
    const namedInMs = newMs - Math.min(newMs, ...ages);
    if (namedInMs > 0) return { away: "yes", why: `${why} yet`, namedInMs };
    // All are made within minutes at first: one that is much younger was made again.
    return { away: wasTakenDown || laterMs > newMs ? "name" : "ask", why };
  }
  // As far as this process has seen it: after a restart the cloud's word counts.
  const leastMs = situation.observed.awaySince === undefined ? stuckAfterMs : awayMs;
  const quietForMs = is === "unfinished" ? Math.min(quietMs(seen, situation), leastMs) : Number.NEGATIVE_INFINITY;
  const namedInMs = Math.min(stuckAfterMs - quietForMs, longestWaitMs - awayMs);
  return namedInMs <= 0 ? { away: "name", why } : { away: "yes", why, namedInMs };
}

interface Absence {
  /** `unfinished`: its own times tell since when nothing happens to it. `dead`: nobody answers. */
  readonly is: "there" | "unmade" | "unfinished" | "away" | "dead";
  /** In words. */
  readonly why: string;
}

/** Nobody comes through it now, as far as anybody can tell. */
export function isAway(wanted: WantedBalancer, situation: Situation): boolean {
  return !["there", "unmade"].includes(absence(wanted, situation).is);
}

function absence(wanted: WantedBalancer, situation: Situation): Absence {
  const { seen, zone, name } = wanted;
  const { observed, intent } = situation;
  const again = { is: "away", why: `${name} is being made again` } as const;
  const there = { is: "there", why: "" } as const;
  if (isTakenDownNow(wanted, situation)) return again;
  if (seen === undefined) {
    const before = recordedOf(observed, zone);
    return before?.id || before?.internalAddress ? again : { is: "unmade", why: `${name} is not there` };
  }
  if (seen.balancer.provisioningStatus === "ERROR") return mayLetIn(seen) ? there : again;
  const unfinished = whyUnfinished(seen, situation);
  if (unfinished !== undefined) return { is: "unfinished", why: `${name} ${unfinished}` };
  if (membersBehind(seen, intent.apiPort).length === 0)
    return isSomebodyDue(wanted, situation) ? { is: "unfinished", why: `${name} has no machines` } : there;
  const { is: address } = publicAddress(observed, seen);
  if (address === "missing") return { is: "away", why: `${name} has no floating IP` };
  if (address === "unseen") return { is: "away", why: `whether ${name} has its floating IP cannot be seen` };
  return isDead(seen, situation) ? { is: "dead", why: `nobody answers behind ${name}` } : there;
}

/** It interrupts what people may come through, to have it whole afterwards. */
export function isTearDown({ because, kind }: EndpointAction): boolean {
  return because === "LoadBalancerInError" || (kind === "delete-pool" && because === "PoolDrifted");
}

/** Those of them after which nobody comes through the balancer: a health monitor carries nothing. */
export function takesDown(action: EndpointAction): boolean {
  return isTearDown(action) && action.kind !== "delete-monitor";
}

function isTakenDownNow({ lane }: WantedBalancer, { observed }: Situation): boolean {
  return (observed.underWay ?? []).some((action) => takesDown(action) && laneKey(action.lane) === laneKey(lane));
}

/** What is missing of that through which people reach a member of the API port, in words that follow its name. */
function whyUnfinished(seen: BalancerObserved, { intent, observed }: Situation): string | undefined {
  const { provisioningStatus, provider } = seen.balancer;
  if (provisioningStatus !== "ACTIVE") return `is ${provisioningStatus}`;
  if (!seen.tree.known) return "cannot be looked into";
  const { listener, pool } = portOf(seen, intent.apiPort);
  if (listener === undefined) return "has no listener on the API port";
  if (!listener.adminStateUp) return "has its listener on the API port switched off";
  if (pool === undefined) return "has no pool on the API port";
  if (seen.pools?.find(({ id }) => id === pool.id)?.adminStateUp === false)
    return "has its pool on the API port switched off";
  if (isInError(listener) || isInError(pool)) return pool.members.length > 0 ? undefined : "is being made again";
  const { capabilities } = observed;
  if (capabilities.known && !supports(capabilities.value, provider, "health-monitor")) return undefined;
  if (pool.healthMonitor === undefined) return "has no health monitor on the API port";
  return isInError(pool.healthMonitor) ? "has a health monitor in ERROR" : undefined;
}

/** On the cloud's clock. */
function quietMs(seen: BalancerObserved | undefined, { cloudNowMs }: Situation): number {
  const { updatedAt, createdAt } = seen?.balancer ?? {};
  return ageMs(updatedAt ?? createdAt, cloudNowMs);
}

function isDead(seen: BalancerObserved, { observed, intent }: Situation): boolean {
  const isBad = healthBehind(seen, intent.apiPort, observed) === "bad";
  return isBad || downBecause(seen, observed) !== undefined || !seen.balancer.adminStateUp;
}

/** A process that looks for the first time cannot know who changed it minutes ago. */
export function mayHaveBeenTakenDown({ seen }: WantedBalancer, situation: Situation): boolean {
  return situation.observed.awaySince === undefined && quietMs(seen, situation) < newMs;
}

function madeLaterMs(seen: BalancerObserved | undefined, broken: BalancerObserved): number {
  const [madeMs = 0, brokenMs = 0] = [seen?.balancer, broken.balancer].map((one) => timeOfOctavia(one?.createdAt));
  return madeMs - brokenMs;
}

function madeAgoMs(seen: BalancerObserved | undefined, { cloudNowMs }: Situation): number {
  return ageMs(seen?.balancer.createdAt, cloudNowMs);
}

/** Though nobody may know their addresses now; and where nobody knows the zone of one, it may be this one. */
function isSomebodyDue(wanted: WantedBalancer, { observed, intent }: Situation): boolean {
  return observed.machines.some(
    (machine) => !machine.deleting && (machine.zone === undefined || belongsTo(wanted, machine, intent.crossZone)),
  );
}
