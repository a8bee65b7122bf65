// The api-endpoint controllers: one for each front door, the same behind it. Their decisions are in core/api-endpoint.

import {
  clusterApiVersions,
  clusters,
  machines,
  openStackMachines,
} from "../../../apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../../apis/external-dns/dns-endpoint.ts";
import { refOf } from "../../../apis/kube/kube-object.ts";
import { type Feature, feature, type Watch, watch } from "../../../engine/feature.ts";
import type { OpenStack } from "../../../ports/openstack.ts";
import { planEndpoint } from "../core/plan.ts";
import { type AddressedAction, addressTo } from "./addressed.ts";
import type { ClusterKeys } from "./cluster-keys.ts";
import { executeCloud } from "./execute/execute-cloud.ts";
import { executeKube } from "./execute/execute-kube.ts";
import { settleMs } from "./execute/settle-time.ts";
import type { FrontDoor } from "./front-door.ts";
import { CloudMemory } from "./memory.ts";
import { type ObservedEndpoint, observeEndpoint } from "./observe.ts";
import { whyUnclaimed } from "./observe-cluster.ts";
import { clusterIndex, clusterIndexOf } from "./observe-machines.ts";
import { reportEndpoint } from "./report.ts";
import { rootIndexes } from "./rivals.ts";

export interface EndpointSettings {
  readonly openStack: OpenStack;
  /** How old the knowledge of a quiet cluster's balancers may become. */
  readonly relookMs?: number;
}

/** A member that fails is seen after this long at most, and a zone leaves the DNS records after twice as long. */
export const defaultRelookMs = 30_000;

export function endpointFeature(door: FrontDoor, { openStack, relookMs = defaultRelookMs }: EndpointSettings): Feature {
  const memory = new CloudMemory();
  return feature<ObservedEndpoint, AddressedAction>({
    name: door.name,
    root: door.root,
    watches: watchesFor(door, memory.clusterKeys),
    shows: [{ kind: door.root, what: door.what }],
    unclaimed: (object, reader) => whyUnclaimed(object, door, reader),
    observe: observeEndpoint(door, { openStack, memory }),
    plan: (observed, nowMs) => addressTo(observed, planEndpoint(observed, nowMs)),
    executors: { ...executeKube(door), ...executeCloud(memory) },
    report: reportEndpoint(door),
    tellsFailedRounds: true,
    settleMs,
    relookMs,
    concurrency: 16,
  });
}

function watchesFor(door: FrontDoor, keys: ClusterKeys): readonly Watch[] {
  const indexes = { [clusterIndex]: clusterIndexOf };
  return [
    watch({
      kind: door.root,
      keys: (object) => keys.learn(object, door.clusterOf(object)),
      optional: true,
      indexes: rootIndexes(door),
    }),
    ...[door.yieldsTo, door.precedes].flatMap((other) => (other === undefined ? [] : [rivals(other, keys)])),
    watch({ kind: clusters, versions: clusterApiVersions, keys: (cluster) => keys.ofCluster(cluster), optional: true }),
    watch({ kind: dnsEndpoints, keys: (published) => [refOf(published)], optional: true }),
    watch({
      kind: machines,
      versions: clusterApiVersions,
      keys: (machine) => keys.ofMember(machine),
      optional: true,
      indexes,
    }),
    watch({
      kind: openStackMachines,
      versions: clusterApiVersions,
      keys: (machine) => keys.ofMember(machine),
      optional: true,
      indexes,
    }),
  ];
}

/** Objects of the other door: those of the same Cluster are observed again when one of them comes or goes. */
function rivals(other: FrontDoor, keys: ClusterKeys): Watch {
  return watch({
    kind: other.root,
    keys: (object) => keys.ofRef(other.clusterOf(object)),
    optional: true,
    indexes: rootIndexes(other),
  });
}
