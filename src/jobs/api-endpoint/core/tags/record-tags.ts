// When which tags of the user's are in the cloud is written to the object.
//
//   the spec has others than what is written down   `applying`: all that may be on anything, before one is put on or taken off
//   everything was seen with the right ones         `applied`: from then on nobody lists members any more
//
// What cannot be seen now, or keeps a former tag for a while because it is on its way out, leaves it at `applying`.

import type { EndpointAction } from "../model/action.ts";
import type { EndpointPlan } from "../model/endpoint-plan.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { hasOwnerTag, hasTagOf, isFloatingIpMade } from "../model/ownership.ts";
import type { Situation } from "../situation/situation.ts";
import { changedRecord, isApplying } from "./user-tags.ts";

export function recordTags(plan: EndpointPlan, situation: Situation): EndpointPlan {
  const recording = recordingFor(plan, situation);
  return recording === undefined ? plan : { ...plan, actions: [...plan.actions, recording] };
}

function recordingFor({ actions }: EndpointPlan, situation: Situation): EndpointAction | undefined {
  const { intent } = situation;
  const changed = changedRecord(intent);
  if (changed !== undefined) return { kind: "record-tags", record: changed, because: "TagsChanged" };
  if (!isApplying(intent) || actions.length > 0 || !isApplied(situation)) return undefined;
  return { kind: "record-tags", record: { is: "applied", tags: intent.tags }, because: "TagsApplied" };
}

/** Beside a plan that does nothing: what lacks a tag and can be seen would be given it. */
function isApplied({ observed, assignment, userTags, ownerId }: Situation): boolean {
  const { floatingIps, places, capabilities, underWay = [] } = observed;
  // What has not been answered yet may still bring the tags of before.
  const isAllThere = underWay.length === 0 && assignment.wanted.every(({ seen }) => seen !== undefined);
  if (!isAllThere || !floatingIps.known || !places.known || !capabilities.known) return false;
  const ours = [...assignment.wanted.flatMap(({ seen }) => seen ?? []), ...assignment.unwanted.map(({ seen }) => seen)];
  const marked = [
    ...ours.flatMap(partsOf).filter(({ tags }) => hasOwnerTag(tags, ownerId)),
    ...floatingIps.value.filter((one) => isFloatingIpMade(one, ownerId)),
  ];
  return ours.every(isSeenWhole) && !marked.some(({ tags }) => hasTagOf(userTags.former, tags));
}

function isSeenWhole({ balancer, tree, pools, members }: BalancerObserved): boolean {
  if (balancer.provisioningStatus !== "ACTIVE" || !tree.known) return false;
  return tree.value.pools.length === 0 || (pools !== undefined && members !== undefined);
}

function partsOf(seen: BalancerObserved): readonly { readonly tags: readonly string[] }[] {
  const { balancer, listeners, monitors, pools = [], members } = seen;
  return [balancer, ...listeners, ...monitors, ...pools, ...[...(members?.values() ?? [])].flat()];
}
