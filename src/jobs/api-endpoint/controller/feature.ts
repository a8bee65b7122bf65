// The api-endpoint controllers: one for each front door, the same behind it. Their decisions are in ../core.

import { type Feature, feature } from "../../../engine/feature.ts";
import type { OpenStack } from "../../../ports/openstack.ts";
import { apiEndpointJob } from "../job.ts";
import { type AddressedAction, addressTo } from "./addressed.ts";
import { defaultObserveAgainMs, floatingIpsEveryMs } from "./cloud/pace.ts";
import { oncePerObservation } from "./endpoint-plans.ts";
import { executeCloud } from "./execute/execute-cloud.ts";
import { executeKube } from "./execute/execute-kube.ts";
import { keepNamed } from "./execute/keep-named.ts";
import type { FrontDoor } from "./front-door.ts";
import { CloudMemory } from "./memory.ts";
import { type ObservedEndpoint, observeEndpoint } from "./observe.ts";
import { observeAtRest } from "./observe-at-rest.ts";
import { whyUnclaimed } from "./observe-cluster.ts";
import { type ProbeSettings, Probes } from "./probes.ts";
import { reportEndpoint } from "./report.ts";
import { RoundMemory } from "./round-memory.ts";
import { watchesFor } from "./watches.ts";

export interface ControllerSettings {
  readonly openStack: OpenStack;
  /** How old the knowledge of a quiet cluster's balancers may become. */
  readonly observeAgainMs?: number;
  /** Absent: nobody asks the balancers' addresses. */
  readonly probing?: ProbeSettings;
}

/**
 * How long a balancer is PENDING at the least after a change: observed sooner, it would show nothing else. What Octavia itself carries
 * out takes from half a second to minutes; a new balancer and new members take the longest.
 */
const settleMsOf: Readonly<Partial<Record<AddressedAction["kind"], number>>> = {
  "create-load-balancer": 2_000,
  "update-load-balancer": 1_000,
  "delete-load-balancer": 2_000,
  "failover-load-balancer": 2_000,
  "create-listener": 1_000,
  "update-listener": 1_000,
  "delete-listener": 1_000,
  "create-pool": 1_000,
  "update-pool": 1_000,
  "delete-pool": 1_000,
  "create-monitor": 1_000,
  "delete-monitor": 1_000,
  "update-monitor": 1_000,
  "merge-members": 3_000,
  "remove-member": 1_000,
};

export function endpointFeature(
  door: FrontDoor,
  { openStack, observeAgainMs = defaultObserveAgainMs, probing }: ControllerSettings,
): Feature {
  const memory = new CloudMemory(observeAgainMs);
  const roundMemory = new RoundMemory();
  const plan = oncePerObservation();
  const probes = probing === undefined ? undefined : new Probes(probing);
  return feature<ObservedEndpoint, AddressedAction>({
    name: door.name,
    root: door.root,
    watches: watchesFor(door, memory.clusterKeys),
    shows: apiEndpointJob.controllers[door.name].shows,
    unclaimed: (object, reader) => whyUnclaimed(object, door, reader),
    observe: observeAtRest(door, observeEndpoint(door, { openStack, memory }, { roundMemory, probes }), plan),
    plan: (observed, nowMs) => addressTo(observed, plan(observed, nowMs)),
    executors: { ...executeKube(door), ...keepNamed(door, executeCloud(memory)) },
    changes: apiEndpointJob.changes,
    report: reportEndpoint(door, roundMemory),
    reportsFailedRounds: true,
    settleMs: ({ kind }) => settleMsOf[kind] ?? 0,
    // At rest floating IPs are asked for now and then (pace.ts), in a round that comes by itself.
    unseenMs: ({ kind }) => (kind.endsWith("floating-ip") ? floatingIpsEveryMs(observeAgainMs) + observeAgainMs : 0),
    observeAgainMs: ({ sharedAskedMs, monotonicMs }) => observeAgainMs - (monotonicMs - (sharedAskedMs ?? monotonicMs)),
    concurrency: 16,
  });
}
