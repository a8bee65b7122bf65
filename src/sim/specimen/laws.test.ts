import fc from "fast-check";
import { expect } from "vitest";
import { planLaws } from "../../../test/support/plan-laws/plan-laws.ts";
import { worldsFrom } from "../../../test/support/plan-laws/planner-under-test.ts";
import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { hasFinalizer } from "../../core/ownership.ts";
import { Cloud, locations } from "./cloud.ts";
import { finalizer, locationOf, planSpecimen, type SpecimenAction, type SpecimenObserved } from "./plan-specimen.ts";
import { formatAnnotation, locationLabel, type Specimen, specimens } from "./specimen-kind.ts";

const owner = "uid-of-specimen";
const readyAfterMs = 3_000;
const passMs = 2_000;

interface SpecimenWorld {
  nowMs: number;
  readonly version: "old" | "new";
  readonly cloud: Cloud;
  specimen: Specimen;
  children: readonly KubeObject[];
  /** They answer nothing. */
  readonly silent: Set<string>;
}

type SpecimenEvent =
  | { readonly event: "want"; readonly locations: readonly string[] }
  | { readonly event: "silence" | "wake"; readonly location: string }
  | { readonly event: "lose-thing" | "lose-child"; readonly location: string };

const someLocations = fc.shuffledSubarray([...locations], { minLength: 1 });
const location = fc.constantFrom(...locations);

const worlds = worldsFrom(
  fc.record({ wanted: someLocations, version: fc.constantFrom("old" as const, "new" as const) }),
  ({ wanted, version }): SpecimenWorld => {
    const world: SpecimenWorld = {
      nowMs: 0,
      version,
      cloud: new Cloud(
        () => world.nowMs,
        () => readyAfterMs,
      ),
      specimen: {
        apiVersion: `${specimens.group}/${specimens.version}`,
        kind: specimens.kind,
        metadata: { name: "one", namespace: "default", uid: owner },
        spec: { locations: wanted },
      },
      children: [],
      silent: new Set(),
    };
    for (const at of locations) world.cloud.create(at, "", "somebody");
    return world;
  },
);

const events: fc.Arbitrary<SpecimenEvent> = fc.oneof(
  fc.record({ event: fc.constant("want" as const), locations: someLocations }),
  fc.record({ event: fc.constantFrom("silence" as const, "wake" as const), location }),
  fc.record({ event: fc.constantFrom("lose-thing" as const, "lose-child" as const), location }),
);

function happen(world: SpecimenWorld, given: SpecimenEvent): void {
  switch (given.event) {
    case "want":
      world.specimen = { ...world.specimen, spec: { locations: given.locations } };
      return;
    case "silence":
      return void world.silent.add(given.location);
    case "wake":
      return void world.silent.delete(given.location);
    case "lose-thing":
      for (const { id } of thingsAt(world, given.location)) world.cloud.delete(id, "somebody");
      return;
    case "lose-child":
      world.children = world.children.filter((child) => locationOf(child) !== given.location);
  }
}

function thingsAt({ cloud }: SpecimenWorld, at: string) {
  return cloud.list(at).filter((thing) => thing.owner === owner);
}

function observe(world: SpecimenWorld): { readonly seen: SpecimenObserved; readonly version: "old" | "new" } {
  const { specimen, children, silent, version } = world;
  const observedAt = (at: string) => ({
    location: at,
    things: silent.has(at) ? ("unknown" as const) : thingsAt(world, at),
  });
  return { seen: { specimen, children, locations: locations.map(observedAt) }, version };
}

function apply(world: SpecimenWorld, action: SpecimenAction): void {
  const { specimen, cloud } = world;
  switch (action.kind) {
    case "add-finalizer":
    case "remove-finalizer":
      world.specimen = {
        ...specimen,
        metadata: { ...specimen.metadata, finalizers: action.kind === "add-finalizer" ? [finalizer] : [] },
      };
      return;
    case "create-thing":
      return void cloud.create(action.location, action.owner, "ours");
    case "delete-thing":
      return cloud.delete(action.id, "ours");
    case "create-child":
      world.children = [...world.children, childAt(action.location, world.version)];
      return;
    case "update-child":
      world.children = world.children.map((child) =>
        child === action.child ? childAt(locationOf(child), "new") : child,
      );
      return;
    case "delete-child":
      world.children = world.children.filter((child) => child !== action.child);
  }
}

function childAt(at: string, version: "old" | "new"): KubeObject {
  const annotations = version === "new" ? { [formatAnnotation]: "2" } : {};
  const metadata = { name: `one-${at}`, namespace: "default", labels: { [locationLabel]: at }, annotations };
  return { apiVersion: "v1", kind: "ConfigMap", metadata };
}

function servingLocations(world: SpecimenWorld): readonly string[] {
  return locations.filter(
    (at) => thingsAt(world, at).some(({ ready }) => ready) && world.children.some((child) => locationOf(child) === at),
  );
}

function expectWanted(world: SpecimenWorld): void {
  expect(servingLocations(world)).toEqual(world.specimen.spec.locations.toSorted());
}

function occupiedLocations(world: SpecimenWorld): readonly string[] {
  return [
    ...locations.flatMap((at) => thingsAt(world, at).map(() => at)),
    ...world.children.map(locationOf),
  ].toSorted();
}

planLaws({
  world: worlds,
  events,
  happen,
  observe,
  plan: ({ seen, version }) => planSpecimen(seen, version),
  apply,
  pass: (world) => void (world.nowMs += passMs),
  heal: ({ silent }) => silent.clear(),
  laws: {
    quiet: {
      mostRounds: 20,
      expectWanted,
    },
    deterministic: {
      shuffled: ({ seen, version }, shuffle) => {
        const shuffledAt = seen.locations.map((at) =>
          at.things === "unknown" ? at : { ...at, things: shuffle(at.things) },
        );
        return { version, seen: { ...seen, children: shuffle(seen.children), locations: shuffle(shuffledAt) } };
      },
    },
    // Locations serve the same: one takes over for another.
    makeBeforeBreak: { paths: (world) => new Map([["any location", Math.min(1, servingLocations(world).length)]]) },
    neverLast: { ways: [{ name: "location that serves", count: (world) => servingLocations(world).length }] },
    ownOrLeave: { foreign: ({ cloud }) => [...cloud.things.values()].filter((thing) => thing.owner !== owner) },
    crashAnywhere: { outcome: occupiedLocations },
    deleteIsDesiringNothing: {
      desireNothing: (world) => {
        const { specimen, silent } = world;
        silent.clear();
        const deletionTimestamp = "2026-01-01T00:00:00Z";
        world.specimen = { ...specimen, metadata: { ...specimen.metadata, deletionTimestamp } };
      },
      remaining: (world) => [
        ...occupiedLocations(world),
        ...(hasFinalizer(world.specimen, finalizer) ? ["finalizer"] : []),
      ],
    },
  },
});
