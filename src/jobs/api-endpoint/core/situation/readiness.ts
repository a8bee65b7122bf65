// Whether a wanted balancer is whole, and whether there are enough of them for the cluster to begin.

import type { Seat } from "./assignment.ts";
import { portOf } from "./health.ts";
import { publicAddress } from "./public-address.ts";
import type { Situation } from "./situation.ts";

/** A change passes through PENDING_UPDATE, and the balancer serves meanwhile: it is no less whole for that. */
const standing: readonly string[] = ["ACTIVE", "PENDING_UPDATE"];

/** Made, with its address, and with listener and pool on every port. Members come later: machines wait for this. */
export function isWhole({ seen }: Seat, { observed, ports }: Situation): boolean {
  if (seen === undefined || !standing.includes(seen.balancer.provisioningStatus)) return false;
  if (publicAddress(observed, seen).is !== "there") return false;
  return ports.every((port) => {
    const { listener, pool } = portOf(seen, port);
    return listener !== undefined && pool !== undefined;
  });
}

/** All mapped zones, or as many as the user says are enough (decision 37). */
export function hasEnough(situation: Situation): boolean {
  const { claims, intent } = situation;
  const wanted = claims.seats.filter(({ role }) => role !== "fallback");
  const whole = wanted.filter((seat) => isWhole(seat, situation)).length;
  const enough = intent.mode === "zones" ? Math.min(intent.consents.minZones ?? wanted.length, wanted.length) : 1;
  return wanted.length > 0 && whole >= Math.max(1, enough);
}
