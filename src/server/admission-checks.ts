// Which checks belong to which kind. A write is judged by what it changes: trouble that an object has had before is warned of and keeps
// nobody from mending something else, and nothing keeps an object from being deleted.

import { type KubeObject, resourceName } from "../apis/kube/kube-object.ts";
import { formatProblem, type Problem } from "../apis/text/problem.ts";
import type { ApiEndpoint } from "../jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { apiEndpoints } from "../jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import {
  apiEndpointProblems,
  apiEndpointUpdateProblems,
  apiEndpointWarnings,
} from "../jobs/api-endpoint/apis/api-endpoint/api-endpoint-validation.ts";
import {
  type OpenStackCluster,
  openStackClusters,
} from "../jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import type { SpokenVersion } from "../jobs/api-endpoint/apis/openstack-cluster/openstack-cluster-conversion.ts";
import { openStackClusterUpdateProblems } from "../jobs/api-endpoint/apis/openstack-cluster/openstack-cluster-update.ts";
import {
  openStackClusterProblems,
  openStackClusterWarnings,
} from "../jobs/api-endpoint/apis/openstack-cluster/openstack-cluster-validation.ts";

interface Checks<T extends KubeObject> {
  readonly problems: (object: T, version: SpokenVersion) => readonly Problem[];
  readonly updateProblems: (before: T, after: T, version: SpokenVersion) => readonly Problem[];
  readonly warnings: (object: T, version: SpokenVersion) => readonly string[];
}

export interface Write {
  /** Such as `apiendpoints.mainstay.dev`. */
  readonly resource: string;
  /** That the writer speaks. */
  readonly version: SpokenVersion;
  readonly after: KubeObject;
  readonly before: KubeObject | undefined;
}

export interface Judgement {
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

const cluster: Checks<OpenStackCluster> = {
  problems: openStackClusterProblems,
  updateProblems: openStackClusterUpdateProblems,
  warnings: openStackClusterWarnings,
};
const endpoint: Checks<ApiEndpoint> = {
  problems: apiEndpointProblems,
  updateProblems: apiEndpointUpdateProblems,
  warnings: apiEndpointWarnings,
};

/** By resource. */
const checks: ReadonlyMap<string, Checks<KubeObject>> = new Map([
  [resourceName(openStackClusters), cluster as unknown as Checks<KubeObject>],
  [resourceName(apiEndpoints), endpoint as unknown as Checks<KubeObject>],
]);

/** Undefined: nobody should have asked about such a resource. */
export function judgeWrite({ resource, version, after, before }: Write): Judgement | undefined {
  const { problems, updateProblems, warnings } = checks.get(resource) ?? {};
  if (problems === undefined || updateProblems === undefined || warnings === undefined) return undefined;
  if (after.metadata.deletionTimestamp !== undefined) return { problems: [], warnings: [] };
  const found = problems(after, version);
  const said = warnings(after, version);
  if (before === undefined) return { problems: found, warnings: said };
  const known = new Set(problems(before, version).map(formatProblem));
  const isKnown = (problem: Problem) => known.has(formatProblem(problem));
  return {
    problems: [...updateProblems(before, after, version), ...found.filter((problem) => !isKnown(problem))],
    warnings: [...said, ...found.filter(isKnown).map(formatProblem)],
  };
}
