// Every change the api-endpoint planner can ask for. One Octavia change per balancer and round: it makes the balancer PENDING, and the
// next would be refused. Which lane each has is in lanes.ts.

import type { OwnerReference } from "../../../../apis/kube/kube-object.ts";
import type {
  FloatingIpId,
  HealthMonitorId,
  ListenerId,
  LoadBalancerId,
  MemberId,
  PoolId,
  PortId,
} from "../../../../core/openstack/ids.ts";
import type { CreateFloatingIp, FloatingIp, FloatingIpSeen } from "../../../../core/openstack/neutron-objects.ts";
import type {
  CreateHealthMonitor,
  CreateListener,
  CreateLoadBalancer,
  CreateMember,
  CreatePool,
  UpdateHealthMonitor,
  UpdateListener,
  UpdateLoadBalancer,
  UpdatePool,
} from "../../../../core/openstack/octavia-objects.ts";
import type { Action } from "../../../../core/plan.ts";
import { present } from "../../../../core/present.ts";
import type { TagRecord } from "../../apis/tag-record.ts";
import type { Port } from "./port.ts";

interface On<K extends string> extends Action {
  readonly kind: K;
}

/** `name` is for people: the executor goes by id. */
interface Named<K extends string> extends On<K> {
  readonly name: string;
}

/** `seen` is what it was like when this was decided: what somebody else did with it by the time this arrives stands, unless in the same moment. */
interface OnFloatingIp<K extends string> extends On<K> {
  readonly id: FloatingIpId;
  readonly address: string;
  readonly seen: FloatingIpSeen;
}

/** What `seen` is of a floating IP as it was observed. */
export function seenOf({ portId, revisionNumber }: FloatingIp): FloatingIpSeen {
  return present({ portId, revisionNumber });
}

export type EndpointAction =
  | On<"add-finalizer">
  | (On<"claim-owner-id"> & { readonly ownerId: string })
  /** Writes down which project and region everything is in: location.ts. */
  | (On<"record-location"> & { readonly location: string })
  /** Writes down which tags of the user's may be in the cloud, or that all are: core/tags. */
  | (On<"record-tags"> & { readonly record: TagRecord })
  /** APIEndpoint door: its Cluster becomes an owner, or is one no longer: see cluster-bond.ts. */
  | (On<"set-cluster-owner"> & { readonly owner: OwnerReference | undefined })
  /** APIEndpoint door: deletes the object itself, which goes with its Cluster. */
  | On<"delete-endpoint">
  | (On<"set-endpoint"> & { readonly host: string; readonly port: number })
  /** APIEndpoint door: writes the endpoint to CAPO's OpenStackCluster, which has waited for it. */
  | (On<"hand-off-endpoint"> & { readonly host: string; readonly port: number })
  /** `releases`: the Secret that is held for the object's sake, and for nobody else's. */
  | (On<"remove-finalizer"> & { readonly releases?: string })
  /** Writes down that nothing is left in the cloud. */
  | On<"record-clean-up">
  /** Puts the finalizer on the Secret with the credentials. `instead`: the one that is held and no longer used. */
  | (On<"hold-secret"> & { readonly secret: string; readonly instead?: string })
  | (On<"release-secret"> & { readonly secret: string })
  | (On<"apply-dns-endpoint"> & { readonly host: string; readonly addresses: readonly string[] })
  | On<"delete-dns-endpoint">
  | (Named<"create-load-balancer"> & { readonly wanted: CreateLoadBalancer; readonly address?: string })
  | (Named<"update-load-balancer"> & { readonly id: LoadBalancerId; readonly change: UpdateLoadBalancer })
  /** `vipAddress`: absent where the one that is made in its place keeps it. */
  | (Named<"delete-load-balancer"> & { readonly id: LoadBalancerId; readonly vipAddress?: string })
  | (Named<"failover-load-balancer"> & { readonly id: LoadBalancerId; readonly provider: string })
  | (Named<"create-listener"> & { readonly wanted: CreateListener; readonly port: Port; readonly provider: string })
  | (Named<"update-listener"> & { readonly id: ListenerId; readonly change: UpdateListener; readonly provider: string })
  | (Named<"delete-listener"> & { readonly id: ListenerId })
  | (Named<"create-pool"> & { readonly wanted: CreatePool })
  | (Named<"update-pool"> & { readonly id: PoolId; readonly change: UpdatePool })
  | (Named<"delete-pool"> & { readonly id: PoolId })
  | (Named<"create-monitor"> & { readonly wanted: CreateHealthMonitor; readonly provider: string })
  | (Named<"delete-monitor"> & { readonly id: HealthMonitorId })
  | (Named<"update-monitor"> & { readonly id: HealthMonitorId; readonly change: UpdateHealthMonitor })
  /** `name` is the pool's; `addresses` are for people. */
  | (Named<"merge-members"> & {
      readonly poolId: PoolId;
      readonly members: readonly CreateMember[];
      readonly addresses: string;
      readonly provider: string;
      /** Whether the provider takes them in one call. */
      readonly batch: boolean;
    })
  | (Named<"remove-member"> & { readonly poolId: PoolId; readonly id: MemberId; readonly address: string })
  /** Without a port: for a machine to take (see endpoint-address.ts). `address` when the user asked for one. */
  | (On<"create-floating-ip"> & { readonly wanted: CreateFloatingIp; readonly address?: string })
  | (OnFloatingIp<"attach-floating-ip"> & { readonly portId: PortId })
  | OnFloatingIp<"detach-floating-ip">
  | (On<"tag-floating-ip"> & { readonly id: FloatingIpId; readonly address: string; readonly tags: readonly string[] })
  | OnFloatingIp<"delete-floating-ip">;

/** Those that change Kubernetes objects; all others change the cloud. */
const kubeKinds = [
  "add-finalizer",
  "claim-owner-id",
  "record-location",
  "record-tags",
  "set-cluster-owner",
  "delete-endpoint",
  "set-endpoint",
  "hand-off-endpoint",
  "remove-finalizer",
  "record-clean-up",
  "hold-secret",
  "release-secret",
  "apply-dns-endpoint",
  "delete-dns-endpoint",
] as const satisfies readonly EndpointAction["kind"][];

export type KubeKind = (typeof kubeKinds)[number];
export type CloudKind = Exclude<EndpointAction["kind"], KubeKind>;

export function isCloudAction({ kind }: EndpointAction): boolean {
  return !kubeKinds.some((one) => one === kind);
}
