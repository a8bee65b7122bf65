// The api-endpoint controllers: one for each front door, the same behind it. Their decisions are in ../core.

import { type Feature, feature } from "../../../engine/feature.ts";
import type { OpenStack } from "../../../ports/openstack.ts";
import { planEndpoint } from "../core/plan.ts";
import { apiEndpointJob } from "../job.ts";
import { type AddressedAction, addressTo } from "./addressed.ts";
import { executeCloud } from "./execute/execute-cloud.ts";
import { executeKube } from "./execute/execute-kube.ts";
import { settleMs } from "./execute/settle-time.ts";
import type { FrontDoor } from "./front-door.ts";
import { CloudMemory } from "./memory.ts";
import { type ObservedEndpoint, observeEndpoint } from "./observe.ts";
import { whyUnclaimed } from "./observe-cluster.ts";
import { reportEndpoint } from "./report.ts";
import { watchesFor } from "./watches.ts";

export interface EndpointSettings {
  readonly openStack: OpenStack;
  /** How old the knowledge of a quiet cluster's balancers may become. */
  readonly observeAgainMs?: number;
}

/** A member that fails is seen after this long at most, and a zone leaves the DNS records after twice as long. */
export const defaultObserveAgainMs = 30_000;

export function endpointFeature(
  door: FrontDoor,
  { openStack, observeAgainMs = defaultObserveAgainMs }: EndpointSettings,
): Feature {
  const memory = new CloudMemory();
  return feature<ObservedEndpoint, AddressedAction>({
    name: door.name,
    root: door.root,
    watches: watchesFor(door, memory.clusterKeys),
    shows: apiEndpointJob.controllers[door.name].shows,
    unclaimed: (object, reader) => whyUnclaimed(object, door, reader),
    observe: observeEndpoint(door, { openStack, memory }),
    plan: (observed, nowMs) => addressTo(observed, planEndpoint(observed, nowMs)),
    executors: { ...executeKube(door), ...executeCloud(memory) },
    report: reportEndpoint(door),
    reportsFailedRounds: true,
    settleMs,
    observeAgainMs,
    concurrency: 16,
  });
}
