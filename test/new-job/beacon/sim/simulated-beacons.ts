// The beacon job in the simulation: people want texts and change them, and every ConfigMap says what was wanted last.

import { configMaps, customResourceDefinitions } from "../../../apis/kube/builtin-kinds.ts";
import { apiVersionOf, formatRef } from "../../../apis/kube/kube-object.ts";
import { isKubeError } from "../../../core/kube-error.ts";
import type { JobInWorld, JobWorld } from "../../../sim/run/sim-job.ts";
import { simulatedJob } from "../../../sim/run/simulated-job.ts";
import { between } from "../../../sim/time/derive-seed.ts";
import { beaconCrd, beacons } from "../apis/beacon.ts";
import { beaconFeature } from "../controller/feature.ts";
import type { ConfigMap } from "../core/plan.ts";

/** As storage names it. */
const resource = `${configMaps.group}/${configMaps.plural}`;
const ref = { name: "north", namespace: "default" };

export const simulatedBeacons = simulatedJob({
  job: "beacon",
  jobOf: () => ({ name: "beacon", inWorld: beaconsIn }),
});

function beaconsIn({ kube, random, view }: JobWorld): JobInWorld {
  let wanted = "first";
  const write = async () => {
    const beacon = { apiVersion: apiVersionOf(beacons), kind: beacons.kind, metadata: ref, spec: { text: wanted } };
    try {
      await kube.patch(beacons, ref, { type: "merge", body: { spec: beacon.spec } });
    } catch (error) {
      if (!isKubeError(error, "NotFound")) throw error;
      await kube.create(beacons, beacon);
    }
  };
  return {
    ports: [],
    checkers: [],
    prepare: async () => {
      await kube.create(customResourceDefinitions, beaconCrd);
      await write();
    },
    features: () => [beaconFeature("")],
    act: async () => {
      wanted = `text ${between(random, 1, 9)}`;
      await write();
    },
    insist: write,
    missing: () => {
      const configMap: ConfigMap | undefined = view.objectAt(resource, formatRef(ref));
      const says = configMap?.data?.["text"];
      return says === wanted ? undefined : `the ConfigMap says ${says ?? "nothing"} instead of ${wanted}`;
    },
  };
}
