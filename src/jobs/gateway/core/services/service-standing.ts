// Whether a Service is ours to act for, and what is to be done: the specification's table of events, as a function of what is there now.
//
//   managed   can be managed   has an address on record
//   yes       yes              yes        remap: keep it while it is legal
//   yes       yes              no         map
//   no        yes              any        map, and a record counts
//   yes       no               any        unmap, then unmanaged
//   no        no               any        leave it, unless something of ours is on it

import { finalizerOf, hasFinalizer, isBeingDeleted } from "../../../../core/ownership.ts";
import { type AddressRecord, addressRecord, inboundPortAnnotation, managedAnnotation } from "../../apis/annotations.ts";
import type { GatewayPool } from "../../apis/gateway-pool.ts";
import type { Service } from "../../apis/kube-objects.ts";
import { choosePool, type PoolChoice } from "./choose-pool.ts";

export type NotServed = "NotALoadBalancer" | "OptedOut" | "BeingDeleted" | "NoPoolForClass" | "SeveralPools";

export type Standing =
  | { readonly kind: "serve"; readonly operation: "map" | "remap"; readonly pool: string; readonly movesFrom?: string }
  /** It was ours: what it has is taken back. */
  | { readonly kind: "release"; readonly why: NotServed; readonly message: string }
  | { readonly kind: "leave"; readonly why: NotServed; readonly message: string };

/** On a Service: it goes when no gateway carries the Service's addresses any more. */
export const serviceFinalizer = finalizerOf("gateway");

export function serviceStanding(service: Service, pools: readonly GatewayPool[]): Standing {
  const record = addressRecord(service.metadata.annotations);
  const choice = choosePool(service, record, pools);
  const obstacle = whyNot(service, record, choice);
  if (obstacle !== undefined) return { kind: isHeld(service, record) ? "release" : "leave", ...obstacle };
  if (choice.kind !== "pool") return { kind: "leave", ...noPool(service) };
  const { pool } = choice;
  const operation = record.ports.length > 0 ? "remap" : "map";
  const moves = record.pool !== undefined && record.pool !== pool && isHeld(service, record);
  return { kind: "serve", operation, pool, ...(moves && record.pool !== undefined ? { movesFrom: record.pool } : {}) };
}

interface Obstacle {
  readonly why: NotServed;
  readonly message: string;
}

function whyNot(service: Service, record: AddressRecord, choice: PoolChoice): Obstacle | undefined {
  const type = service.spec?.type ?? "ClusterIP";
  if (isBeingDeleted(service)) return { why: "BeingDeleted", message: "it is being deleted" };
  if (type !== "LoadBalancer") return { why: "NotALoadBalancer", message: `its type is ${type}` };
  if (record.hasOptedOut) return { why: "OptedOut", message: `its annotation ${managedAnnotation} says false` };
  if (choice.kind === "none") return noPool(service);
  if (choice.kind === "pool") return undefined;
  const several = choice.pools.join(", ");
  const hint = "Mark one of them with isDefault, or name one in the annotation mainstay.dev/pool.";
  return { why: "SeveralPools", message: `the pools ${several} would all serve it. ${hint}` };
}

function noPool({ spec }: Service): Obstacle {
  const of = spec?.loadBalancerClass === undefined ? "Services without a class" : `the class ${spec.loadBalancerClass}`;
  return { why: "NoPoolForClass", message: `no pool serves ${of}` };
}

/**
 * Something of ours is on it. What ch-k8s-lbaas wrote counts as ours only together with its flag, or where somebody opted out since: a
 * Service of another class is never touched.
 */
function isHeld(service: Service, record: AddressRecord): boolean {
  const { annotations = {} } = service.metadata;
  if (record.isManaged || hasFinalizer(service, serviceFinalizer)) return true;
  if (annotations[inboundPortAnnotation] !== undefined || record.ingress.length > 0) return true;
  return record.hasOptedOut && record.ports.length > 0;
}
