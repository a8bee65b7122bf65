// The object as it would be: the file's spec and annotations on what the cluster has. A file that is about another cluster is refused.

import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import { sameJson } from "../../../apis/text/json-path.ts";
import type { Problem } from "../../../apis/text/problem.ts";
import { invalid } from "../../../cli/invalid-input.ts";
import { isSubset } from "../../../engine/report/json-subset.ts";
import { type ApiEndpoint, apiEndpoints } from "../apis/api-endpoint/api-endpoint.ts";
import {
  apiEndpointProblems,
  apiEndpointUpdateProblems,
  apiEndpointUpdateWarnings,
  apiEndpointWarnings,
} from "../apis/api-endpoint/api-endpoint-validation.ts";
import type { OpenStackCluster } from "../apis/openstack-cluster/openstack-cluster.ts";
import type { SpokenVersion } from "../apis/openstack-cluster/openstack-cluster-conversion.ts";
import {
  openStackClusterUpdateProblems,
  openStackClusterUpdateWarnings,
} from "../apis/openstack-cluster/openstack-cluster-update.ts";
import {
  openStackClusterProblems,
  openStackClusterWarnings,
} from "../apis/openstack-cluster/openstack-cluster-validation.ts";
import type { Proposal } from "./proposal-file.ts";
import type { ClusterObjects } from "./read-cluster.ts";

export interface Proposed {
  readonly object: KubeObject;
  /** The cluster has it otherwise. */
  readonly isChange: boolean;
  /** What is wrong with it, in the words of the version that it was written in. */
  readonly problems: readonly Problem[];
  /** What admission would say to the change. */
  readonly updateProblems: readonly Problem[];
  readonly warnings: readonly string[];
}

/** The object as the cluster has it. */
export function presentObject(object: KubeObject): Proposed {
  return { object, isChange: false, updateProblems: [], ...validated(object, "v1beta1") };
}

export function proposedObject({ object: file, version }: Proposal, objects: ClusterObjects): Proposed {
  refuseOthers(file, objects);
  const isApiEndpoint = file.kind === apiEndpoints.kind;
  const before = isApiEndpoint
    ? objects.apiEndpoint?.metadata.name === file.metadata.name
      ? objects.apiEndpoint
      : undefined
    : objects.openStackCluster;
  const object = laidOver(file, before, objects.facts.ref.namespace);
  const common = { object, isChange: before === undefined || !isLike(file, before), ...validated(object, version) };
  return before === undefined ? { ...common, updateProblems: [] } : { ...common, ...ofChange(before, common, version) };
}

/** What admission would say to the change itself, beside what it says of its outcome. */
function ofChange(
  before: KubeObject,
  { object, problems, warnings }: Pick<Proposed, "object" | "problems" | "warnings">,
  version: SpokenVersion,
): Pick<Proposed, "updateProblems" | "warnings"> {
  const [updateProblems, updateWarnings] =
    object.kind === apiEndpoints.kind
      ? [apiEndpointUpdateProblems(before, object), apiEndpointUpdateWarnings(before, object)]
      : [
          openStackClusterUpdateProblems(before, object, version),
          openStackClusterUpdateWarnings(before, object, version),
        ];
  // A change that is refused costs nothing.
  const isRefused = problems.length + updateProblems.length > 0;
  return { updateProblems, warnings: isRefused ? warnings : [...updateWarnings, ...warnings] };
}

/** Nothing would change if it were applied. What the server filled in counts as a change: that is the safe mistake. */
function isLike(file: OpenStackCluster | ApiEndpoint, before: OpenStackCluster | ApiEndpoint): boolean {
  const { annotations = {}, labels = {} } = file.metadata;
  return (
    isSubset({ annotations, labels }, { annotations: {}, labels: {}, ...before.metadata }) &&
    sameJson(file.spec, before.spec)
  );
}

function validated(object: KubeObject, version: SpokenVersion): Pick<Proposed, "problems" | "warnings"> {
  return object.kind === apiEndpoints.kind
    ? { problems: apiEndpointProblems(object), warnings: apiEndpointWarnings(object) }
    : { problems: openStackClusterProblems(object, version), warnings: openStackClusterWarnings(object, version) };
}

/** As an apply would leave it: annotations of others stay, and so does everything the server keeps. */
function laidOver(file: KubeObject, before: KubeObject | undefined, namespace: string): KubeObject {
  const annotations = { ...before?.metadata.annotations, ...file.metadata.annotations };
  const labels = { ...before?.metadata.labels, ...file.metadata.labels };
  const { status } = (before ?? {}) as { readonly status?: unknown };
  const { status: _, ...rest } = file as KubeObject & { readonly status?: unknown };
  const metadata = { ...before?.metadata, name: file.metadata.name, namespace, annotations, labels };
  const laid = { ...rest, metadata, ...(status === undefined ? {} : { status }) };
  return laid;
}

function refuseOthers(file: KubeObject, { facts, infrastructureName, infrastructureKind }: ClusterObjects): void {
  const { namespace, name } = facts.ref;
  const { namespace: given = namespace } = file.metadata;
  if (given !== namespace)
    throw invalid("metadata.namespace", `"${given}" is not ${namespace}, where the cluster is`, "Correct it.");
  if (file.kind === apiEndpoints.kind) {
    const named = (file as ApiEndpoint).spec?.clusterRef?.name ?? "";
    if (named !== name) throw invalid("spec.clusterRef.name", `"${named}" is not the cluster ${name}`, "Correct it.");
  } else if (infrastructureKind !== file.kind || infrastructureName !== file.metadata.name) {
    const has = infrastructureKind === "" ? "none" : `${infrastructureKind} ${infrastructureName}`;
    throw invalid(
      "metadata.name",
      `"${file.metadata.name}" is not the cluster's infrastructure, which is ${has}`,
      "Correct it.",
    );
  }
}
