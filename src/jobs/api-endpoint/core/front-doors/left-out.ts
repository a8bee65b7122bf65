// What stands in an object and the cloud would refuse, where the rest of the object can go on without it: left out, and said.

import { usableTags, userTagProblems } from "../../../../apis/openstack/tag-text.ts";
import { formatProblem, type Problem } from "../../../../apis/text/problem.ts";
import type { EndpointIntent } from "../model/intent.ts";

export function taggedIntent(tags: readonly string[] | undefined): Pick<EndpointIntent, "tags" | "tagsLeftOut"> {
  return { tags: usableTags(tags), tagsLeftOut: userTagProblems(tags, "spec.tags").map(formatProblem) };
}

/** Those that keep an object from being acted on. */
export function holding(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ isLeftOut = false }) => !isLeftOut);
}
