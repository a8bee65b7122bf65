import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planLaws } from "../../../../test/support/plan-laws/plan-laws.ts";
import { leftOut } from "../../../../test/support/plan-laws/planner-under-test.ts";
import { settle } from "../../../../test/topology/planner/topology-builders.ts";
import {
  applyTo,
  happen,
  heal,
  immutableWorlds,
  observe,
  topologyEvents,
  topologyWorlds,
} from "../../../../test/topology/planner/topology-histories.ts";
import { markLabel } from "../../../core/ownership.ts";
import type { Plan } from "../../../core/plan.ts";
import { declaredAnnotation, recordedAnnotation } from "../apis/infrastructure.ts";
import type { TopologyObserved } from "./assess.ts";
import { planTopology, type TopologyAction } from "./plan.ts";

planLaws({
  world: topologyWorlds,
  events: topologyEvents,
  happen,
  observe,
  plan: ({ seen, rules }) => planTopology(seen, rules),
  apply: applyTo,
  heal,
  laws: {
    // A request may wait for an upgrade, or for Nodes, for ever.
    quiet: { mostRounds: 8, isAtRest: ({ actions }) => actions.length === 0 },
    deterministic: {
      shuffled: ({ seen, rules }, shuffle) => ({ rules, seen: withPoolsIn(seen, shuffle) }),
      compared: withPoolsSorted,
    },
    makeBeforeBreak: leftOut("the topology is no traffic path: its planner publishes values and takes no way in away"),
    neverLast: {
      ways: [{ name: "promise of high availability", count: ({ actual }) => (promisesMany(actual) ? 1 : 0) }],
    },
    ownOrLeave: { foreign: ({ actual }) => notOurs(actual) },
    crashAnywhere: {
      outcome: ({ actual: { infrastructure, report } }) => ({
        status: infrastructure?.status,
        annotations: infrastructure?.metadata.annotations,
        report,
      }),
    },
    deleteIsDesiringNothing: {
      desireNothing: (world) => {
        heal(world);
        world.actual = { ...world.actual, infrastructure: undefined };
      },
      remaining: ({ actual: { report } }) => (typeof report === "string" || !isMarked(report) ? [] : [report]),
    },
  },
});

describe("immutable", () => {
  test("a field with a value other than the default keeps it for ever", () => {
    fc.assert(
      fc.property(immutableWorlds, (make) => {
        const { actual, rules } = make();
        const before = actual.infrastructure?.status ?? {};
        const after = settle(actual, rules).world.infrastructure?.status ?? {};
        const chosen = Object.entries(before).filter(([, value]) => value !== "" && value !== "HighlyAvailable");
        expect(after).toMatchObject(Object.fromEntries(chosen));
      }),
    );
  });
});

function withPoolsIn(seen: TopologyObserved, shuffle: <T>(list: readonly T[]) => T[]): TopologyObserved {
  const { declaredNow } = seen;
  if (declaredNow.found !== "declared") return seen;
  const { replicas } = declaredNow;
  return { ...seen, declaredNow: { ...declaredNow, replicas: { ...replicas, workers: shuffle(replicas.workers) } } };
}

/** The declaration repeats the pools as they were seen; what is decided from them may not depend on their order. */
function withPoolsSorted({ actions, ...rest }: Plan<TopologyAction>): unknown {
  const sorted = actions.map((action) => {
    if (action.kind !== "declare") return action;
    const { replicas, ...declaration } = action.declaration;
    return { ...action, declaration: { ...declaration, ...replicas, workers: replicas?.workers.toSorted() } };
  });
  return { ...rest, actions: sorted };
}

/** HighlyAvailable by choice, and not because the schema's default was filled in where nothing stood. */
function promisesMany({ infrastructure }: TopologyObserved): boolean {
  const declaration = infrastructure?.metadata.annotations?.[declaredAnnotation];
  const isDefault = declaration?.includes('"emptyFields":["controlPlane"') ?? false;
  return infrastructure?.status?.controlPlaneTopology === "HighlyAvailable" && !isDefault;
}

/** A report without our mark, what people ask for, and everything on the object that is none of our fields. */
function notOurs({ infrastructure, report }: TopologyObserved): unknown {
  const { controlPlaneTopology: _, infrastructureTopology: __, ...status } = infrastructure?.status ?? {};
  const {
    [declaredAnnotation]: ___,
    [recordedAnnotation]: ____,
    ...annotations
  } = infrastructure?.metadata.annotations ?? {};
  const foreignReport = typeof report === "string" || isMarked(report) ? undefined : report;
  return { report: foreignReport, spec: infrastructure?.spec, status, annotations };
}

function isMarked({
  metadata,
}: {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
}): boolean {
  return metadata.labels?.[markLabel] === "topology";
}
