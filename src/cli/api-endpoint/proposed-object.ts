// The object as it would be: the file's spec and annotations on what the cluster has. A file that is about another cluster is refused.

import { type ApiEndpoint, apiEndpoints } from "../../apis/api-endpoint.ts";
import { apiEndpointUpdateProblems } from "../../apis/api-endpoint-validation.ts";
import type { KubeObject } from "../../apis/kube-object.ts";
import type { OpenStackCluster } from "../../apis/openstack-cluster.ts";
import { openStackClusterUpdateProblems } from "../../apis/openstack-cluster-update.ts";
import type { Problem } from "../../apis/problem.ts";
import { invalid } from "../invalid-input.ts";
import type { ClusterObjects } from "./read-cluster.ts";

export interface Proposed {
  readonly object: KubeObject;
  /** What admission would say to the change. */
  readonly updateProblems: readonly Problem[];
}

export function proposedObject(file: KubeObject, objects: ClusterObjects): Proposed {
  refuseOthers(file, objects);
  const isApiEndpoint = file.kind === apiEndpoints.kind;
  const before = isApiEndpoint
    ? objects.apiEndpoint?.metadata.name === file.metadata.name
      ? objects.apiEndpoint
      : undefined
    : objects.openStackCluster;
  const object = laidOver(file, before, objects.facts.ref.namespace);
  if (before === undefined) return { object, updateProblems: [] };
  return {
    object,
    updateProblems: isApiEndpoint
      ? apiEndpointUpdateProblems(before as ApiEndpoint, object)
      : openStackClusterUpdateProblems(before as OpenStackCluster, object),
  };
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
