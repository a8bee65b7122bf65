// Everything that the gateway job does, as data. The document itself is not in a push: it may be large, and there is only one.

import { type ChangeReasons, declareChanges } from "../../../../core/change-reasons.ts";
import type { FloatingIpSeen, PortSeen } from "../../../../core/openstack/neutron-objects.ts";
import type { Action, Lane } from "../../../../core/plan.ts";
import type { GatewayPool } from "../../apis/gateway-pool.ts";
import type { Service } from "../../apis/kube-objects.ts";

interface Of<K extends string> extends Action {
  readonly kind: K;
  /** Name of the pool. */
  readonly pool: string;
}

interface OnPool<K extends string> extends Of<K> {
  readonly object: GatewayPool;
}

interface OnService<K extends string> extends Of<K> {
  readonly service: Service;
}

/** Annotations as a merge patch has them: null removes. */
export type AnnotationChange = Readonly<Record<string, string | null>>;

export interface CreatePort extends Of<"create-port"> {
  /** Stands for the port until it is there. */
  readonly slot: string;
  readonly networkId: string;
  readonly subnetId: string;
  readonly requested?: string;
  readonly mark: string;
  /** Who waits for it, as `namespace/name`. */
  readonly services: readonly string[];
}

export interface CreateFloatingIp extends Of<"create-floating-ip"> {
  readonly portId: string;
  readonly address: string;
  readonly networkId: string;
  readonly mark: string;
  /** What clients used before, where it is known: asked for first. */
  readonly preferred?: string;
  readonly services: readonly string[];
}

interface AttachFloatingIp extends Of<"attach-floating-ip"> {
  readonly floatingIpId: string;
  readonly portId: string;
  readonly address: string;
  readonly seen: FloatingIpSeen;
  readonly services: readonly string[];
}

interface MarkAddress extends Of<"mark-address"> {
  readonly resource: "port" | "floating IP";
  readonly objectId: string;
  readonly address: string;
  readonly mark: string;
  readonly seen: PortSeen | FloatingIpSeen;
}

export interface SetAddressPairs extends Of<"set-address-pairs"> {
  readonly gateway: string;
  readonly portId: string;
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

interface ClaimService extends OnService<"claim-service"> {
  readonly annotations: AnnotationChange;
}

export interface PushDocument extends Of<"push-document"> {
  readonly gateway: string;
  /** Epoch and generation. */
  readonly version: string;
}

/** One that was taken out of the pool gets a document with nothing in it. */
export interface StopGateway extends Of<"stop-gateway"> {
  readonly gateway: string;
}

interface ChangeIngress<K extends string> extends OnService<K> {
  /** All entries of the list afterwards, those of others included. */
  readonly ingress: readonly IngressEntry[];
  /** What of it is ours. */
  readonly addresses: readonly string[];
}

interface ReleaseService extends OnService<"release-service"> {
  readonly annotations: AnnotationChange;
}

interface DeletePort extends Of<"delete-port"> {
  readonly portId: string;
  readonly address: string;
  readonly seen: PortSeen;
}

interface DeleteFloatingIp extends Of<"delete-floating-ip"> {
  readonly floatingIpId: string;
  readonly address: string;
  readonly seen: FloatingIpSeen;
}

export interface IngressEntry {
  readonly ip?: string;
  readonly hostname?: string;
}

export type CloudAction =
  | CreatePort
  | CreateFloatingIp
  | AttachFloatingIp
  | MarkAddress
  | SetAddressPairs
  | DeletePort
  | DeleteFloatingIp;

export type GatewayAction =
  | OnPool<"hold-pool">
  | OnPool<"release-pool">
  | CloudAction
  | ClaimService
  | PushDocument
  | StopGateway
  | ChangeIngress<"publish-ingress">
  | ChangeIngress<"withdraw-ingress">
  | ReleaseService;

export const gatewayChanges = declareChanges({
  "hold-pool": "FinalizerAdded",
  "release-pool": "FinalizerRemoved",
  "create-port": "PortCreated",
  "create-floating-ip": "FloatingIpCreated",
  "attach-floating-ip": "FloatingIpAttached",
  "mark-address": "AddressMarkSet",
  "set-address-pairs": "AddressPairsSet",
  "delete-port": "PortDeleted",
  "delete-floating-ip": "FloatingIpDeleted",
  "claim-service": "AddressRecorded",
  "push-document": "GatewayUpdated",
  "stop-gateway": "GatewayReleased",
  "publish-ingress": "AddressPublished",
  "withdraw-ingress": "AddressRemoved",
  "release-service": "AddressReleased",
} satisfies ChangeReasons<GatewayAction>);

export function serviceLane(service: string): Lane {
  return { part: service };
}

export function gatewayLane(gateway: string, aspect: string): Lane {
  return { part: `gateway ${gateway}`, aspect };
}

/** Of one address: what goes wrong with it concerns those who have it. */
export function addressLane(name: string): Lane {
  return { part: `address ${name}` };
}
