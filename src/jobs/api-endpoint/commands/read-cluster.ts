// Everything Kubernetes has about the endpoint of one cluster: the Cluster, its OpenStackCluster, its APIEndpoint, and whose the
// definition of OpenStackCluster is. Reads only.

import { type Cluster, clusterApiVersions, clusters } from "../../../apis/cluster-api/cluster-api-kinds.ts";
import { customResourceDefinitions } from "../../../apis/kube/builtin-kinds.ts";
import { bearsOurMark } from "../../../apis/kube/crd.ts";
import { formatRef, type Kind, type KubeObject, type ObjectRef, resourceName } from "../../../apis/kube/kube-object.ts";
import { nearbyHint } from "../../../cli/nearby.ts";
import { MainstayError } from "../../../core/errors.ts";
import { isKubeError } from "../../../core/kube-error.ts";
import { firstServedVersion, inVersions } from "../../../engine/round/first-served-version.ts";
import { listEverything } from "../../../engine/round/list-everything.ts";
import type { KubeReader } from "../../../ports/kube.ts";
import { type ApiEndpoint, apiEndpoints } from "../apis/api-endpoint/api-endpoint.ts";
import { type OpenStackCluster, openStackClusters } from "../apis/openstack-cluster/openstack-cluster.ts";
import { toV1beta1 } from "../apis/openstack-cluster/openstack-cluster-conversion.ts";
import type { ClusterFacts } from "../controller/front-door.ts";
import type { MigrationInput } from "../core/migration/migration-check.ts";
import { oldestFirst } from "../core/situation/rivals.ts";
import type { ClusterName } from "./cluster-name.ts";

export type DefinitionOwner = MigrationInput["definition"];

export interface ClusterObjects {
  readonly facts: ClusterFacts;
  readonly definition: DefinitionOwner;
  readonly infrastructureKind: string;
  readonly infrastructureName: string;
  /** In v1beta1, whichever version the server has it in. */
  readonly openStackCluster: OpenStackCluster | undefined;
  readonly apiEndpoint: ApiEndpoint | undefined;
  readonly servesApiEndpoint: boolean;
}

export async function readCluster(kube: KubeReader, ref: ClusterName): Promise<ClusterObjects> {
  const cluster = await firstServedVersion(inVersions(clusters, clusterApiVersions), (served) => kube.get(served, ref));
  if (cluster === undefined) throw await noSuchCluster(kube, ref);
  const { kind = "", name = "" } = cluster.spec?.infrastructureRef ?? {};
  const definition = await definitionOwner(kube);
  const beside = await apiEndpointsOf(kube, ref);
  const own = { namespace: ref.namespace, name };
  return {
    facts: clusterFacts(ref, cluster),
    definition,
    infrastructureKind: kind,
    infrastructureName: name,
    openStackCluster: kind === openStackClusters.kind ? await openStackClusterOf(kube, own, definition) : undefined,
    apiEndpoint: beside?.[0],
    servesApiEndpoint: beside !== undefined,
  };
}

export async function definitionOwner(kube: KubeReader): Promise<DefinitionOwner> {
  try {
    const name = resourceName(openStackClusters);
    return bearsOurMark(await kube.get(customResourceDefinitions, { name })) ? "ours" : "foreign";
  } catch (error) {
    if (isKubeError(error, "NotFound")) return "absent";
    if (isKubeError(error, "Forbidden")) return "unseen";
    throw error;
  }
}

function clusterFacts(ref: ClusterName, { spec }: Cluster): ClusterFacts {
  const { host = "", port = 0 } = spec?.controlPlaneEndpoint ?? {};
  return { ref, paused: spec?.paused ?? false, endpoint: host === "" ? undefined : { host, port } };
}

async function noSuchCluster(kube: KubeReader, ref: ClusterName): Promise<MainstayError> {
  const hint = "kubectl get clusters -A lists what is there.";
  return new MainstayError({
    reason: "ObjectNotFound",
    message: `there is no Cluster ${formatRef(ref)}`,
    hint: await nearbyHint(kube, clusters, ref, hint),
  });
}

/** CAPO's view in v1beta1 can be stale (its conversion lays old values over it), so v1beta2 is asked first there. */
async function openStackClusterOf(
  kube: KubeReader,
  ref: ObjectRef,
  definition: DefinitionOwner,
): Promise<OpenStackCluster | undefined> {
  const versions = definition === "ours" ? ["v1beta1"] : ["v1beta2", "v1beta1"];
  const found = await firstServedVersion(inVersions<KubeObject>(openStackClusters as Kind, versions), (served) =>
    kube.get(served, ref),
  );
  return found === undefined ? undefined : inV1beta1(found);
}

export function inV1beta1(object: KubeObject): OpenStackCluster {
  return object.apiVersion.endsWith("/v1beta2") ? toV1beta1(object) : object;
}

/** Those that name the cluster, the oldest first; undefined where the kind is not served. */
async function apiEndpointsOf(
  kube: KubeReader,
  { namespace, name }: ClusterName,
): Promise<readonly ApiEndpoint[] | undefined> {
  try {
    const all: readonly ApiEndpoint[] = await listEverything(kube, apiEndpoints, { namespace });
    // Of two, the controllers serve the older one.
    return oldestFirst(all.filter(({ spec }) => spec?.clusterRef?.name === name));
  } catch (error) {
    if (isKubeError(error, "KindNotServed", "NotFound")) return undefined;
    throw error;
  }
}
