// The gateway controller: Services of type LoadBalancer through the gateways of GatewayPools. Its decisions are in ../core.

import { type Feature, feature } from "../../../engine/feature.ts";
import type { OpenStack } from "../../../ports/openstack.ts";
import { gatewayPools } from "../apis/gateway-pool.ts";
import type { GatewayAction } from "../core/model/actions.ts";
import type { PoolObserved } from "../core/model/observed.ts";
import { type PoolPlan, planPool } from "../core/plan.ts";
import { gatewayJob } from "../job.ts";
import { executeCloud } from "./execute/execute-cloud.ts";
import { executeKube } from "./execute/execute-kube.ts";
import { pushDocument, stopGateway } from "./execute/push-document.ts";
import type { FeedParts } from "./feed/gateway-client.ts";
import { GatewayObserver } from "./gateways/observe-gateways.ts";
import { NeutronObserver } from "./neutron/observe-neutron.ts";
import { observePool } from "./observe.ts";
import { PoolMemories } from "./pool-memory.ts";
import { reportPool } from "./report.ts";
import { poolWatches } from "./watches.ts";

export interface GatewayControllerSettings {
  readonly openStack: OpenStack;
  /** Absent: gateways are not asked, as by commands. */
  readonly feed?: FeedParts;
  readonly observeAgainMs?: number;
  readonly neutronMs?: number;
  /** How long what this leader only found unused is left alone. */
  readonly graceMs?: number;
}

export function gatewayFeature(settings: GatewayControllerSettings): Feature {
  const { openStack, feed, observeAgainMs = 15_000, neutronMs = 60_000, graceMs = 600_000 } = settings;
  const memories = new PoolMemories();
  const gateways = new GatewayObserver(feed);
  const neutron = new NeutronObserver(openStack, neutronMs);
  const plans = new WeakMap<PoolObserved, PoolPlan>();
  return feature<PoolObserved, GatewayAction>({
    name: "gateway",
    root: gatewayPools,
    watches: poolWatches(memories),
    shows: gatewayJob.controllers.gateway.shows,
    observe: observePool({ memories, gateways, neutron, graceMs }),
    plan: (observed) => {
      const plan = planPool(observed);
      plans.set(observed, plan);
      if (plan.situation !== undefined) memories.of(observed.pool.metadata.name).offer(plan.situation.document);
      const { actions, waits, refusals } = plan;
      return { actions, waits, refusals };
    },
    executors: {
      ...executeKube,
      ...executeCloud(memories),
      "push-document": pushDocument(memories, feed),
      "stop-gateway": stopGateway(memories, feed),
    },
    changes: gatewayJob.changes,
    regarding: tellsAbout,
    report: reportPool(memories, (observed) => plans.get(observed) ?? planPool(observed)),
    reportsFailedRounds: true,
    observeAgainMs: () => observeAgainMs,
  });
}

/**
 * A Service has its address in its own status, so that no Event says it again: a new Service costs two writes. That something was taken
 * away is told. Gateways are told many things a minute, which the log has.
 */
function tellsAbout(action: GatewayAction) {
  if (action.kind === "withdraw-ingress") return action.service;
  if (action.kind === "release-service")
    return action.service.metadata.deletionTimestamp === undefined ? action.service : undefined;
  return undefined;
}
