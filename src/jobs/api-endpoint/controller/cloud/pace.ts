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
