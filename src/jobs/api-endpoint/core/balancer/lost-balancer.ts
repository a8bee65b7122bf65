// A balancer that was there and is not: since when it has been gone from Octavia, or in ERROR, until a whole one is there again with its machines.
// Status remembers it (`repair`), so that people are told the same after a restart, and know when they should no longer wait.

import type { Refusal } from "../../../../core/plan.ts";
import { belongsTo } from "../members/desired-members.ts";
import type { RecordedBalancer, RecordedRepair } from "../model/observed.ts";
import { notAhead } from "../model/recorded-time.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { membersBehind } from "../situation/health.ts";
import { recordedOf } from "../situation/places.ts";
import { isMade } from "../situation/readiness.ts";
import type { Situation } from "../situation/situation.ts";
import { stuckAfterMs } from "./waits.ts";

/** Undefined while nothing is lost. */
export function repairOf(wanted: WantedBalancer, situation: Situation): RecordedRepair | undefined {
  const { observed, intent, nowMs } = situation;
  const { seen, role, zone } = wanted;
  if (intent.deleting || role === "fallback") return undefined;
  const before = recordedOf(observed, zone);
  if (before?.repair !== undefined)
    return isBack(wanted, situation)
      ? undefined
      : { ...before.repair, sinceMs: notAhead(before.repair.sinceMs, nowMs) };
  if (before === undefined || !wasThere(before)) return undefined;
  const status = seen?.balancer.provisioningStatus;
  if (status === "ERROR") return { sinceMs: nowMs, because: "Error" };
  return seen === undefined || status === "PENDING_DELETE" ? { sinceMs: nowMs, because: "Gone" } : undefined;
}

/** One that never came up is no loss, however often it is tried. While the cloud is away status has no word of Octavia's. */
function wasThere({ id, provisioningStatus = "ACTIVE" }: RecordedBalancer): boolean {
  return id !== undefined && /^(ACTIVE|PENDING_UPDATE)$/.test(provisioningStatus);
}

/** With listener, pool and address; and with its machines, where there are any for it. */
function isBack(wanted: WantedBalancer, situation: Situation): boolean {
  const { observed, intent } = situation;
  if (wanted.seen === undefined || isMade(wanted, situation) === "no") return false;
  const due = observed.machines.filter(
    (machine) => !machine.deleting && machine.addresses.length > 0 && belongsTo(wanted, machine, intent.crossZone),
  );
  return due.length === 0 || membersBehind(wanted.seen, intent.apiPort).length > 0;
}

/** It is being made again. One that is only in ERROR, or failed over with its machines, has words of its own: repair.ts. */
export function isLost(wanted: WantedBalancer, situation: Situation): boolean {
  const { seen } = wanted;
  if (seen?.balancer.provisioningStatus === "ERROR") return false;
  const repair = repairOf(wanted, situation);
  if (seen?.balancer.provisioningStatus !== "PENDING_UPDATE" || repair === undefined) return repair !== undefined;
  return repair.because === "Gone" || membersBehind(seen, situation.intent.apiPort).length === 0;
}

/** The same words from its loss to its return, so that one Event tells it. */
export function lostNotices(situation: Situation): readonly Refusal[] {
  return situation.assignment.wanted.flatMap((wanted) => {
    const repair = isLost(wanted, situation) ? repairOf(wanted, situation) : undefined;
    if (repair === undefined) return [];
    const { lane, name, zone } = wanted;
    const words = lostWords(repair, addressOf(wanted, situation));
    const message = `the load balancer${zone === undefined ? "" : ` of zone ${zone}`} (${name}) ${words}`;
    return [{ reason: "LoadBalancerLost", message, messageInPart: `its load balancer (${name}) ${words}`, lane }];
  });
}

function lostWords({ sinceMs, because }: RecordedRepair, address: string | undefined): string {
  const lost = {
    Gone: `was gone from Octavia at ${inSeconds(sinceMs)}`,
    Error: `was in ERROR from ${inSeconds(sinceMs)} on, and was deleted`,
  }[because];
  const again = `Mainstay makes it again${address === undefined ? "" : ` with the same address ${address}`}`;
  return `${lost}. ${again}, which usually takes one to five minutes; act if it does not serve by ${inSeconds(sinceMs + stuckAfterMs)}`;
}

function addressOf({ zone }: WantedBalancer, { observed }: Situation): string | undefined {
  const before = recordedOf(observed, zone);
  return before?.address ?? before?.internalAddress;
}

function inSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
