// Everything that one plan for a GatewayPool is made from. What could not be observed says so; it is never taken for absent.

import type { Known } from "../../../../core/known.ts";
import type { FloatingIp, Port, Subnet } from "../../../../core/openstack/neutron-objects.ts";
import type { Reason } from "../../../../core/reasons.ts";
import type { GatewayPool, GatewaySpec } from "../../apis/gateway-pool.ts";
import type { EndpointSlice, Node, Service } from "../../apis/kube-objects.ts";
import type { AgentCapabilities, AgentStatus } from "./agent-answers.ts";
import type { GatewayDocument } from "./document.ts";

export interface PoolObserved {
  readonly pool: GatewayPool;
  /** All of the cluster, this one included. */
  readonly pools: readonly GatewayPool[];
  readonly services: readonly Service[];
  /** By `namespace/name` of the Service. */
  readonly slices: ReadonlyMap<string, readonly EndpointSlice[]>;
  readonly nodes: readonly Node[];
  /** The mark on what is ours in Neutron. */
  readonly clusterId: Known<string>;
  /** Of documents that are made now. */
  readonly epoch: number;
  /** The latest document that was sent, by us or by the leader before us. */
  readonly previous?: GatewayDocument;
  readonly gateways: readonly GatewayObserved[];
  /** Those that were taken out of the pool and may still carry something. */
  readonly leaving: readonly GatewayObserved[];
  /** Absent: addresses are static. */
  readonly neutron?: Known<NeutronObserved>;
  /** What this leader saw in use: what it releases itself goes at once. By id of a port, or by address of a floating IP. */
  readonly usedBefore: ReadonlySet<string>;
  /** How long what was only found unused is left alone: somebody may be about to use it. */
  readonly graceMs: number;
  /** What this leader saw unused, and for how long. */
  readonly unusedForMs: ReadonlyMap<string, number>;
  /** The last words to each Service, by `namespace/name` and reason: nothing is said twice. */
  readonly told: ReadonlyMap<string, string>;
  /** Steps that fail now, by `backoffKey`. */
  readonly failed: ReadonlyMap<string, number>;
}

export interface GatewayObserved {
  readonly gateway: GatewaySpec;
  readonly state: GatewayState;
  /** Its Neutron ports, where it has any and addresses are Neutron's. */
  readonly external?: Known<Port>;
  readonly internal?: Known<Port>;
}

export type GatewayState =
  | {
      readonly kind: "answers";
      readonly api: "v1" | "v2";
      readonly status: AgentStatus;
      readonly capabilities?: AgentCapabilities;
      /** Undefined: it carries nothing, or nobody knows what, which is put right by sending it the document. */
      readonly carried?: GatewayDocument;
    }
  /** It was asked and has not answered yet. */
  | { readonly kind: "awaited" }
  | {
      readonly kind: "silent";
      readonly reason: Reason;
      readonly message: string;
      /** Addresses that it may still carry, as far as anybody knows. */
      readonly mayCarry: ReadonlySet<string>;
    };

export interface NeutronObserved {
  /** Ports and floating IPs that bear the mark of this pool. */
  readonly ports: readonly Port[];
  readonly floatingIps: readonly FloatingIp[];
  /** Others that Services name: adopted only if they are of ch-k8s-lbaas and nobody else's. */
  readonly named: readonly Port[];
  /** On those. */
  readonly namedFloatingIps: readonly FloatingIp[];
  readonly subnets: readonly Subnet[];
}
