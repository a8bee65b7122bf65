// Which balancers are ways in right now, and through whom. Everything that takes something away asks here first.
//
//   ACTIVE, switched on, its listener open     serves through members that answer, and may through those of whom nobody knows
//   the same, and it says that it is down      may serve through all of these: balancer-health.ts
//   the same, with a listener or pool in ERROR may serve through all of these
//   in ERROR, and it may be in use             may serve, through everybody who stands there: what Octavia says of them may be old
//   else                                       is no way in
//
// What may serve replaces nobody, and goes only while something else is known to serve.

import type { MemberNode } from "../../../../core/openstack/octavia-objects.ts";
import type { BalancerObserved, EndpointObserved } from "../model/observed.ts";
import { downBecause, isDoubtful } from "./balancer-health.ts";
import { type Health, isOpen, isServing, memberHealth, membersBehind } from "./health.ts";
import { mayBeInUse } from "./in-use.ts";
import { type PublicAddress, publicAddress } from "./public-address.ts";

/** One balancer that lets people in, and through whom. */
export interface WayIn {
  readonly balancerId: string;
  readonly healthy: readonly MemberNode[];
  /** Whether people have its address. */
  readonly address: PublicAddress["is"];
}

export interface WaysIn {
  /** Through members that are seen to answer. */
  readonly serving: readonly WayIn[];
  /** Through these, and those of whom nobody knows. */
  readonly maybeServing: readonly WayIn[];
}

/** Members whose Machine is gone, or that others put there, are no way in: what answers there is nobody's. */
export function waysIn(
  observed: EndpointObserved,
  ours: readonly BalancerObserved[],
  isNobodys: (member: MemberNode) => boolean,
): WaysIn {
  const { apiPort } = observed.intent;
  const open = ours.filter((seen) => isServing(seen) && isOpen(seen, apiPort));
  const broken = ours.filter((seen) => seen.balancer.provisioningStatus === "ERROR" && mayBeInUse(seen, observed));
  const through = (all: readonly BalancerObserved[], counts: (health: Health) => boolean): readonly WayIn[] =>
    all.flatMap((seen) => {
      const { id: balancerId, provider } = seen.balancer;
      const healthy = membersBehind(seen, apiPort).filter(
        (member) => counts(memberHealth(member, provider, observed)) && !isNobodys(member),
      );
      return healthy.length === 0 ? [] : [{ balancerId, healthy, address: publicAddress(observed, seen).is }];
    });
  const wellItself = open.filter((seen) => downBecause(seen, observed) === undefined && !isDoubtful(seen, observed));
  return {
    serving: through(wellItself, (health) => health === "good"),
    maybeServing: [...through(open, (health) => health !== "bad"), ...through(broken, () => true)],
  };
}
