// The beacon controller, from its settings.

import { jobFeatures } from "../../../engine/job-features.ts";
import { beaconJob } from "../job.ts";
import { beaconFeature } from "./feature.ts";

export const beaconFeatures = jobFeatures(beaconJob, {
  beacon: ({ settings: { prefix } }) => beaconFeature(prefix),
});
