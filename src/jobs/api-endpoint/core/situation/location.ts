// A site is a cloud project in one of its regions: everything of an object is in one site, and is found from nowhere else. It is written
// to the object before anything is made; credentials that lead elsewhere later, by mistake or on purpose, change nothing by themselves.

import { quote } from "../../../../apis/text/problem.ts";
import type { Unknown } from "../../../../core/known.ts";
import { isSite, siteAnnotation } from "../../apis/annotations.ts";
import { type EndpointAction, isCloudAction } from "../model/action.ts";
import type { EndpointIntent } from "../model/intent.ts";
import type { RecordedEndpoint } from "../model/observed.ts";
import type { EndpointPlan, Situation } from "./situation.ts";

/** Stable against new host names, other interfaces and a region that is written out only now; project ids have no slash. */
export function siteOf(project: { readonly projectId: string; readonly region: string }): string {
  return `${project.projectId}/${project.region}`;
}

/** Undefined: the object's things are here, or it has none anywhere. */
export function strayedFrom({ door, object, deleting, site }: EndpointIntent, present: string): Unknown | undefined {
  if (site === undefined || site === present) return undefined;
  const who = `${door} ${object.namespace}/${object.name}`;
  const remove = `kubectl annotate ${door.toLowerCase()} -n ${object.namespace} ${object.name} ${siteAnnotation}-`;
  const gone = deleting ? "what it made elsewhere is then left there" : "everything is then made anew";
  const message = isSite(site)
    ? `${who}: what it has is in ${words(site)}, and its credentials lead to ${words(present)}; nothing is made, changed or deleted. Point them back; or, when that project is given up, consent: ${remove} (${gone})`
    : `${who}: its annotation ${siteAnnotation} is ${quote(site)}, which names no project; nothing is made, changed or deleted. Put back where its balancers are, as ${present} for ${words(present)}; or, when they are there or given up, remove it: ${remove}`;
  return { known: false, reason: "ProjectChanged", message };
}

function words(site: string): string {
  const [project = "", ...region] = site.split("/");
  return `project ${project} in region ${region.join("/")}`;
}

/** What status remembers of another site would only mislead: its addresses and subnets are not to be had here. */
export function rememberedAt(recorded: RecordedEndpoint, present: string | undefined): RecordedEndpoint {
  if (recorded.site === undefined || present === undefined || recorded.site === present) return recorded;
  return { zones: [], single: undefined, networkId: undefined };
}

/** Nothing changes in the cloud before it is written down where; where nothing is to be had yet, credentials may still be corrected. */
export function siteFirst(plan: EndpointPlan, { intent, observed: { site }, claims }: Situation): EndpointPlan {
  if (site === undefined || intent.site !== undefined) return plan;
  const hasSome = claims.surplus.length > 0 || claims.seats.some(({ seen }) => seen !== undefined);
  const makes = plan.actions.some(isCloudAction) || plan.waits.some(({ reason }) => reason === "PlaceUnrecorded");
  if (!hasSome && !makes) return plan;
  const claim: EndpointAction = { kind: "claim-site", site, because: "ProjectUnrecorded" };
  return { ...plan, actions: [claim] };
}
