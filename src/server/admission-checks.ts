// Which checks belong to which kind. A write is judged by what it changes: trouble that an object has had before does not keep
// anybody from mending something else, and nothing keeps an object from being deleted.

import type { ApiEndpoint } from "../apis/api-endpoint.ts";
import { apiEndpoints } from "../apis/api-endpoint.ts";
import {
  apiEndpointProblems,
  apiEndpointUpdateProblems,
  apiEndpointWarnings,
} from "../apis/api-endpoint-validation.ts";
import { type KubeObject, resourceName } from "../apis/kube-object.ts";
import { type OpenStackCluster, openStackClusters } from "../apis/openstack-cluster.ts";
import { openStackClusterUpdateProblems } from "../apis/openstack-cluster-update.ts";
import { openStackClusterProblems, openStackClusterWarnings } from "../apis/openstack-cluster-validation.ts";
import type { Problem } from "../apis/problem.ts";

interface Checks<T extends KubeObject> {
  readonly problems: (object: T) => readonly Problem[];
  readonly updateProblems: (before: T, after: T) => readonly Problem[];
  readonly warnings: (object: T) => readonly string[];
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

/** By resource, such as `apiendpoints.mainstay.dev`. */
const checks: ReadonlyMap<string, Checks<KubeObject>> = new Map([
  [resourceName(openStackClusters), cluster as unknown as Checks<KubeObject>],
  [resourceName(apiEndpoints), endpoint as unknown as Checks<KubeObject>],
]);

/** Undefined: nobody should have asked about such a resource. */
export function judgeWrite(resource: string, after: KubeObject, before: KubeObject | undefined): Judgement | undefined {
  const { problems, updateProblems, warnings } = checks.get(resource) ?? {};
  if (problems === undefined || updateProblems === undefined || warnings === undefined) return undefined;
  if (after.metadata.deletionTimestamp !== undefined) return { problems: [], warnings: [] };
  if (before === undefined) return { problems: problems(after), warnings: warnings(after) };
  const known = new Set(problems(before).map(({ where, message }) => `${where} ${message}`));
  const fresh = problems(after).filter(({ where, message }) => !known.has(`${where} ${message}`));
  return { problems: [...updateProblems(before, after), ...fresh], warnings: warnings(after) };
}
