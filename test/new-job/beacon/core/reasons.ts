// The words of the beacon job: reasons that a person may have to act on, and causes of what it does by itself.

import { cause, declareCauses, declareReasons, reason } from "../../../core/reasons.ts";

export const beaconReasons = declareReasons({
  BeaconConfigMapForeign: reason("on-change", "warning", "A ConfigMap of this name belongs to somebody else."),
});

export const beaconCauses = declareCauses({
  BeaconUnlit: cause("A Beacon has no ConfigMap, and it is made."),
  BeaconChanged: cause("A Beacon's text changed, and its ConfigMap follows."),
});

declare module "../../../core/reasons.ts" {
  interface JobReasons extends Readonly<Record<keyof typeof beaconReasons, unknown>> {}
  interface JobCauses extends Readonly<Record<keyof typeof beaconCauses, unknown>> {}
}
