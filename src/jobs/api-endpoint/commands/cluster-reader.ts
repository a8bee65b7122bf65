// A reader for controllers' functions that look things up in caches: here the caches are what one cluster has, read once.

import {
  clusterApiVersions,
  clusterNameLabel,
  machines,
  openStackMachines,
} from "../../../apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../../apis/external-dns/dns-endpoint.ts";
import { formatRef, type Kind, type KubeObject, refOf, resourceName } from "../../../apis/kube/kube-object.ts";
import { invariant } from "../../../core/errors.ts";
import { isKubeError } from "../../../core/kube-error.ts";
import type { Reader } from "../../../engine/feature.ts";
import type { Store } from "../../../engine/informer/store.ts";
import { listEverything } from "../../../engine/round/plan-once.ts";
import type { KubeReader } from "../../../ports/kube.ts";
import { clusterIndexOf } from "../controller/observe-machines.ts";
import type { ClusterName } from "./cluster-name.ts";

interface Reading extends Pick<Reader, "nowMs" | "signal"> {
  readonly cluster: ClusterName;
  /** Whose DNSEndpoint is of interest: it has the same name. */
  readonly object: KubeObject;
}

export async function clusterReader(
  kube: KubeReader,
  { cluster: { namespace, name }, object, nowMs, signal }: Reading,
): Promise<Reader> {
  const selection = { namespace, labelSelector: `${clusterNameLabel}=${name}` };
  const ofCluster = (kind: Kind) =>
    storeOf(clusterApiVersions, (version) => listEverything(kube, { ...kind, version }, selection, signal));
  const published = storeOf([dnsEndpoints.version], () =>
    kube.get(dnsEndpoints, refOf(object), { signal }).then((found) => [found]),
  );
  const stores = new Map<string, Store>([
    [resourceName(machines), await ofCluster(machines)],
    [resourceName(openStackMachines), await ofCluster(openStackMachines)],
    [resourceName(dnsEndpoints), await published],
  ]);
  const cached = <T extends KubeObject>(kind: Kind<T>): Store<T> => {
    const store = stores.get(resourceName(kind));
    invariant(store !== undefined, `a command looks at ${resourceName(kind)} and does not read it`);
    return store as unknown as Store<T>;
  };
  return { kube, cached, nowMs, signal };
}

async function storeOf(
  versions: readonly string[],
  read: (version: string) => Promise<readonly KubeObject[]>,
): Promise<Store> {
  for (const version of versions) {
    try {
      return storeWith(await read(version), "synced");
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
