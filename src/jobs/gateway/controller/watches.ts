// What wakes a pool: itself and other pools, Services that may concern one, their endpoints, and Nodes. Services do not say which pool is
// theirs before it is decided, so all pools look; there are few.

import { formatRef, type KubeObject, type ObjectRef, refOf } from "../../../apis/kube/kube-object.ts";
import { type Watch, watch } from "../../../engine/feature.ts";
import { gatewayPools } from "../apis/gateway-pool.ts";
import type { EndpointSlice } from "../apis/kube-objects.ts";
import { mayConcern, nodeKind, serviceKind, sliceIndex, sliceKind } from "./observe.ts";
import type { PoolMemories } from "./pool-memory.ts";

const serviceNameLabel = "kubernetes.io/service-name";

export function poolWatches(memories: PoolMemories): readonly Watch[] {
  const all = (): readonly ObjectRef[] => memories.names().map((name) => ({ name }));
  return [
    watch({
      kind: gatewayPools,
      keys: (pool) => [refOf(pool), ...all().filter(({ name }) => name !== pool.metadata.name)],
      optional: true,
    }),
    watch({ kind: serviceKind, keys: (service) => (mayConcern(service) ? all() : []) }),
    watch({
      kind: sliceKind,
      keys: (slice) => (memories.served.has(serviceOf(slice)) ? all() : []),
      indexes: { [sliceIndex]: (slice) => [serviceOf(slice)] },
    }),
    watch({ kind: nodeKind, keys: all }),
  ];
}

function serviceOf({ metadata }: EndpointSlice | KubeObject): string {
  return formatRef({ namespace: metadata.namespace ?? "", name: metadata.labels?.[serviceNameLabel] ?? "" });
}
