// What a key counts outside, by closed labels: for gauges that sum over all keys.

/** How many things of a sort a key has outside, for a gauge that sums over all keys. */
export type CensusCount =
  | {
      readonly metric: "loadBalancers";
      readonly labels: { readonly zone: string; readonly state: string };
      readonly count: number;
    }
  | {
      readonly metric: "loadBalancerMembers";
      readonly labels: { readonly zone: string; readonly health: string };
      readonly count: number;
    };
