// Who answers behind each port of a balancer. The API port decides whether its zone is in the DNS records; every port counts in
// MembersHealthy.

import type { MemberNode } from "../../../../core/openstack/octavia-objects.ts";
import type { BalancerObserved } from "../model/observed.ts";
import type { Port } from "../model/port.ts";
import { memberHealth, membersBehind } from "../situation/health.ts";
import type { Situation } from "../situation/situation.ts";

export interface PortMembers {
  readonly port: Port;
  readonly total: number;
  readonly healthy: number;
  /** Nobody knows whether they answer. */
  readonly unknown: number;
  readonly down: readonly MemberNode[];
}

/** The API port first. */
export function membersByPort(seen: BalancerObserved, { ports, observed }: Situation): readonly PortMembers[] {
  return ports.map((port) => {
    const members = membersBehind(seen, port);
    const those = (wanted: ReturnType<typeof memberHealth>) =>
      members.filter((member) => memberHealth(member, seen.balancer.provider, observed) === wanted);
    return {
      port,
      total: members.length,
      healthy: those("good").length,
      unknown: those("unknown").length,
      down: those("bad"),
    };
  });
}
