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
import { apiEndpointJob } from "../job.ts";
import { type AddressedAction, addressTo } from "./addressed.ts";
import { newCloudMemory } from "./cloud/cloud-memory.ts";
import { ComputeZones } from "./cloud/compute-zones.ts";
import { ServerZones } from "./cloud/server-zones.ts";
import { Sessions } from "./cloud/sessions.ts";
import { ClusterKeys } from "./cluster-keys.ts";
import { whyUnclaimed } from "./cluster-of.ts";
import { executeCloud } from "./execute/execute-cloud.ts";
import { executeKube } from "./execute/execute-kube.ts";
import { settleMs } from "./execute/settle-time.ts";
import type { EndpointDoor } from "./front-door.ts";
import { clusterIndex, clusterIndexOf } from "./machines-of.ts";
import { type EndpointShell, type ObservedEndpoint, observeEndpoint } from "./observe.ts";
import { reportEndpoint } from "./report.ts";
import { rootIndexes } from "./rivals.ts";

export interface EndpointSettings {
  readonly openStack: OpenStack;
  /** How old the knowledge of a quiet cluster's balancers may become. */
  readonly observeAgainMs?: number;
}

/** A member that fails is seen after this long at most, and a zone leaves the DNS records after twice as long. */
export const defaultObserveAgainMs = 30_000;

export function endpointFeature(
  door: EndpointDoor,
  { openStack, observeAgainMs = defaultObserveAgainMs }: EndpointSettings,
): Feature {
  const sessions = new Sessions();
  const memory = newCloudMemory();
  const keys = new ClusterKeys();
  const shell: EndpointShell = {
    openStack,
    sessions,
    memory,
    keys,
    serverZones: new ServerZones(),
    computeZones: new ComputeZones(),
  };
  return feature<ObservedEndpoint, AddressedAction>({
    name: door.name,
    root: door.root,
    watches: watchesFor(door, keys),
    shows: apiEndpointJob.controllers[door.name].shows,
    unclaimed: (object, reader) => whyUnclaimed(object, door, reader),
    observe: observeEndpoint(door, shell),
    plan: (observed, nowMs) => addressTo(observed, planEndpoint(observed, nowMs)),
    executors: { ...executeKube(door), ...executeCloud({ sessions, ...memory }) },
    report: reportEndpoint(door),
    reportsFailedRounds: true,
    settleMs,
    observeAgainMs,
    concurrency: 16,
  });
}

function watchesFor(door: EndpointDoor, keys: ClusterKeys): readonly Watch[] {
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

/** Objects of the other door: those of the same Cluster look again when one of them comes or goes. */
function rivals(other: EndpointDoor, keys: ClusterKeys): Watch {
  return watch({
    kind: other.root,
    keys: (object) => keys.ofRef(other.clusterOf(object)),
    optional: true,
    indexes: rootIndexes(other),
  });
}
