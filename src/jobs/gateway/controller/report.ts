// What people are told of a round: the pool's status, and for a Service that suffers an Event and a condition, on it alone and once. What
// this leader saw in use or unused is noted here, because a round has ended.

import { type KubeObject, refOf } from "../../../apis/kube/kube-object.ts";
import { byText } from "../../../core/by-text.ts";
import { conditionsOf, findCondition } from "../../../core/conditions.ts";
import type { EventNote, Report, ReportInput, StatusReport } from "../../../engine/feature.ts";
import { gatewayPools } from "../apis/gateway-pool.ts";
import type { GatewayAction } from "../core/model/actions.ts";
import type { PoolObserved } from "../core/model/observed.ts";
import { unusedAddresses, unusedFloatingIps } from "../core/operations/clean-unused-ports.ts";
import { hasStopped } from "../core/operations/stop-gateways.ts";
import { serviceCondition } from "../core/picture/service-views.ts";
import type { PoolPlan } from "../core/plan.ts";
import type { Situation } from "../core/situation/situation.ts";
import { poolConditions } from "../core/status/pool-conditions.ts";
import { poolGauges } from "../core/status/pool-gauges.ts";
import { poolStatus } from "../core/status/pool-status.ts";
import { type FailedAction, type ServiceTrouble, serviceTroubles } from "../core/status/service-troubles.ts";
import { serviceKind } from "./observe.ts";
import type { PoolMemories, PoolMemory } from "./pool-memory.ts";

export function reportPool(memories: PoolMemories, planOf: (observed: PoolObserved) => PoolPlan) {
  return ({ observed, plan, outcomes }: ReportInput<PoolObserved, GatewayAction>): Report => {
    const { pool } = observed;
    const memory = memories.of(pool.metadata.name);
    const { situation, notes } = planOf(observed);
    const failures: readonly FailedAction[] = outcomes.flatMap((outcome) =>
      outcome.result === "done" || outcome.reason === "ChangeUnderWay"
        ? []
        : [{ action: outcome.action, reason: outcome.reason, message: outcome.message }],
    );
    const troubles = serviceTroubles(situation, notes, failures);
    if (situation !== undefined) noteUse(memory, situation);
    const status = poolStatus({ observed, situation, troubles });
    const conditions = poolConditions(observed, plan, failures, troubles);
    return {
      statuses: [
        { kind: gatewayPools, ref: refOf(pool), observed: pool, status: { ...status }, conditions },
        ...serviceStatuses(observed, troubles),
      ],
      events: serviceEvents(observed, troubles, memory),
      gauges: poolGauges({ ...pool, status }),
    };
  };
}

function noteUse(memory: PoolMemory, situation: Situation): void {
  for (const one of situation.observed.leaving) if (hasStopped(one, situation)) memory.forgetGateway(one.gateway.name);
  for (const { known } of situation.targets)
    for (const { id, publicAddress } of known)
      for (const name of [id, publicAddress]) if (name !== undefined) memory.usedBefore.add(name);
  memory.noteUnused([
    ...unusedAddresses(situation).map(({ id }) => id),
    ...unusedFloatingIps(situation).map(({ address }) => address),
  ]);
}

/** A Service that never suffered has no condition of ours: it costs no write. */
function serviceStatuses({ services }: PoolObserved, troubles: readonly ServiceTrouble[]): readonly StatusReport[] {
  const byService = new Map(
    troubles.filter(({ isRefused }) => isRefused).map((trouble) => [trouble.service, trouble] as const),
  );
  return services.toSorted(byText(keyOf)).flatMap((service): readonly StatusReport[] => {
    const trouble = byService.get(keyOf(service));
    const before = findCondition(conditionsOf(service), serviceCondition);
    if (service.metadata.deletionTimestamp !== undefined) return [];
    if (trouble === undefined && (before === undefined || before.status === "True")) return [];
    const condition =
      trouble === undefined
        ? { status: "True" as const, reason: "AsExpected", message: "" }
        : { status: "False" as const, reason: trouble.reason, message: trouble.message };
    const conditions = [{ type: serviceCondition, ...condition }];
    return [{ kind: serviceKind, ref: refOf(service), observed: service, status: {}, conditions }];
  });
}

/** Said once, and again only when it is something else. */
function serviceEvents(
  { services, told }: PoolObserved,
  troubles: readonly ServiceTrouble[],
  memory: PoolMemory,
): readonly EventNote[] {
  const objects = new Map<string, KubeObject>(services.map((service) => [keyOf(service), service]));
  const now = new Map<string, EventNote>();
  for (const { service, reason, message } of troubles) {
    const regarding = objects.get(service);
    if (regarding !== undefined) now.set(`${service} ${reason}`, { reason, message, regarding });
  }
  memory.told = new Map([...now].map(([key, { message }]) => [key, message]));
  return [...now].flatMap(([key, note]) => (told.get(key) === note.message ? [] : [note]));
}

function keyOf({ metadata: { namespace = "", name } }: KubeObject): string {
  return `${namespace}/${name}`;
}
