// Turns a round into what people are shown: the object's status in its door's own words, and counts for the gauges.

import { refOf } from "../../../apis/kube/kube-object.ts";
import type { Report, ReportInput } from "../../../engine/feature.ts";
import { credentialsLane } from "../core/model/lanes.ts";
import type { Failure } from "../core/status/endpoint-condition.ts";
import { endpointGauges } from "../core/status/gauges.ts";
import { endpointStatus } from "../core/status.ts";
import type { AddressedAction } from "./addressed.ts";
import type { FrontDoor } from "./front-door.ts";
import type { ObservedEndpoint } from "./observe.ts";
import type { RoundMemory } from "./round-memory.ts";

export function reportEndpoint(door: FrontDoor, roundMemory: RoundMemory) {
  return ({ observed, plan, outcomes, nowMs }: ReportInput<ObservedEndpoint, AddressedAction>): Report => {
    const failures = outcomes.flatMap((outcome) =>
      // One that backs off failed before, and nothing has become better since.
      outcome.result === "done" ? [] : [failureOf(outcome.action, outcome)],
    );
    const { kubeObject: object } = observed;
    const { conditions, ...status } = endpointStatus(observed, { plan, failures }, nowMs);
    roundMemory.remember(observed, status, nowMs);
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
      gauges: endpointGauges(observed),
    };
  };
}

/** What concerns the object or its Secret says what was tried: the API server names neither. */
function failureOf({ lane, kind, words = kind }: AddressedAction, { reason, message }: Omit<Failure, "lane">): Failure {
  const isOfSecret = lane?.part === credentialsLane.part;
  if (lane !== undefined && !isOfSecret) return { lane, reason, message };
  const told = `${words}: ${message}`;
  return { lane, reason, message: isOfSecret ? `${told}; ${withoutHeldSecret}` : told };
}

const withoutHeldSecret =
  "until then nothing keeps it from being deleted before the load balancers are; allow Mainstay to patch Secrets, or see who refuses it";
