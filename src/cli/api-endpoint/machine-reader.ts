// A reader for controllers' functions that look machines up in caches: here the caches are two lists, of one cluster's machines.

import { clusterApiVersions, clusterNameLabel, machines, openStackMachines } from "../../apis/cluster-api-kinds.ts";
import { formatRef, type Kind, type KubeObject, refOf, resourceName } from "../../apis/kube-object.ts";
import { clusterIndexOf } from "../../controllers/api-endpoint/machines-of.ts";
import { isKubeError } from "../../core/kube-error.ts";
import type { Reader } from "../../engine/feature.ts";
import { listEverything } from "../../engine/plan-once.ts";
import type { Store } from "../../engine/store.ts";
import type { KubeReader } from "../../ports/kube.ts";
import type { ClusterName } from "./cluster-name.ts";

export async function machineReader(
  kube: KubeReader,
  cluster: ClusterName,
  { nowMs, signal }: Pick<Reader, "nowMs" | "signal">,
): Promise<Reader> {
  const [ofCluster, infrastructure] = await Promise.all([
    storeOf(machines, kube, cluster),
    storeOf(openStackMachines, kube, cluster),
  ]);
  const cached = <T extends KubeObject>(kind: Kind<T>): Store<T> =>
    (resourceName(kind) === resourceName(machines) ? ofCluster : infrastructure) as unknown as Store<T>;
  return { kube, cached, nowMs, signal };
}

async function storeOf(kind: Kind, kube: KubeReader, { namespace, name }: ClusterName): Promise<Store> {
  const selection = { namespace, labelSelector: `${clusterNameLabel}=${name}` };
  for (const version of clusterApiVersions) {
    try {
      return storeWith(await listEverything(kube, { ...kind, version }, selection), "synced");
    } catch (error) {
      if (isKubeError(error, "Forbidden")) return storeWith([], "forbidden");
      if (!isKubeError(error, "KindNotServed", "NotFound")) throw error;
    }
  }
  return storeWith([], "not-served");
}

function storeWith(objects: readonly KubeObject[], state: Store["state"]): Store {
  return {
    get: (ref) => objects.find((object) => formatRef(refOf(object)) === formatRef(ref)),
    list: () => objects,
    byIndex: (_index, value) => objects.filter((object) => clusterIndexOf(object).includes(value)),
    state,
    hasSynced: () => state === "synced",
  };
}
