// Random worlds of the topology planner and what may happen in them: people declare, ask and edit, Nodes come and go, upgrades begin, and
// now and then something cannot be read.

import fc from "fast-check";
import { markLabel } from "../../../src/core/ownership.ts";
import { present } from "../../../src/core/present.ts";
import {
  controlPlaneTopologies,
  declaredAnnotation,
  infrastructureTopologies,
  recordedAnnotation,
} from "../../../src/jobs/topology/apis/infrastructure.ts";
import type { DeclaredNow, TopologyObserved } from "../../../src/jobs/topology/core/assess.ts";
import { encodeDeclaration, encodeRecorded } from "../../../src/jobs/topology/core/declaration.ts";
import type { TopologyAction, TopologyRules } from "../../../src/jobs/topology/core/plan.ts";
import { worldsFrom } from "../../support/plan-laws/planner-under-test.ts";
import {
  carryOut,
  clusterVersion,
  declared,
  immutable,
  infrastructure,
  mutable,
  report,
  settledVersion,
} from "./topology-builders.ts";

export interface TopologyWorld {
  actual: TopologyObserved;
  /** Cannot be read at the moment. */
  hidden: Partial<Pick<TopologyObserved, "report" | "seen" | "declaredNow" | "clusterVersion">>;
  readonly rules: TopologyRules;
}

const text = (known: readonly string[]) => fc.constantFrom(...known, "", "ActivePassive");
const replicas = fc.record({
  controlPlane: fc.integer({ min: 1, max: 5 }),
  workers: fc.array(fc.nat(3), { maxLength: 3 }),
  arbiters: fc.nat(1),
});
const declaration = fc.record({
  topology: fc.record({
    controlPlane: fc.constantFrom(...controlPlaneTopologies),
    infrastructure: fc.constantFrom(...infrastructureTopologies),
  }),
  source: fc.constantFrom("flags" as const, "cluster-api" as const),
  rules: fc.constantFrom("two-modes" as const, "current" as const),
  replicas,
  emptyFields: fc.subarray(["controlPlane", "infrastructure"] as ("controlPlane" | "infrastructure")[]),
});
const requests = text(["HighlyAvailable", "SingleReplica"]);
const statuses = fc.record(
  { controlPlaneTopology: text(controlPlaneTopologies), infrastructureTopology: text(infrastructureTopologies) },
  { requiredKeys: [] },
);
const declarations = fc.oneof(fc.constant<DeclaredNow>({ found: "nothing" }), replicas.map(declared));
const nodes = fc.record({
  controlPlane: fc.nat(5),
  readyControlPlane: fc.nat(5),
  workers: fc.nat(3),
  arbiters: fc.nat(1),
});
const versions = fc.constantFrom(
  "absent" as const,
  settledVersion,
  clusterVersion([{ type: "Progressing", status: "True" }]),
);

const beginnings = fc.record({
  spec: requests,
  status: fc.option(statuses, { nil: undefined }),
  declaration: fc.option(declaration, { nil: undefined }),
  recorded: fc.option(
    fc.record({ controlPlane: text(controlPlaneTopologies), infrastructure: text(infrastructureTopologies) }),
    { nil: undefined },
  ),
  fields: fc.constantFrom("present" as const, "unknown" as const, "absent" as const),
  report: fc.constantFrom("absent" as const, report(), report({ [markLabel]: "topology" })),
  declaredNow: declarations,
  seen: nodes,
  clusterVersion: versions,
});
type Beginning = typeof beginnings extends fc.Arbitrary<infer B> ? B : never;

const ruleSets = fc.constantFrom<TopologyRules>(immutable, mutable, {
  ...mutable,
  rules: "current",
  upgradeGate: "none",
});

function worldOf(
  { spec, status, declaration: written, recorded, ...rest }: Beginning,
  rules: TopologyRules,
): TopologyWorld {
  const annotations = {
    "example.com/note": "somebody's",
    ...(written === undefined ? {} : { [declaredAnnotation]: encodeDeclaration(written) }),
    ...(recorded === undefined ? {} : { [recordedAnnotation]: encodeRecorded(recorded) }),
  };
  const object = infrastructure({ spec, annotations, ...present({ status }) });
  return { actual: { ...rest, infrastructure: object }, hidden: {}, rules };
}

export const topologyWorlds = worldsFrom(fc.tuple(beginnings, ruleSets), ([beginning, rules]) =>
  worldOf(beginning, rules),
);
export const immutableWorlds = worldsFrom(beginnings, (beginning) => worldOf(beginning, immutable));

type TopologyEvent =
  | { readonly event: "request"; readonly controlPlane: string }
  | { readonly event: "edit-status"; readonly status: Readonly<Record<string, string | undefined>> }
  | { readonly event: "observed-otherwise"; readonly actual: Partial<TopologyObserved> }
  | { readonly event: "hide" | "show" };

export const topologyEvents: fc.Arbitrary<TopologyEvent> = fc.oneof(
  fc.record({ event: fc.constant("request" as const), controlPlane: requests }),
  fc.record({ event: fc.constant("edit-status" as const), status: statuses }),
  fc.record({
    event: fc.constant("observed-otherwise" as const),
    actual: fc.record({ declaredNow: declarations, seen: nodes, clusterVersion: versions }, { requiredKeys: [] }),
  }),
  fc.record({ event: fc.constantFrom("hide" as const, "show" as const) }),
);

export function happen(world: TopologyWorld, given: TopologyEvent): void {
  const { actual } = world;
  const { infrastructure: object } = actual;
  switch (given.event) {
    case "request":
      if (object !== undefined)
        world.actual = { ...actual, infrastructure: { ...object, spec: { controlPlaneTopology: given.controlPlane } } };
      return;
    case "edit-status":
      if (object !== undefined)
        world.actual = { ...actual, infrastructure: { ...object, status: { ...object.status, ...given.status } } };
      return;
    case "observed-otherwise":
      world.actual = { ...actual, ...given.actual };
      return;
    case "hide":
      world.hidden = {
        report: "unknown",
        seen: "unknown",
        declaredNow: { found: "unknown" },
        clusterVersion: "unknown",
      };
      return;
    case "show":
      heal(world);
  }
}

export function heal(world: TopologyWorld): void {
  world.hidden = {};
}

export function observe({ actual, hidden, rules }: TopologyWorld): { seen: TopologyObserved; rules: TopologyRules } {
  return { seen: { ...actual, ...hidden }, rules };
}

export function applyTo(world: TopologyWorld, action: TopologyAction): void {
  world.actual = carryOut(world.actual, action);
}
