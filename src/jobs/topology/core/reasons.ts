// The words of the topology job: reasons that a person may have to act on, and causes of what it does by itself.

import { cause, declareCauses, declareReasons, reason } from "../../../core/reasons.ts";

// biome-ignore format: a table reads best as a table
export const topologyReasons = declareReasons({
  TopologyUndeclared: reason("on-change", "info", "A topology field is empty and nothing declares its value; operators read HighlyAvailable."),
  TopologyAlreadySet: reason("on-change", "warning", "A topology field already had another value than the declared one; Mainstay does not change it."),
  TopologyEdited: reason("on-change", "warning", "Somebody changed a topology field after Mainstay published it; Mainstay does not change it back."),
  TopologyDrift: reason("on-change", "warning", "The published topology does not fit the cluster's nodes or declared replicas; Mainstay does not change it."),
  TopologyImmutable: reason("on-change", "warning", "Another topology was requested, but the feature gate MutableTopology is off."),
  TopologyUnknownValue: reason("on-change", "warning", "A topology field has a value that this release does not know; Mainstay does not copy or change it."),
  TopologyFieldsUnsupported: reason("on-change", "error", "The CRD of Infrastructure has no topology fields, so Mainstay cannot publish them."),
  TopologySourceInvalid: reason("on-change", "error", "The declaration of the topology has errors."),
  TransitionUnsupported: reason("on-change", "error", "Mainstay cannot change the published topology to the requested one."),
  TransitionPreconditionFailed: reason("wait", "warning", "Another topology was requested, but the cluster is not ready for it."),
  ClusterVersionProgressing: reason("wait", "info", "An upgrade of the cluster is in progress; Mainstay changes the topology after it ends."),
  ClusterVersionUnknown: reason("wait", "warning", "Mainstay cannot tell whether an upgrade is in progress, so it does not change the topology yet."),
});

// biome-ignore format: a table reads best as a table
export const topologyCauses = declareCauses({
  TopologyEmpty: cause("A topology field is empty; Mainstay fills it from the declaration."),
  TopologyPublished: cause("Both topology fields have a value."),
  TopologyReportMissing: cause("The TopologyReport does not exist yet; Mainstay creates it."),
  TopologyReportOrphaned: cause("The Infrastructure object is gone; Mainstay deletes its TopologyReport."),
  TransitionRequested: cause("Another topology was requested and the cluster is ready for it."),
  TransitionComplete: cause("The requested topology is published."),
});

declare module "../../../core/reasons.ts" {
  interface JobReasons extends Readonly<Record<keyof typeof topologyReasons, unknown>> {}
  interface JobCauses extends Readonly<Record<keyof typeof topologyCauses, unknown>> {}
}
