// Whether a wanted balancer is whole, and whether there are enough of them for the cluster to begin.

import { lastKnown } from "../../../../core/known.ts";
import type { WantedBalancer } from "./assignment.ts";
import { portOf } from "./health.ts";
import { publicAddress } from "./public-address.ts";
import type { Situation } from "./situation.ts";

/** A change passes through PENDING_UPDATE, and the balancer serves meanwhile: it is no less whole for that. */
const standing: readonly string[] = ["ACTIVE", "PENDING_UPDATE"];

/**
 * Made, with its address, and with listener and pool on every port. Members come later: machines wait for this. While a slow cloud is
 * asked again it is as whole as it was.
 */
export function isWhole({ seen }: WantedBalancer, { observed, ports }: Situation): boolean {
  if (seen === undefined || !standing.includes(seen.balancer.provisioningStatus)) return false;
  if (publicAddress({ ...observed, floatingIps: lastKnown(observed.floatingIps) }, seen).is !== "there") return false;
  return ports.every((port) => {
    const { listener, pool } = portOf({ ...seen, tree: lastKnown(seen.tree) }, port);
    return listener !== undefined && pool !== undefined;
  });
}

/** All mapped zones, or as many as the user says are enough. */
export function hasEnough(situation: Situation): boolean {
  const { assignment, intent } = situation;
  const due = assignment.wanted.filter(({ role }) => role !== "fallback");
  const whole = due.filter((wanted) => isWhole(wanted, situation)).length;
  const enough = intent.mode === "zones" ? Math.min(intent.consents.minZones ?? due.length, due.length) : 1;
  return due.length > 0 && whole >= Math.max(1, enough);
}
