// Turns a round into what people are shown: the object's status in its door's own words, and counts for the gauges.

import { refOf } from "../../../apis/kube/kube-object.ts";
import type { Report, ReportInput } from "../../../engine/feature.ts";
import { credentialsLane } from "../core/model/lanes.ts";
import { endpointGauges } from "../core/status/gauges.ts";
import { endpointStatus } from "../core/status.ts";
import type { AddressedAction } from "./addressed.ts";
import type { DnsMemory } from "./dns-memory.ts";
import type { FrontDoor } from "./front-door.ts";
import type { ObservedEndpoint } from "./observe.ts";

export function reportEndpoint(door: FrontDoor, dnsMemory: DnsMemory) {
  return ({ observed, plan, outcomes, nowMs }: ReportInput<ObservedEndpoint, AddressedAction>): Report => {
    const failures = outcomes.flatMap((outcome) =>
      // One that backs off failed before, and nothing has become better since.
      outcome.result !== "done" && !isOfSecret(outcome.action)
        ? [{ lane: outcome.action.lane, reason: outcome.reason, message: outcome.message }]
        : [],
    );
    const { kubeObject: object } = observed;
    const { conditions, ...status } = endpointStatus(observed, { plan, failures }, nowMs);
    dnsMemory.remember(observed, status.dns);
    const gauges = endpointGauges(observed);
    const { intent, object: facts } = observed;
    const isHeld = (facts.foreignFinalizers ?? []).length > 0;
    const released =
      plan.actions.some(({ kind }) => kind === "remove-finalizer") ||
      (intent.deleting && !facts.hasFinalizer && !isHeld);
    return {
      // The object may be gone with its finalizer.
      statuses: released
        ? []
        : [
            {
              kind: door.root,
              ref: refOf(object),
              observed: object,
              status: door.statusOf({ ...status, conditions }, object),
              conditions,
            },
          ],
      ...(gauges === undefined ? {} : { gauges }),
    };
  };
}

/** The endpoint works without it; Events and the log say that it failed. */
function isOfSecret({ lane }: AddressedAction): boolean {
  return lane?.part === credentialsLane.part;
}
