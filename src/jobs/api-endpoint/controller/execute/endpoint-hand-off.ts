// CAPO's OpenStackCluster as a gate: it waits for its endpoint before it lets the first machine come, so writing the endpoint when the
// balancers are ready opens it. It is read in whichever version the server has, for the bastion that it names too; nothing else of it is
// touched.

import { clusterApiVersions, clusters } from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import type { Kind, KubeObject, ObjectRef } from "../../../../apis/kube/kube-object.ts";
import { isKubeError } from "../../../../core/kube-error.ts";
import type { KubeReader } from "../../../../ports/kube.ts";
import { openStackClusters } from "../../apis/openstack-cluster/openstack-cluster.ts";
import { bastionAddresses } from "../../core/front-doors/bastion-addresses.ts";

export interface Gate {
  readonly root: Kind;
  readonly ref: ObjectRef;
  readonly isOpen: boolean;
  readonly bastionAddresses: readonly string[];
}

export async function gateOf(
  cluster: ObjectRef | undefined,
  kube: KubeReader,
  signal: AbortSignal,
): Promise<Gate | undefined> {
  if (cluster === undefined) return undefined;
  const owner = await inAnyVersion(clusters, cluster, kube, signal);
  const { kind, name } = owner?.object.spec?.infrastructureRef ?? {};
  if (kind !== openStackClusters.kind || name === undefined) return undefined;
  const ref = { ...cluster, name };
  const found = await inAnyVersion(openStackClusters, ref, kube, signal);
  if (found === undefined) return undefined;
  const { host = "", port = 0 } = found.object.spec?.controlPlaneEndpoint ?? {};
  return {
    root: found.kind,
    ref,
    isOpen: host !== "" && port !== 0,
    bastionAddresses: bastionAddresses(found.object),
  };
}

async function inAnyVersion<T extends KubeObject>(
  kind: Kind<T>,
  ref: ObjectRef,
  kube: KubeReader,
  signal: AbortSignal,
) {
  for (const version of clusterApiVersions) {
    try {
      const served = { ...kind, version };
      return { kind: served, object: await kube.get(served, ref, { signal }) };
    } catch (error) {
      if (!isKubeError(error, "NotFound", "KindNotServed")) throw error;
    }
  }
  return undefined;
}
