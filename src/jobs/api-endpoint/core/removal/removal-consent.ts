// Consent to removals, the annotation mainstay.dev/remove-legacy, left behind: months later it would answer for the last balancer, when
// somebody switches balancers off.

import type { Refusal } from "../../../../core/plan.ts";
import { removeLegacyAnnotation } from "../../apis/annotations.ts";
import type { Situation } from "../situation/situation.ts";

export function removalConsentLeftBehind({ intent, assignment }: Situation): readonly Refusal[] {
  const isUsed = assignment.unwanted.length > 0 || assignment.wanted.some(({ role }) => role === "fallback");
  if (!intent.consents.removeLegacy || isUsed) return [];
  const message = `annotation ${removeLegacyAnnotation}=true: nothing is to be removed now; left in place it agrees to later removals, also of the last load balancer; take it off`;
  return [{ reason: "RemovalAgreed", message }];
}
