// Which of several things that are wrong with a topology people are told first: the root of the chain. A definition without the fields and a
// declaration with errors stop everything; what somebody else wrote comes before what follows from it; a requested change that waits comes
// before the misfit that this change would end.

import type { CauseOrder } from "../../../core/root-cause.ts";

export const topologyCauseOrder: CauseOrder = {
  roots: [
    ["TopologyFieldsUnsupported", "TopologySourceInvalid"],
    ["TopologyEdited", "TopologyUnknownValue", "TopologyAlreadySet"],
    ["TopologyImmutable", "TransitionUnsupported"],
    ["TransitionPreconditionFailed", "ClusterVersionProgressing", "ClusterVersionUnknown"],
    ["TopologyDrift"],
  ],
  symptoms: [["TopologyUndeclared"], ["TopologyEmpty", "TransitionRequested"], ["AsExpected"]],
};
