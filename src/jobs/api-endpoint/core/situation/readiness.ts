// Whether a wanted balancer is whole, and whether there are enough of them for the cluster to begin.

import { ageMs } from "../model/time-of-octavia.ts";
import type { WantedBalancer } from "./assignment.ts";
import { downBecause } from "./balancer-health.ts";
import { type Child, childrenOn, childWords, isPending } from "./children.ts";
import { portOf } from "./health.ts";
import { publicAddress } from "./public-address.ts";
import type { Situation } from "./situation.ts";

/** A change passes through PENDING_UPDATE, and the balancer serves meanwhile: it is no less whole for that. */
const standing: readonly string[] = ["ACTIVE", "PENDING_UPDATE"];

/** So long a child may be PENDING below a balancer that is ACTIVE: one shows a moment before the other that a change is done. */
const childPendingMs = 60_000;

/** It stands, does not call itself dead, and nothing below it is broken or hangs. */
export function isWhole(wanted: WantedBalancer, situation: Situation): boolean {
  if (!stands(wanted, situation) || wanted.seen === undefined) return false;
  return hangingChildren(wanted, situation).length === 0 && downBecause(wanted.seen, situation.observed) === undefined;
}

/** In words, what keeps one that stands from being whole. */
export function whyNotWhole(wanted: WantedBalancer, situation: Situation): string {
  const words = hangingChildren(wanted, situation).map(childWords);
  return words.length === 0 ? "not whole yet" : words.join(", ");
}

/** Made, with its address, and with listener and pool on every port. Members come later: machines wait for this. */
function stands({ seen }: WantedBalancer, { observed, ports }: Situation): boolean {
  if (seen === undefined || !standing.includes(seen.balancer.provisioningStatus)) return false;
  if (publicAddress(observed, seen).is !== "there") return false;
  return ports.every((port) => {
    const { listener, pool } = portOf(seen, port);
    return listener !== undefined && pool !== undefined;
  });
}

function hangingChildren({ seen }: WantedBalancer, { ports, nowMs }: Situation): readonly Child[] {
  if (seen === undefined) return [];
  const { provisioningStatus, updatedAt, createdAt } = seen.balancer;
  const hangs = provisioningStatus === "ACTIVE" && ageMs(updatedAt ?? createdAt, nowMs) > childPendingMs;
  return childrenOn(seen, ports).filter((child) => child.provisioningStatus === "ERROR" || (hangs && isPending(child)));
}

/** All mapped zones, or as many as the user says are enough. Something below one that is broken keeps no cluster from beginning. */
export function hasEnough(situation: Situation): boolean {
  const { assignment, intent } = situation;
  const due = assignment.wanted.filter(({ role }) => role !== "fallback");
  const standingNow = due.filter((wanted) => stands(wanted, situation)).length;
  const enough = intent.mode === "zones" ? Math.min(intent.consents.minZones ?? due.length, due.length) : 1;
  return due.length > 0 && standingNow >= Math.max(1, enough);
}
