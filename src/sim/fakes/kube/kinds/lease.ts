// Leases: the numbers leader election relies on.

import { invalid } from "../field-cause.ts";
import type { ResourceStrategy } from "../resource.ts";
import { objectAt } from "../schema/json-value.ts";

export const leaseStrategy: ResourceStrategy = {
  needsResourceVersion: true,
  createsOnUpdate: true,
  defaults: (lease) => ({ ...lease, spec: objectAt(lease, "spec") }),
  // Coordinated leader election is behind a gate that is off by default.
  prepare: (lease) => {
    const { strategy: _strategy, preferredHolder: _holder, ...spec } = objectAt(lease, "spec");
    return { ...lease, spec };
  },
  validate: (lease) => {
    const { leaseDurationSeconds: duration, leaseTransitions: transitions } = objectAt(lease, "spec");
    return [
      ...(typeof duration === "number" && duration <= 0
        ? [invalid("spec.leaseDurationSeconds", duration, "must be greater than 0")]
        : []),
      ...(typeof transitions === "number" && transitions < 0
        ? [invalid("spec.leaseTransitions", transitions, "must be greater than or equal to 0")]
        : []),
    ];
  },
};
