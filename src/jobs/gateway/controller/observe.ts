// Reads the world for one pool: from caches what Kubernetes has, from the gateways what they carry, from Neutron what is ours there. Reads
// only. No part waits for another.

import { endpointSlices, namespaces, nodes, services } from "../../../apis/kube/builtin-kinds.ts";
import { formatRef, type Kind, type KubeObject, type ObjectRef, refOf } from "../../../apis/kube/kube-object.ts";
import { explainError } from "../../../core/explain.ts";
import { type Known, known } from "../../../core/known.ts";
import type { Port } from "../../../core/openstack/neutron-objects.ts";
import { hasFinalizer } from "../../../core/ownership.ts";
import type { Reader } from "../../../engine/feature.ts";
import { addressRecord } from "../apis/annotations.ts";
import { type GatewayPool, type GatewaySpec, gatewayPools } from "../apis/gateway-pool.ts";
import type { EndpointSlice, Node, Service } from "../apis/kube-objects.ts";
import type { GatewayObserved, PoolObserved } from "../core/model/observed.ts";
import { serviceFinalizer } from "../core/services/service-standing.ts";
import type { GatewayObserver } from "./gateways/observe-gateways.ts";
import type { NeutronAnswer, NeutronObserver } from "./neutron/observe-neutron.ts";
import type { PoolMemories } from "./pool-memory.ts";

export const serviceKind = services as Kind<Service>;
export const sliceKind = endpointSlices as Kind<EndpointSlice>;
export const nodeKind = nodes as Kind<Node>;
/** Index of EndpointSlices by `namespace/name` of their Service. */
export const sliceIndex = "gateway-service";

export interface Observers {
  readonly memories: PoolMemories;
  readonly gateways: GatewayObserver;
  readonly neutron: NeutronObserver;
  readonly graceMs: number;
}

export function observePool({ memories, gateways, neutron, graceMs }: Observers) {
  const clusterIds = new Map<"uid", string>();
  return async (key: ObjectRef, reader: Reader): Promise<PoolObserved | undefined> => {
    const pool = reader.cached(gatewayPools).get(key);
    if (pool === undefined) {
      memories.forget(key.name);
      neutron.forget(key.name);
      return undefined;
    }
    const memory = memories.of(key.name);
    memory.enter(reader.epoch);
    const concerned = reader.cached(serviceKind).list().filter(mayConcern);
    const clusterId = await clusterIdOf(pool, clusterIds, reader);
    const leaving = memory.retainGateways(pool, reader.monotonicMs);
    const all = [...(pool.spec?.gateways ?? []), ...leaving];
    const [states, cloud] = await Promise.all([
      gateways.observe(pool, all, memory, reader),
      neutron.observe({ pool, gateways: all, services: concerned, clusterId, memory, reader }),
    ]);
    const observed = (gateway: GatewaySpec): GatewayObserved => ({
      gateway,
      state: states.get(gateway.name) ?? { kind: "awaited" },
      ...portsOf(gateway, cloud),
    });
    const previous = memory.previous();
    return {
      pool,
      pools: reader.cached(gatewayPools).list(),
      services: concerned,
      slices: slicesOf(concerned, memories, reader),
      nodes: reader.cached(nodeKind).list(),
      clusterId,
      epoch: memory.epoch(),
      ...(previous === undefined ? {} : { previous }),
      gateways: (pool.spec?.gateways ?? []).map(observed),
      leaving: leaving.map(observed),
      ...(cloud === undefined ? {} : { neutron: cloud.neutron }),
      usedBefore: memory.usedBefore,
      graceMs,
      told: memory.told,
      unusedForMs: memory.unusedForMs(reader.monotonicMs),
      failed: reader.failed ?? new Map(),
    };
  };
}

/** All others are no LoadBalancer, and bear no trace of one of ours. */
export function mayConcern(service: Service): boolean {
  if (service.spec?.type === "LoadBalancer" || hasFinalizer(service, serviceFinalizer)) return true;
  const { isManaged, ports, ingress } = addressRecord(service.metadata.annotations);
  return isManaged || ports.length > 0 || ingress.length > 0;
}

/** Changes of endpoints wake pools only for Services that were looked at. */
function slicesOf(
  concerned: readonly Service[],
  { served }: PoolMemories,
  reader: Reader,
): ReadonlyMap<string, readonly EndpointSlice[]> {
  const slices = reader.cached(sliceKind);
  return new Map(
    concerned.map((service) => {
      const key = formatRef(refOf(service));
      served.add(key);
      return [key, slices.byIndex(sliceIndex, key)];
    }),
  );
}

async function clusterIdOf(
  { spec }: GatewayPool,
  remembered: Map<"uid", string>,
  { kube, signal }: Reader,
): Promise<Known<string>> {
  const uid = spec?.clusterID ?? remembered.get("uid");
  if (uid !== undefined) return known(uid);
  if (spec?.addresses?.neutron === undefined) return known("");
  try {
    const { metadata } = await kube.get<KubeObject>(namespaces, { name: "kube-system" }, { signal });
    const found = metadata.uid ?? "";
    remembered.set("uid", found);
    return known(found);
  } catch (error) {
    const { reason, text: message } = explainError(error);
    return { known: false, reason, message };
  }
}

function portsOf(
  { externalPortID, internalPortID }: GatewaySpec,
  cloud: NeutronAnswer | undefined,
): Pick<GatewayObserved, "external" | "internal"> {
  if (cloud === undefined) return {};
  const port = (id: string): Known<Port> => {
    const { neutron, gatewayPorts } = cloud;
    const found = gatewayPorts.get(id);
    if (found !== undefined) return known(found);
    if (!neutron.known) return { known: false, reason: neutron.reason, message: neutron.message };
    return { known: false, reason: "OpenStackObjectNotFound", message: `port ${id} of a gateway: there is none` };
  };
  return {
    ...(externalPortID === undefined ? {} : { external: port(externalPortID) }),
    ...(internalPortID === undefined ? {} : { internal: port(internalPortID) }),
  };
}
