// A deliberate bug, put in through the overrides of the world, and the checker that has to find it.

import type { Feature } from "../../../src/engine/feature.ts";
import type { EndpointOverrides } from "../../../src/jobs/api-endpoint/sim/api-endpoint-job.ts";
import type { GatewayOverrides } from "../../../src/jobs/gateway/sim/gateway-job.ts";
import type { WorldOverrides } from "../../../src/sim/processes/start-manager.ts";
import type { SpecimenOverrides } from "../../../src/sim/specimen/specimen-job.ts";

export interface Mutation {
  readonly name: string;
  readonly bug: string;
  /** Whose promise it breaks. That another checker sees something first is no proof of this one. */
  readonly checker: string;
  /** What that checker has to say, where it looks in several places. */
  readonly sees?: RegExp;
  /** The seed that caught it when this was last written down. */
  readonly caughtAt: number;
  /** Made anew for each seed, so that nothing is carried over. */
  readonly overrides?: () => WorldOverrides;
  readonly specimen?: () => SpecimenOverrides;
  readonly endpoint?: () => EndpointOverrides;
  readonly gateway?: () => GatewayOverrides;
}

/** The overrides that change one feature. */
export function changing(name: string, change: (feature: Feature) => Partial<Feature>): Pick<Mutation, "overrides"> {
  return {
    overrides: () => ({
      features: (features) =>
        features.map((feature) => (feature.name === name ? { ...feature, ...change(feature) } : feature)),
    }),
  };
}

export function changingSpecimen(change: (feature: Feature) => Partial<Feature>): Pick<Mutation, "overrides"> {
  return changing("specimen", change);
}
