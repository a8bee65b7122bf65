// Leases: the numbers leader election relies on, and times with exactly six decimals.

import { invalid } from "../field-cause.ts";
import type { JsonObject } from "../json.ts";
import { textOf } from "../json-text.ts";
import type { ResourceStrategy } from "../resource.ts";
import { badRequest } from "../rest/api-error.ts";
import { objectAt } from "../schema/json-value.ts";

const microTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[-+]\d\d:\d\d)$/;

export const leaseStrategy: ResourceStrategy = {
  needsResourceVersion: true,
  defaults: (lease) => {
    const spec = objectAt(lease, "spec");
    for (const field of ["acquireTime", "renewTime"]) checkMicroTime("Lease", spec[field]);
    return { ...lease, spec };
  },
  validate: (lease) => {
    const spec = objectAt(lease, "spec");
    const { leaseDurationSeconds: duration, leaseTransitions: transitions, holderIdentity: holder } = spec;
    return [
      ...(typeof duration === "number" && duration <= 0
        ? [invalid("spec.leaseDurationSeconds", duration, "must be greater than 0")]
        : []),
      ...(typeof transitions === "number" && transitions < 0
        ? [invalid("spec.leaseTransitions", transitions, "must be greater than or equal to 0")]
        : []),
      ...(holder === "" ? [invalid("spec.holderIdentity", "", "must not be empty")] : []),
    ];
  },
};

export function checkMicroTime(kind: string, value: JsonObject[string]): void {
  if (value === undefined || value === null || (typeof value === "string" && microTime.test(value))) return;
  const layout = "2006-01-02T15:04:05.000000Z07:00";
  throw badRequest(
    `${kind} in version "v1" cannot be handled as a ${kind}: parsing time "${textOf(value)}" as "${layout}": cannot parse it`,
  );
}
