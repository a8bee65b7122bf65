// Balancers for which a failover was asked since they were last seen ACTIVE. It is asked for once: one that did not help will not help
// again, and the next remedy is to rebuild. A restart forgets, and then asks once more, which does no harm.

import type { BalancerObserved } from "../../core/model/observed.ts";

export class FailoverMemory {
  readonly #tried = new Set<string>();

  tried(balancerId: string): void {
    this.#tried.add(balancerId);
  }

  /** Says of each whether it was tried, and forgets those that are well again. */
  annotate(balancers: readonly BalancerObserved[]): readonly BalancerObserved[] {
    return balancers.map((seen) => {
      const { id, provisioningStatus } = seen.balancer;
      if (provisioningStatus === "ACTIVE") this.#tried.delete(id);
      return this.#tried.has(id) ? { ...seen, failoverTried: true } : seen;
    });
  }
}
