// The words of the topology job: reasons that a person may have to act on, and causes of what it does by itself.

import { cause, declareCauses, declareReasons, reason } from "../../../core/reasons.ts";

// biome-ignore format: a table reads best as a table
export const topologyReasons = declareReasons({
  TopologyUndeclared: reason("on-change", "info", "A topology field is empty and nothing was declared; consumers read HighlyAvailable."),
  TopologyAlreadySet: reason("on-change", "warning", "A topology field was set before to another value than the declared one; it is left alone."),
  TopologyEdited: reason("on-change", "warning", "Somebody changed a topology field after it was published; it is not reverted."),
  TopologyDrift: reason("on-change", "warning", "The published topology does not fit what the cluster looks like; it is not changed."),
  TopologyImmutable: reason("on-change", "warning", "Another topology was requested, but the feature gate MutableTopology is off."),
  TopologyUnknownValue: reason("on-change", "warning", "A topology field holds a value that this version does not know; it is neither copied nor changed."),
  TopologyFieldsUnsupported: reason("on-change", "error", "The cluster's definition of Infrastructure has no topology fields, so they cannot be published."),
  TopologySourceInvalid: reason("on-change", "error", "The declaration the topology is derived from cannot be understood."),
  TransitionUnsupported: reason("on-change", "error", "No way leads from the published topology to the requested one."),
  TransitionPreconditionFailed: reason("wait", "warning", "Another topology was requested, but the cluster is not ready for it."),
  ClusterVersionProgressing: reason("wait", "info", "An upgrade of the cluster is under way; a requested topology waits for its end."),
  ClusterVersionUnknown: reason("wait", "warning", "Whether an upgrade is under way cannot be told; a requested topology waits."),
});

// biome-ignore format: a table reads best as a table
export const topologyCauses = declareCauses({
  TopologyEmpty: cause("A topology field is empty and is filled from what was declared."),
  TopologyPublished: cause("Both topology fields hold a value."),
  TopologyReportMissing: cause("The TopologyReport of the cluster does not exist yet."),
  TopologyReportOrphaned: cause("A TopologyReport outlived the Infrastructure object it speaks of."),
  TransitionRequested: cause("Another topology was requested, and nothing stands in its way."),
  TransitionComplete: cause("The requested topology is published."),
});

declare module "../../../core/reasons.ts" {
  interface JobReasons extends Readonly<Record<keyof typeof topologyReasons, unknown>> {}
  interface JobCauses extends Readonly<Record<keyof typeof topologyCauses, unknown>> {}
}
