// A location is a cloud project in one of its regions. Everything that belongs to an object is in one location, which is written to the
// object before anything is made. Credentials that lead elsewhere later, by mistake or on purpose, change nothing by themselves.

import { quote } from "../../../../apis/text/problem.ts";
import { isLocation, locationAnnotation } from "../../apis/annotations.ts";
import { type EndpointAction, isCloudAction } from "../model/action.ts";
import type { EndpointPlan } from "../model/endpoint-plan.ts";
import type { EndpointIntent } from "../model/intent.ts";
import type { RecordedEndpoint } from "../model/observed.ts";
import type { Situation } from "./situation.ts";
import type { NotOurs } from "./standing.ts";

/** Stable against new host names, other interfaces and a region that is written out only now; project ids have no slash. */
export function locationOf(project: { readonly projectId: string; readonly region: string }): string {
  return `${project.projectId}/${project.region}`;
}

/** Undefined: what the object has is here, or it has nothing anywhere. */
export function elsewhere({ door, object, deleting, location }: EndpointIntent, present: string): NotOurs | undefined {
  if (location === undefined || location === present) return undefined;
  const who = `${door} ${object.namespace}/${object.name}`;
  const remove = `kubectl annotate ${door.toLowerCase()} -n ${object.namespace} ${object.name} ${locationAnnotation}-`;
  const gone = deleting ? "what it made elsewhere is then left there" : "everything is then made anew";
  const message = isLocation(location)
    ? `${who}: what it has is in ${words(location)}, and its credentials lead to ${words(present)}; nothing is made, changed or deleted. Point them back; or, when that project is given up, consent: ${remove} (${gone})`
    : `${who}: its annotation ${locationAnnotation} is ${quote(location)}, which names no project; nothing is made, changed or deleted. Put back where its balancers are, as ${present} for ${words(present)}; or, when they are there or given up, remove it: ${remove}`;
  return { is: "elsewhere", reason: "ProjectChanged", message };
}

function words(location: string): string {
  const [project = "", ...region] = location.split("/");
  return `project ${project} in region ${region.join("/")}`;
}

/** What status remembers of another location would only mislead: its addresses and subnets are not to be had here. */
export function recordedAt(recorded: RecordedEndpoint, present: string | undefined): RecordedEndpoint {
  if (recorded.location === undefined || present === undefined || recorded.location === present) return recorded;
  return { zones: [], single: undefined, networkId: undefined };
}

/** Nothing changes in the cloud before it is written down where; where nothing is to be had yet, credentials may still be corrected. */
export function recordLocationFirst(
  plan: EndpointPlan,
  { intent, observed: { location }, assignment }: Situation,
): EndpointPlan {
  if (location === undefined || intent.location !== undefined) return plan;
  const hasSome = assignment.unwanted.length > 0 || assignment.wanted.some(({ seen }) => seen !== undefined);
  const makes = plan.actions.some(isCloudAction) || plan.waits.some(({ reason }) => reason === "PlaceUnrecorded");
  if (!hasSome && !makes) return plan;
  const recording: EndpointAction = { kind: "record-location", location, because: "ProjectUnrecorded" };
  return { ...plan, actions: [recording] };
}
