// The topology controller, from its settings.

import { jobFeatures } from "../../../engine/job-features.ts";
import { formerTwoModes } from "../core/derive.ts";
import { topologyJob } from "../job.ts";
import { topologyFeature } from "./feature.ts";

export const topologyFeatures = jobFeatures(topologyJob, {
  topology: ({ settings: { rules, upgradeGate, cluster }, featureGates }) =>
    topologyFeature({
      rules: rules === formerTwoModes ? "two-modes" : rules,
      upgradeGate,
      mutable: featureGates.MutableTopology,
      ...(cluster === undefined ? {} : { cluster }),
    }),
});
