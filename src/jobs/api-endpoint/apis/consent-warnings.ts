// Consents that agree to nothing now. They count for as long as they stand, so that one left behind agrees to a removal or a repair
// that nobody has thought of yet.

import { annotationAt } from "../../../apis/kube/annotation-spelling.ts";
import type { Condition, ObjectMeta } from "../../../apis/kube/kube-object.ts";
import { consentedZones, isConsent, removeLegacyAnnotation, repairAnnotation } from "./annotations.ts";
import type {
  ApiServerLoadBalancer,
  LeavingLoadBalancer,
  LoadBalancerStatus,
} from "./load-balancer/api-server-load-balancer.ts";
import { isEnabled } from "./load-balancer/api-server-load-balancer.ts";

export interface Consenting {
  readonly metadata: ObjectMeta;
  readonly block: ApiServerLoadBalancer | undefined;
  readonly status:
    | {
        readonly conditions?: readonly Condition[];
        readonly apiServerLoadBalancers?: readonly unknown[];
        readonly apiServerLoadBalancer?: LoadBalancerStatus;
        readonly leavingLoadBalancers?: readonly LeavingLoadBalancer[];
      }
    | undefined;
}

export function consentWarnings(object: Consenting): readonly string[] {
  const { annotations = {} } = object.metadata;
  const about = (name: string, words: string | undefined) => {
    const isGiven =
      isConsent(annotations[name]) || (name === repairAnnotation && agreesForZone(annotations[name], object));
    return isGiven && words !== undefined ? [`${annotationAt(name)}: ${words}`] : [];
  };
  return [...about(removeLegacyAnnotation, removalWords(object)), ...about(repairAnnotation, repairWords(object))];
}

/** What names no mapped zone agrees to nothing, now or later (annotation-checks.ts says so). */
function agreesForZone(value: string | undefined, { block }: Consenting): boolean {
  const mapped = (block?.availabilityZoneSubnets ?? []).map(({ availabilityZone }) => availabilityZone);
  return consentedZones(value).some((zone) => mapped.includes(zone));
}

function removalWords({ block, status = {} }: Consenting): string | undefined {
  const isAsked =
    isPresent(status.conditions, "LegacyLoadBalancerPresent") || isPresent(status.conditions, "LoadBalancerKept");
  if (isAsked || (status.leavingLoadBalancers ?? []).length > 0) return undefined;
  const hasBalancers = (status.apiServerLoadBalancers ?? []).length > 0 || Boolean(status.apiServerLoadBalancer?.id);
  return !isEnabled(block) && hasBalancers
    ? "balancers are switched off, and this agrees that the last one goes at once, too; take it off to have that one kept until you agree"
    : "nothing is to be removed now; left in place it agrees to later removals; take it off";
}

function repairWords({ status = {} }: Consenting): string | undefined {
  const { conditions = [] } = status;
  return conditions.some(({ type, status: truth }) => type === "LoadBalancersReady" && truth !== "True")
    ? undefined
    : "nothing is to be repaired now; left in place it agrees to later repairs; take it off";
}

/** While nobody can tell it may still be so. */
function isPresent(conditions: readonly Condition[] = [], wanted: string): boolean {
  return conditions.some(({ type, status }) => type === wanted && status !== "False");
}
