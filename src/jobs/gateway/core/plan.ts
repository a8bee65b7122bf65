// What the gateway job does next for a pool: the specification's operations, in one order for every event.
//
//   a Service comes     create-port → create-floating-ip → claim-service → set-address-pairs, push-document → publish-ingress
//   a Service goes      withdraw-ingress, push-document → release-service → set-address-pairs → delete-floating-ip → delete-port
//   a gateway goes      push-document to the others → stop-gateway → set-address-pairs
//
// An arrow is a later round: what comes after it is planned when the world shows what came before.

import { formatProblem } from "../../../apis/text/problem.ts";
import { finalizerOf, hasFinalizer, isBeingDeleted } from "../../../core/ownership.ts";
import { emptyPlan, type Plan, type Refusal, type Wait } from "../../../core/plan.ts";
import { gatewayPoolProblems } from "../apis/gateway-pool-validation.ts";
import { addressesIn, isFenced } from "./gateways/carried.ts";
import type { GatewayAction } from "./model/actions.ts";
import type { PoolObserved } from "./model/observed.ts";
import { addressPairs } from "./operations/address-pairs.ts";
import { cleanUnusedPorts, unusedFloatingIps } from "./operations/clean-unused-ports.ts";
import { createAndAssignPorts } from "./operations/create-and-assign-port.ts";
import { mapServices } from "./operations/map-service.ts";
import { stopGateways } from "./operations/stop-gateways.ts";
import { unmapServices } from "./operations/unmap-service.ts";
import { gatewayWaits, updateAgents } from "./operations/update-agents.ts";
import { poolCollisions, poolRangeProblems } from "./pools/pool-problems.ts";
import type { ServiceNote } from "./situation/pool-services.ts";
import { type Situation, situationOf } from "./situation/situation.ts";

export interface PoolPlan extends Plan<GatewayAction> {
  /** Absent where nothing was looked at closely. */
  readonly situation?: Situation;
  /** For Services: what their people have to know. */
  readonly notes: readonly ServiceNote[];
}

export const poolFinalizer = finalizerOf("gateway");

export function planPool(observed: PoolObserved): PoolPlan {
  const { pool } = observed;
  const isLeaving = isBeingDeleted(pool);
  const nothing = { ...emptyPlan, notes: [] };
  if (isLeaving && !hasFinalizer(pool, poolFinalizer)) return nothing;
  const problems = isLeaving ? [] : poolProblems(observed);
  if (problems.length > 0) return { ...nothing, refusals: problems };
  if (!hasFinalizer(pool, poolFinalizer)) {
    const { name } = pool.metadata;
    const words = `hold GatewayPool ${name}`;
    return { ...nothing, actions: [{ kind: "hold-pool", pool: name, object: pool, words, because: "PoolUnheld" }] };
  }
  const situation = situationOf(observed);
  const waits = [...gatewayWaits(situation), ...cloudWaits(observed)];
  if (isTooEarly(observed)) return { ...nothing, waits, situation };
  return withRelease(planOperations(situation, waits), situation);
}

/** The first document of a term continues what gateways carry: nothing is sent before all of them had the time to say what that is. */
function isTooEarly({ previous, gateways, epoch }: PoolObserved): boolean {
  return previous?.version.epoch !== epoch && gateways.some(({ state }) => state.kind === "awaited");
}

function planOperations(situation: Situation, waits: readonly Wait[]): PoolPlan {
  const mapped = mapServices(situation);
  const unmapped = unmapServices(situation);
  const created = createAndAssignPorts(situation);
  const attached = new Set(created.flatMap((one) => (one.kind === "attach-floating-ip" ? [one.floatingIpId] : [])));
  const cleaned = cleanUnusedPorts(situation, attached);
  const stopped = stopGateways(situation);
  const actions: readonly GatewayAction[] = [
    ...created,
    ...addressPairs(situation, cleaned.released),
    ...mapped.actions,
    ...unmapped.actions.filter(({ kind }) => kind === "withdraw-ingress"),
    ...updateAgents(situation),
    ...stopped.actions,
    ...unmapped.actions.filter(({ kind }) => kind !== "withdraw-ingress"),
    ...cleaned.actions,
  ];
  const awaited = [...mapped.awaited, ...unmapped.awaited];
  const message = `${awaited.slice(0, 5).join(", ")}${awaited.length > 5 ? " and others" : ""}: gateways are behind`;
  const lag: readonly Wait[] =
    awaited.length === 0 ? [] : [{ reason: "GatewaysAwaited", message, recheckAfterMs: lagMs }];
  return {
    actions,
    waits: [...waits, ...lag, ...cleaned.waits, ...stopped.waits],
    refusals: cleaned.refusals,
    situation,
    notes: [...situation.services.notes, ...mapped.notes],
  };
}

/** How soon gateways that are behind are looked at again. */
const lagMs = 2_000;

function poolProblems(observed: PoolObserved): readonly Refusal[] {
  const { pool, pools } = observed;
  const found = [...gatewayPoolProblems(pool), ...poolRangeProblems(pool), ...poolCollisions(pool, pools)];
  return found.map((problem) => ({ reason: "GatewayPoolInvalid", message: formatProblem(problem) }));
}

function cloudWaits({ neutron, clusterId }: PoolObserved): readonly Wait[] {
  if (neutron === undefined) return [];
  return [neutron, clusterId].flatMap((part): readonly Wait[] =>
    part.known
      ? []
      : [
          {
            reason: part.reason,
            message: part.message,
            recheckAfterMs: part.recheckAfterMs ?? 10_000,
            lane: { part: "cloud" },
          },
        ],
  );
}

/** The last thing of a pool that goes: nobody has anything of it any more. */
function withRelease(plan: PoolPlan, situation: Situation): PoolPlan {
  const { observed, isLeaving, services, addresses } = situation;
  if (!isLeaving || services.released.length > 0 || plan.actions.length > 0) return plan;
  const isEmptied =
    (observed.neutron === undefined || addresses?.filter(({ isOurs }) => isOurs).length === 0) &&
    unusedFloatingIps(situation).length === 0 &&
    observed.gateways.every((gateway) => {
      const { state } = gateway;
      if (state.kind === "answers") return addressesIn(state.carried).size === 0;
      return state.kind === "silent" && [...state.mayCarry].every((address) => isFenced(gateway, address));
    });
  if (!isEmptied) return plan;
  const { name } = observed.pool.metadata;
  const words = `release GatewayPool ${name}`;
  const removes = `finalizer of GatewayPool ${name}`;
  const action = {
    kind: "release-pool",
    pool: name,
    object: observed.pool,
    words,
    removes,
    because: "GatewayPoolDeleted",
  } as const;
  return { ...plan, actions: [action] };
}
