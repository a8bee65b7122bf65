// The specimen as a feature: everything a big job has, in small. Things in a cloud that are slow to become ready, children in the
// cluster, an owner mark, a finalizer, a status, one lane for each location, and two versions of itself.

import { configMaps } from "../../apis/kube/builtin-kinds.ts";
import { type Kind, type KubeObject, type ObjectRef, refOf } from "../../apis/kube/kube-object.ts";
import { MainstayError } from "../../core/errors.ts";
import { bearsMarkFor, isBeingDeleted, markFor, ownerReferenceTo } from "../../core/ownership.ts";
import type { Plan } from "../../core/plan.ts";
import { type Feature, feature, type Reader, type Report, type Writer, watch } from "../../engine/feature.ts";
import { addFinalizer, guardedBy, onlyThis, removeFinalizer } from "../../engine/round/guarded-writes.ts";
import { Questions } from "../../engine/round/questions.ts";
import { locations, type SeenThing } from "./cloud.ts";
import type { CloudLink } from "./cloud-link.ts";
import {
  finalizer,
  type LocationObserved,
  locationOf,
  planSpecimen,
  type SpecimenAction,
  type SpecimenObserved,
  specimenChanges,
} from "./plan-specimen.ts";
import { formatAnnotation, locationLabel, type Specimen, specimenFeatureName, specimens } from "./specimen-kind.ts";

export interface SpecimenOptions extends Partial<Pick<Feature, "deadlineMs" | "concurrency">> {
  readonly version: "old" | "new";
  readonly kind?: Kind<Specimen>;
  /** Where to look for things. */
  readonly locationsOf?: (specimen: Specimen) => readonly string[];
  /** The namespace where all of them live; absent: anywhere. */
  readonly namespace?: string;
}

export function specimenFeature(cloud: CloudLink, options: SpecimenOptions): Feature {
  const { version, kind = specimens, namespace, deadlineMs = 30_000, concurrency = 2 } = options;
  const asked = new LocationQuestions();
  return feature<SpecimenObserved, SpecimenAction>({
    name: specimenFeatureName,
    root: kind,
    watches: [
      watch({ kind, keys: (object) => [refOf(object)] }),
      watch({ kind: configMaps, keys: ownersOf, ...(namespace === undefined ? {} : { namespace }) }),
    ],
    observe: (key, reader) => observeSpecimen(key, reader, { cloud, asked }, options),
    plan: (observed) => planSpecimen(observed, version),
    executors: {
      "add-finalizer": async ({ specimen }, { kube }) => void (await addFinalizer(kube, kind, specimen, finalizer)),
      "remove-finalizer": ({ specimen }, { kube }) => removeFinalizer(kube, kind, specimen, finalizer),
      "create-thing": ({ location, owner }, writer) =>
        asked.changing(location, () => cloud.create(location, owner, writer)),
      "delete-thing": ({ location, id }, writer) => asked.changing(location, () => cloud.delete(location, id, writer)),
      "create-child": ({ specimen, location }, writer) => createChild(specimen, location, version, writer),
      "update-child": async ({ child }, { kube }) => {
        const body = { metadata: { annotations: { [formatAnnotation]: "2" } } };
        await kube.patch(configMaps, refOf(child), guardedBy(child, body));
      },
      "delete-child": async ({ child }, { kube }) =>
        void (await kube.delete(configMaps, refOf(child), onlyThis(child))),
    },
    changes: specimenChanges,
    report: ({ observed, plan }) => reportSpecimen(observed, plan, kind),
    deadlineMs,
    concurrency,
  });
}

/** What was asked at each location, by specimen. */
class LocationQuestions {
  readonly #at = new Map<string, Questions<readonly SeenThing[]>>();

  at(location: string): Questions<readonly SeenThing[]> {
    const known = this.#at.get(location) ?? new Questions();
    this.#at.set(location, known);
    return known;
  }

  /** What was asked for before a change, or while it was made, may not show it. */
  async changing(location: string, change: () => Promise<unknown>): Promise<void> {
    this.at(location).outdate();
    await change().finally(() => this.at(location).outdate());
  }
}

interface Ways {
  readonly cloud: CloudLink;
  readonly asked: LocationQuestions;
}

async function observeSpecimen(
  key: ObjectRef,
  reader: Reader,
  ways: Ways,
  { kind = specimens, locationsOf = () => locations }: SpecimenOptions,
): Promise<SpecimenObserved | undefined> {
  const specimen = reader.cached(kind).get(key);
  if (specimen === undefined) return undefined;
  const children = reader
    .cached(configMaps)
    .list()
    .filter((child) => bearsMarkFor(specimenFeatureName, specimen, child));
  const at = await Promise.all(
    locationsOf(specimen).map((location) => observeLocation(location, specimen, reader, ways)),
  );
  return { specimen, children, locations: at };
}

/** A location that does not answer, or not in time, is unknown, which is not the same as empty. */
async function observeLocation(
  location: string,
  specimen: Specimen,
  reader: Reader,
  { cloud, asked }: Ways,
): Promise<LocationObserved> {
  const { uid = "" } = specimen.metadata;
  const ask = () => cloud.list(location, { signal: reader.signal });
  try {
    const answered = await asked.at(location).ask(uid, { about: uid, ask }, reader);
    if (answered === "awaited") return { location, things: "unknown" };
    return { location, things: answered.value.filter(({ owner }) => owner === uid) };
  } catch (error) {
    if (error instanceof MainstayError) return { location, things: "unknown" };
    throw error;
  }
}

async function createChild(
  specimen: Specimen,
  location: string,
  version: "old" | "new",
  { kube }: Writer,
): Promise<void> {
  const ref = { name: `${specimen.metadata.name}-${location}`, namespace: specimen.metadata.namespace ?? "" };
  const mark = markFor(specimenFeatureName, specimen);
  const owner = ownerReferenceTo(specimen, ref);
  const format = version === "new" ? { [formatAnnotation]: "2" } : {};
  await kube.create(configMaps, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      ...ref,
      labels: { ...mark.labels, [locationLabel]: location },
      annotations: { ...mark.annotations, ...format },
      ...(owner === undefined ? {} : { ownerReferences: [owner] }),
    },
  });
}

function reportSpecimen({ specimen, children }: SpecimenObserved, plan: Plan, kind: Kind): Report {
  if (isBeingDeleted(specimen)) return { statuses: [] };
  const readyLocations = children.map(locationOf).toSorted();
  const ready = specimen.spec.locations.every((location) => readyLocations.includes(location));
  const [refusal] = plan.refusals;
  const message =
    refusal?.message ?? `${readyLocations.length} of ${specimen.spec.locations.length} locations are ready`;
  const reason = refusal?.reason ?? (ready ? "AsExpected" : "ObjectNotFound");
  const condition = { type: "Ready", status: ready ? ("True" as const) : ("False" as const), reason, message };
  return {
    statuses: [{ kind, ref: refOf(specimen), observed: specimen, status: { readyLocations }, conditions: [condition] }],
  };
}

function ownersOf(object: KubeObject): readonly ObjectRef[] {
  const { namespace = "" } = object.metadata;
  return (object.metadata.ownerReferences ?? [])
    .filter(({ kind }) => kind === specimens.kind)
    .map((owner) => ({ name: owner.name, namespace }));
}
