// Balancers for which a failover was asked since they were last seen ACTIVE. It is asked for once: one that did not help will not help
// again, and the next remedy is to rebuild. A restart forgets, and then asks once more, which does no harm.

import type { BalancerObserved } from "../../core/model/observed.ts";

export class FailoverMemory {
  /** Ids of balancers by the object they are of. */
  readonly #tried = new Map<string, Set<string>>();

  tried(key: string, balancerId: string): void {
    this.#tried.set(key, (this.#tried.get(key) ?? new Set<string>()).add(balancerId));
  }

  /** Says of each whether it was tried, and forgets those that are well again. */
  annotate(key: string, balancers: readonly BalancerObserved[]): readonly BalancerObserved[] {
    const tried = this.#tried.get(key);
    if (tried === undefined) return balancers;
    return balancers.map((one) => {
      const { id, provisioningStatus } = one.balancer;
      if (provisioningStatus === "ACTIVE") tried.delete(id);
      return tried.has(id) ? { ...one, failoverTried: true } : one;
    });
  }

  forget(key: string): void {
    this.#tried.delete(key);
  }
}
