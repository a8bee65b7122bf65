// Balancers for which a failover was asked since they were last seen ACTIVE. It is asked for once: one that did not help will not help
// again, and the next remedy is to rebuild. A restart forgets, and then asks once more, which does no harm. So does a balancer that is gone.

import type { BalancerObserved } from "../../core/model/observed.ts";

export class FailoverMemory {
  /** Ids of balancers by the object they are of. */
  readonly #tried = new Map<string, Set<string>>();

  tried(key: string, balancerId: string): void {
    this.#tried.set(key, (this.#tried.get(key) ?? new Set<string>()).add(balancerId));
  }

  /** Says of each whether it was tried, and forgets those that are well again, or gone. */
  annotate(key: string, balancers: readonly BalancerObserved[]): readonly BalancerObserved[] {
    const before = this.#tried.get(key);
    if (before === undefined) return balancers;
    const unwell = balancers.filter(({ balancer }) => balancer.provisioningStatus !== "ACTIVE");
    const tried = new Set(unwell.map(({ balancer }) => balancer.id).filter((id) => before.has(id)));
    if (tried.size === 0) this.#tried.delete(key);
    else this.#tried.set(key, tried);
    return balancers.map((one) => (tried.has(one.balancer.id) ? { ...one, failoverTried: true } : one));
  }

  forget(key: string): void {
    this.#tried.delete(key);
  }
}
