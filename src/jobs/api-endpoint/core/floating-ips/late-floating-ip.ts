// A floating IP for the machines is asked for on no port (endpoint-address.ts), so that nothing keeps the cloud from making it when its
// answer was lost and the object is gone. The endpoint is written once one was seen: an object that is deleted before is held until none can
// come. One on a VIP's port cannot come late: the port goes first.

import type { Wait } from "../../../../core/plan.ts";
import { lastArrivalAfterDeletion } from "../balancer/late-creates.ts";
import type { EndpointIntent } from "../model/intent.ts";
import type { Situation } from "../situation/situation.ts";

/** One may have been asked for, and nobody has seen it. Also where floating IPs are switched off by now. */
export function mayFloatingIpArrive({ deleting, mode, location, endpoint }: EndpointIntent): boolean {
  return deleting && mode === "none" && location !== undefined && (endpoint?.host ?? "") === "";
}

/** For an object that is being deleted and that nothing in the cloud is left of: undefined when nothing can come after. */
export function lateFloatingIpWait(situation: Situation): Wait | undefined {
  const last = mayFloatingIpArrive(situation.intent) ? lastArrivalAfterDeletion(situation) : undefined;
  if (last === undefined || last.leftMs <= 0) return undefined;
  const message = `a floating IP that was asked for and not seen may still appear: the finalizer stays until ${new Date(last.untilMs).toISOString()}`;
  return { reason: "FloatingIpUnanswered", message, recheckAfterMs: last.leftMs };
}
