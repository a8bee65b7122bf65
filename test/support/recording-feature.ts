// A feature that does nothing but note the keys it is asked about, to see whether others hold it up.

import { configMaps } from "../../src/apis/kube/builtin-kinds.ts";
import { refOf } from "../../src/apis/kube/kube-object.ts";
import { emptyPlan } from "../../src/core/plan.ts";
import { type Feature, feature, watch } from "../../src/engine/feature.ts";

export function recordingFeature(seen: string[]): Feature {
  return feature({
    name: "other",
    root: configMaps,
    watches: [watch({ kind: configMaps, keys: (object) => [refOf(object)] })],
    observe: async ({ name }) => void seen.push(name),
    plan: () => emptyPlan,
    executors: {},
    changes: {},
  });
}
