// The beacon job: for every Beacon a ConfigMap of the same name with its text. It exists to show how little a job costs.

import { z } from "zod";
import { configMaps } from "../../apis/kube/builtin-kinds.ts";
import { declareJob } from "../../core/job/declaration.ts";
import { objectGauge } from "../../core/job/metric.ts";
import { beaconCrd, beacons } from "./apis/beacon.ts";
import { beaconChanges } from "./core/plan.ts";
import { beaconCauses, beaconReasons } from "./core/reasons.ts";

export const beaconJob = declareJob({
  name: "beacon",
  summary: "For every Beacon a ConfigMap of the same name with its text.",
  controllers: {
    beacon: {
      summary: "Keeps the ConfigMaps of Beacons.",
      shows: [{ kind: beacons, what: "A text that is kept in a ConfigMap." }],
      follows: "The ConfigMaps that it keeps.",
      permissions: [
        { rights: [{ kind: beacons, subresource: "status", verb: "patch" }] },
        {
          purpose: "The ConfigMaps that it keeps.",
          rights: ["create", "patch"].map((verb) => ({ kind: configMaps, verb })),
        },
      ],
    },
  },
  definitions: [{ crd: beaconCrd }],
  admission: [],
  conversion: [],
  reasons: beaconReasons,
  causes: beaconCauses,
  changes: beaconChanges,
  metrics: { lit: objectGauge("mainstay_lit_beacons", "Beacons whose ConfigMap is there.", ["lit"]) },
  settings: {
    key: "beacon",
    schema: z.strictObject({
      prefix: z.string().default("").describe("What stands before every text."),
    }),
  },
  featureGates: {},
});
