// How often a cloud is asked about an object at rest: one for which nothing was to be done when it was last observed.

/** A member that fails is seen after this long at most, and a zone leaves the DNS records after twice as long. */
export const defaultObserveAgainMs = 30_000;

const longestWithoutNeutronMs = 120_000;

/**
 * Balancers show by themselves when they change, floating IPs do not: somebody has to ask. They are moved by hand rarely, and Neutron is as
 * busy as Octavia, so that each fourth observation asks, and one of them at least every two minutes.
 */
export function floatingIpsEveryMs(observeAgainMs: number): number {
  return Math.max(observeAgainMs, Math.min(4 * observeAgainMs, longestWithoutNeutronMs));
}

const lookUpMs = 600_000;
const lookUpAtRestMs = 3_600_000;

/**
 * What the selectors of a spec mean, and which floating IPs bear our mark or are written down, changes by an operator's hand only, and each
 * object has to ask by itself: one at rest asks once an hour. Where anything is to be done, the answer is ten minutes old at most.
 */
export function lookUpEveryMs({ isAtRest }: { readonly isAtRest: boolean }): number {
  return isAtRest ? lookUpAtRestMs : lookUpMs;
}

/** With the time between two looks, what was created in the cloud after an object had named it is found within five minutes. */
export const longestWhileMissingMs = 240_000;
