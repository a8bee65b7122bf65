// What the Event about each action is called once it was done.

import { type ChangeReasons, declareChanges } from "../../../core/change-reasons.ts";
import type { TopologyAction } from "./plan.ts";

export const topologyChanges = declareChanges({
  "create-report": "TopologyReportCreated",
  "delete-report": "TopologyReportDeleted",
  declare: "TopologySpecSet",
  publish: "TopologyStatusSet",
  record: "TopologyRecorded",
} satisfies ChangeReasons<TopologyAction>);
