// What CAPO's OpenStackCluster of the same cluster tells an APIEndpoint: whether its gate is open, and where its bastion is. It is read
// only where one of these is asked for.

import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import { type Known, known } from "../../../core/known.ts";
import { isKubeError } from "../../../core/kube-error.ts";
import type { Reader } from "../../../engine/feature.ts";
import { bastionAddresses } from "../core/front-doors/bastion-addresses.ts";
import type { EndpointIntent } from "../core/model/intent.ts";
import type { ObjectFacts, Places } from "../core/model/observed.ts";
import { unknownBecause } from "./cloud/observe-cloud.ts";
import { type Gate, gateOf } from "./execute/endpoint-hand-off.ts";
import type { ClusterFacts, EndpointDoor } from "./front-door.ts";

export interface GateBeside {
  /** Whether the object is to open it. */
  readonly opens: boolean;
  readonly seen: Known<Gate | undefined>;
}

interface Asking {
  readonly door: EndpointDoor;
  readonly object: KubeObject;
  readonly cluster: ClusterFacts;
  readonly intent: EndpointIntent;
  readonly reader: Reader;
}

export async function gateBeside({ door, object, cluster, intent, reader }: Asking): Promise<GateBeside> {
  const opens = door.handsOffEndpoint(object);
  const namesBastion = door.namesCluster && intent.allowedCidrs.length > 0;
  if (!opens && !namesBastion) return { opens, seen: known(undefined) };
  try {
    return { opens, seen: known(await gateOf(cluster.ref, reader.kube, reader.signal)) };
  } catch (error) {
    // Whoever only wants the bastion can do without for as long as it is forbidden; anything else passes.
    if (opens || !isKubeError(error, "Forbidden")) throw error;
    return { opens, seen: unknownBecause(error) };
  }
}

export function stateOf({ opens, seen }: GateBeside): ObjectFacts["handOff"] {
  if (!opens || !seen.known || seen.value === undefined) return "none";
  return seen.value.isOpen ? "done" : "waiting";
}

/** One that cannot be read is not one without a bastion: access lists are then left as they are. */
export function withBastion(places: Known<Places>, object: KubeObject, gate: GateBeside["seen"]): Known<Places> {
  if (!places.known) return places;
  const { clusterUnresolved } = places.value;
  const told = [...bastionAddresses(object), ...(gate.known ? (gate.value?.bastionAddresses ?? []) : [])];
  return known({
    ...places.value,
    ...(told.length === 0 ? {} : { bastionAddresses: [...new Set(told)].toSorted() }),
    ...(gate.known ? {} : { clusterUnresolved: [...clusterUnresolved, `the bastion: ${gate.message}`] }),
  });
}
