// How long a balancer is PENDING at the least after a change: observed sooner, it would show nothing else.

import type { AddressedAction } from "../addressed.ts";

/** What Octavia itself carries out takes from half a second to minutes; a new balancer and new members take the longest. */
const settleMsOf: Readonly<Partial<Record<AddressedAction["kind"], number>>> = {
  "create-load-balancer": 2_000,
  "update-load-balancer": 1_000,
  "delete-load-balancer": 2_000,
  "failover-load-balancer": 2_000,
  "create-listener": 1_000,
  "update-listener": 1_000,
  "delete-listener": 1_000,
  "create-pool": 1_000,
  "update-pool": 1_000,
  "delete-pool": 1_000,
  "create-monitor": 1_000,
  "delete-monitor": 1_000,
  "update-monitor": 1_000,
  "merge-members": 3_000,
  "remove-member": 1_000,
};

export function settleMs({ kind }: AddressedAction): number {
  return settleMsOf[kind] ?? 0;
}
