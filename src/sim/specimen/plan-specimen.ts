// What the specimen does next. Per location, and locations do not hold each other up:
//
//   location      thing       child      next
//   unknown   –           –          wait
//   wanted    none        –          create-thing
//   wanted    building    –          wait
//   wanted    ready       none       create-child (update-child when an older version made it)
//   unwanted  any         any        delete-child, delete-thing; but only once a wanted location is ready with its child, if there is one
//
// Being deleted is wanting no location; the finalizer goes when every location is known to be empty.

import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { type ChangeReasons, declareChanges } from "../../core/change-reasons.ts";
import { invariant } from "../../core/errors.ts";
import { finalizerOf, hasFinalizer, isBeingDeleted } from "../../core/ownership.ts";
import type { Action, Plan, Wait } from "../../core/plan.ts";
import type { SeenThing } from "./cloud.ts";
import { formatAnnotation, locationLabel, type Specimen, specimenFeatureName } from "./specimen-kind.ts";

export interface SpecimenObserved {
  readonly specimen: Specimen;
  readonly children: readonly KubeObject[];
  readonly locations: readonly LocationObserved[];
}

export interface LocationObserved {
  readonly location: string;
  /** Ours at this location. */
  readonly things: readonly SeenThing[] | "unknown";
}

export type SpecimenAction =
  | (Action & { readonly kind: "add-finalizer" | "remove-finalizer"; readonly specimen: Specimen })
  | (Action & { readonly kind: "create-thing"; readonly location: string; readonly owner: string })
  | (Action & { readonly kind: "delete-thing"; readonly location: string; readonly id: string })
  | (Action & { readonly kind: "create-child"; readonly specimen: Specimen; readonly location: string })
  | (Action & { readonly kind: "update-child" | "delete-child"; readonly child: KubeObject });

export const specimenChanges = declareChanges({
  "add-finalizer": "FinalizerAdded",
  "remove-finalizer": "FinalizerRemoved",
  "create-thing": "ThingCreated",
  "delete-thing": "ThingDeleted",
  "create-child": "ChildCreated",
  "update-child": "ChildUpdated",
  "delete-child": "ChildDeleted",
} satisfies ChangeReasons<SpecimenAction>);

export const finalizer = finalizerOf(specimenFeatureName);

export function planSpecimen(observed: SpecimenObserved, version: "old" | "new"): Plan<SpecimenAction> {
  const { specimen, children } = observed;
  invariant(specimen.spec.broken !== true, `Specimen ${specimen.metadata.name} is broken`);
  const deleting = isBeingDeleted(specimen);
  if (!deleting && !hasFinalizer(specimen, finalizer)) {
    return { actions: [{ kind: "add-finalizer", specimen, because: "AsExpected" }], waits: [], refusals: [] };
  }
  const wanted = deleting ? [] : specimen.spec.locations;
  const mayBreak = wanted.length === 0 || wanted.some((location) => isServing(location, observed));
  const parts = observed.locations
    .toSorted((a, b) => (a.location < b.location ? -1 : 1))
    .map((at) =>
      wanted.includes(at.location) ? keep(at, observed, version) : mayBreak ? remove(at, children) : hold(at),
    );
  const actions = parts.flatMap((part) => part.actions);
  const waits = parts.flatMap((part) => part.waits);
  if (deleting && hasFinalizer(specimen, finalizer) && actions.length === 0 && waits.length === 0)
    actions.push({ kind: "remove-finalizer", specimen, because: "AsExpected" });
  return { actions, waits, refusals: [] };
}

interface Part {
  readonly actions: SpecimenAction[];
  readonly waits: Wait[];
}

function keep(at: LocationObserved, { specimen, children }: SpecimenObserved, version: "old" | "new"): Part {
  const { location, things } = at;
  if (things === "unknown") return waiting(at);
  const [thing] = things;
  const lane = { part: location };
  const owner = specimen.metadata.uid ?? "";
  if (thing === undefined) return doing({ kind: "create-thing", location, owner, lane, because: "ObjectNotFound" });
  if (!thing.ready) return waiting(at);
  const child = childAt(location, children);
  if (child === undefined) return doing({ kind: "create-child", specimen, location, lane, because: "ObjectNotFound" });
  const outdated = version === "new" && child.metadata.annotations?.[formatAnnotation] === undefined;
  return outdated ? doing({ kind: "update-child", child, lane, because: "AsExpected" }) : { actions: [], waits: [] };
}

function remove(at: LocationObserved, children: readonly KubeObject[]): Part {
  const { location, things } = at;
  const ours = children
    .filter((child) => locationOf(child) === location)
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const childless = ours.map((child) => ({
    kind: "delete-child" as const,
    child,
    lane: { part: location },
    removes: child.metadata.name,
    because: "AsExpected" as const,
  }));
  if (things === "unknown") return { actions: childless, waits: waiting(at).waits };
  const gone = things
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id }) => ({
      kind: "delete-thing" as const,
      location,
      id,
      lane: { part: location },
      removes: id,
      because: "AsExpected" as const,
    }));
  return { actions: [...childless, ...gone], waits: [] };
}

/** Unwanted, and still the only way in. */
function hold(at: LocationObserved): Part {
  return at.things === "unknown" || at.things.length > 0 ? waiting(at) : { actions: [], waits: [] };
}

function isServing(location: string, { locations, children }: SpecimenObserved): boolean {
  const things = locations.find((at) => at.location === location)?.things ?? "unknown";
  return things !== "unknown" && things.some(({ ready }) => ready) && childAt(location, children) !== undefined;
}

function doing(action: SpecimenAction): Part {
  return { actions: [action], waits: [] };
}

function waiting({ location }: LocationObserved): Part {
  return { actions: [], waits: [{ reason: "ObjectNotFound", recheckAfterMs: 2_000, lane: { part: location } }] };
}

export function locationOf(child: KubeObject): string {
  return child.metadata.labels?.[locationLabel] ?? "";
}

function childAt(location: string, children: readonly KubeObject[]): KubeObject | undefined {
  return children.find((child) => locationOf(child) === location);
}
