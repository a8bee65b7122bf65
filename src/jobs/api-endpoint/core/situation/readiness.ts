// Whether a wanted balancer is whole, and whether there are enough of them for the cluster to begin. What nobody can read is not missing:
// a Neutron that is away hides addresses, and a balancer that cannot be read hides its pools.

import { lastKnown } from "../../../../core/known.ts";
import type { WantedBalancer } from "./assignment.ts";
import { portOf } from "./health.ts";
import { publicAddress } from "./public-address.ts";
import type { Situation } from "./situation.ts";

export type Answer = "yes" | "no" | "unknown";

/** A change passes through PENDING_UPDATE, and the balancer serves meanwhile: it is no less whole for that. */
const standing: readonly string[] = ["ACTIVE", "PENDING_UPDATE"];

/**
 * Made, with its address, and with listener and pool on every port. Members come later: machines wait for this. While a slow cloud is
 * asked again it is as whole as it was.
 */
export function wholeness({ seen }: WantedBalancer, { observed, ports }: Situation): Answer {
  if (seen === undefined || !standing.includes(seen.balancer.provisioningStatus)) return "no";
  const { is: address } = publicAddress({ ...observed, floatingIps: lastKnown(observed.floatingIps) }, seen);
  if (address === "missing") return "no";
  const tree = lastKnown(seen.tree);
  if (!tree.known) return "unknown";
  const hasParts = ports.every((port) => {
    const { listener, pool } = portOf({ ...seen, tree }, port);
    return listener !== undefined && pool !== undefined;
  });
  if (!hasParts) return "no";
  return address === "there" ? "yes" : "unknown";
}

export function isWhole(wanted: WantedBalancer, situation: Situation): boolean {
  return wholeness(wanted, situation) === "yes";
}

/** All mapped zones, or as many as the user says are enough. */
export function enoughWhole(situation: Situation): Answer {
  const { assignment, intent } = situation;
  const due = assignment.wanted.filter(({ role }) => role !== "fallback");
  const answers = due.map((wanted) => wholeness(wanted, situation));
  const needed = intent.mode === "zones" ? Math.min(intent.consents.minZones ?? due.length, due.length) : 1;
  const enough = Math.max(1, needed);
  if (answers.filter((answer) => answer === "yes").length >= enough) return "yes";
  return answers.filter((answer) => answer !== "no").length >= enough ? "unknown" : "no";
}

export function hasEnough(situation: Situation): boolean {
  return enoughWhole(situation) === "yes";
}
