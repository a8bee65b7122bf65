// The hand-off of the endpoint to CAPO's OpenStackCluster of the same cluster: CAPO waits for its endpoint before it lets the first
// machine come, so an APIEndpoint writes it there when the balancers are ready. The OpenStackCluster is read in whichever version the
// server has, for the bastion that it names too, and only where one of the two is asked for; nothing else of it is touched.

import { clusterApiVersions, clusters } from "../../../apis/cluster-api/cluster-api-kinds.ts";
import type { Kind, KubeObject, ObjectRef } from "../../../apis/kube/kube-object.ts";
import { type Known, known } from "../../../core/known.ts";
import { isKubeError } from "../../../core/kube-error.ts";
import { canonicalAddress } from "../../../core/net/ip.ts";
import type { Reader } from "../../../engine/feature.ts";
import { firstServedVersion, inVersions } from "../../../engine/round/first-served-version.ts";
import type { KubeReader } from "../../../ports/kube.ts";
import { openStackClusters } from "../apis/openstack-cluster/openstack-cluster.ts";
import type { EndpointIntent } from "../core/model/intent.ts";
import type { ObjectFacts, Places } from "../core/model/observed.ts";
import { unknownBecause } from "./cloud/attempt.ts";
import type { ClusterFacts, FrontDoor } from "./front-door.ts";

/** CAPO's OpenStackCluster, as far as the hand-off goes. */
export interface HandOffTarget {
  readonly root: Kind;
  readonly ref: ObjectRef;
  readonly hasEndpoint: boolean;
  readonly bastionAddresses: readonly string[];
}

export interface EndpointHandOff {
  /** Whether the object is to write the endpoint there. */
  readonly isAsked: boolean;
  readonly target: Known<HandOffTarget | undefined>;
}

interface Asking {
  readonly door: FrontDoor;
  readonly object: KubeObject;
  readonly cluster: ClusterFacts;
  readonly intent: EndpointIntent;
  readonly reader: Reader;
}

export async function observeHandOff({ door, object, cluster, intent, reader }: Asking): Promise<EndpointHandOff> {
  const isAsked = door.handsOffEndpoint(object);
  const namesBastion = door.namesCluster && intent.allowedCidrs.length > 0;
  if (!isAsked && !namesBastion) return { isAsked, target: known(undefined) };
  try {
    return { isAsked, target: known(await handOffTarget(cluster.ref, reader.kube, reader.signal)) };
  } catch (error) {
    // Whoever only wants the bastion can do without for as long as it is forbidden; anything else passes.
    if (isAsked || !isKubeError(error, "Forbidden")) throw error;
    return { isAsked, target: unknownBecause(error) };
  }
}

export async function handOffTarget(
  cluster: ObjectRef | undefined,
  kube: KubeReader,
  signal: AbortSignal,
): Promise<HandOffTarget | undefined> {
  if (cluster === undefined) return undefined;
  const inAnyVersion = <T extends KubeObject>(kind: Kind<T>, ref: ObjectRef) =>
    firstServedVersion(inVersions(kind, clusterApiVersions), async (served) => ({
      served,
      object: await kube.get(served, ref, { signal }),
    }));
  const owner = await inAnyVersion(clusters, cluster);
  const { kind, name } = owner?.object.spec?.infrastructureRef ?? {};
  if (kind !== openStackClusters.kind || name === undefined) return undefined;
  const ref = { ...cluster, name };
  const found = await inAnyVersion(openStackClusters, ref);
  if (found === undefined) return undefined;
  const { host = "", port = 0 } = found.object.spec?.controlPlaneEndpoint ?? {};
  return {
    root: found.served,
    ref,
    hasEndpoint: host !== "" && port !== 0,
    bastionAddresses: bastionAddresses(found.object),
  };
}

export function stateOf({ isAsked, target }: EndpointHandOff): ObjectFacts["handOff"] {
  if (!isAsked || !target.known || target.value === undefined) return "none";
  return target.value.hasEndpoint ? "done" : "waiting";
}

/** One that cannot be read is not one without a bastion: access lists are then left as they are. */
export function withBastion(
  places: Known<Places>,
  object: KubeObject,
  target: EndpointHandOff["target"],
): Known<Places> {
  if (!places.known) return places;
  const { clusterUnresolved } = places.value;
  const named = [...bastionAddresses(object), ...(target.known ? (target.value?.bastionAddresses ?? []) : [])];
  return known({
    ...places.value,
    ...(named.length === 0 ? {} : { bastionAddresses: [...new Set(named)].toSorted() }),
    ...(target.known ? {} : { clusterUnresolved: [...clusterUnresolved, `the bastion: ${target.message}`] }),
  });
}

type WithBastion = KubeObject & {
  readonly status?: { readonly bastion?: { readonly ip?: unknown; readonly floatingIP?: unknown } };
};

/** As CAPO left them in status: with an access list on, whoever works there must still reach the API. */
function bastionAddresses(object: KubeObject): readonly string[] {
  const { ip, floatingIP } = (object as WithBastion).status?.bastion ?? {};
  const addresses = [ip, floatingIP].flatMap((text) =>
    typeof text === "string" ? (canonicalAddress(text) ?? []) : [],
  );
  return [...new Set(addresses)].toSorted();
}
