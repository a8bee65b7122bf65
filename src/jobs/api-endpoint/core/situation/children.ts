// What stands below a balancer on the ports that are asked for, each with a provisioning status of its own: a balancer that is ACTIVE says
// nothing of its children.

import type { ProvisioningStatus } from "../../../../core/openstack/octavia-objects.ts";
import type { BalancerObserved } from "../model/observed.ts";
import type { Port } from "../model/port.ts";
import { portOf } from "./health.ts";

export interface Child {
  readonly what: "listener" | "pool" | "health monitor" | "member";
  readonly name: string;
  readonly provisioningStatus: ProvisioningStatus;
}

/** Port by port. The tree's word on a listener is younger than that of the list. */
export function childrenOn(seen: BalancerObserved, ports: readonly Port[]): readonly Child[] {
  const nodes = seen.tree.known ? seen.tree.value.listeners : [];
  return ports.flatMap((port): readonly Child[] => {
    const { listener, pool } = portOf(seen, port);
    const node = nodes.find(({ id }) => id === listener?.id) ?? listener;
    return [
      ...(node === undefined ? [] : [asChild("listener", node)]),
      ...(pool === undefined ? [] : [asChild("pool", pool)]),
      ...(pool?.healthMonitor === undefined ? [] : [asChild("health monitor", pool.healthMonitor)]),
      ...(pool?.members ?? []).map((member) => asChild("member", member)),
    ];
  });
}

export function isPending({ provisioningStatus }: Pick<Child, "provisioningStatus">): boolean {
  return provisioningStatus.startsWith("PENDING_");
}

/** In words. */
export function childWords({ what, name, provisioningStatus }: Child): string {
  return `${what} ${name}: ${provisioningStatus === "ERROR" ? "in ERROR" : provisioningStatus}`;
}

function asChild(what: Child["what"], { name, provisioningStatus }: Omit<Child, "what">): Child {
  return { what, name, provisioningStatus };
}
