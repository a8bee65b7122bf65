// A small feature that has everything a big one has: things in a cloud that are slow to become ready, children in the cluster, an owner
// mark, a finalizer, a status, and one lane per site. Engine tests run it; nothing else does.

import { configMaps } from "../../src/apis/builtin-kinds.ts";
import { type Kind, type KubeObject, type ObjectRef, refOf } from "../../src/apis/kube-object.ts";
import { invariant, MainstayError } from "../../src/core/errors.ts";
import {
  bearsMarkFor,
  finalizerOf,
  hasFinalizer,
  isBeingDeleted,
  markFor,
  ownerReferenceTo,
} from "../../src/core/ownership.ts";
import type { Action, Plan } from "../../src/core/plan.ts";
import { type Feature, feature, type Writer, watch } from "../../src/engine/feature.ts";
import { addFinalizer, onlyThis, removeFinalizer } from "../../src/engine/guarded-writes.ts";
import type { Clock } from "../../src/ports/clock.ts";

export interface Specimen extends KubeObject {
  readonly spec: { readonly sites: readonly string[]; readonly broken?: boolean };
  readonly status?: { readonly readySites?: readonly string[]; readonly conditions?: readonly unknown[] };
}

export const specimens: Kind<Specimen> = {
  group: "engine-test.mainstay.dev",
  version: "v1",
  kind: "Specimen",
  plural: "specimens",
  namespaced: true,
};

/** The same kind in a group of its own, for a server that others use, too. */
export function specimensIn(group: string): Kind<Specimen> {
  return { ...specimens, group };
}

export const specimenCrd = specimenCrdIn(specimens.group);

export function specimenCrdIn(group: string): KubeObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `specimens.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: specimens.plural, singular: "specimen", kind: specimens.kind, listKind: "SpecimenList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: {
                  type: "object",
                  properties: { sites: { type: "array", items: { type: "string" } }, broken: { type: "boolean" } },
                },
                status: {
                  type: "object",
                  properties: {
                    readySites: { type: "array", items: { type: "string" } },
                    conditions: {
                      type: "array",
                      "x-kubernetes-list-type": "map",
                      "x-kubernetes-list-map-keys": ["type"],
                      items: {
                        type: "object",
                        required: ["type", "status"],
                        properties: Object.fromEntries(
                          ["type", "status", "reason", "message", "lastTransitionTime"]
                            .map((name) => [name, { type: "string" }])
                            .concat([["observedGeneration", { type: "integer" }]]),
                        ),
                      },
                    },
                  },
                },
              },
            },
          },
        },
      ],
    },
  } as unknown as KubeObject;
}

export interface Thing {
  readonly name: string;
  readonly owner: string;
  readonly site: string;
  readonly readyAtMs: number;
}

/** The cloud: things take five seconds to become ready; a site can be down, silent, or lose its answers. */
export class Yard {
  readonly things = new Map<string, Thing>();
  readonly down = new Set<string>();
  /** Calls to these sites never end, whatever signal they are given. */
  readonly silent = new Set<string>();
  readonly release: (() => void)[] = [];
  readonly calls: string[] = [];
  running = 0;
  mostAtOnce = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isReady({ readyAtMs }: Thing): boolean {
    return readyAtMs <= this.#clock.monotonicMs();
  }

  async create(site: string, name: string, owner: string): Promise<void> {
    await this.#call(`create ${name}`, site);
    if (!this.things.has(name))
      this.things.set(name, { name, owner, site, readyAtMs: this.#clock.monotonicMs() + 5_000 });
  }

  async delete(site: string, name: string): Promise<void> {
    await this.#call(`delete ${name}`, site);
    this.things.delete(name);
  }

  async #call(what: string, site: string): Promise<void> {
    this.calls.push(what);
    this.running += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.running);
    if (this.silent.has(site)) await new Promise<void>((resolve) => this.release.push(resolve));
    this.running -= 1;
    if (this.down.has(site))
      throw new MainstayError({ reason: "ApiUnreachable", message: `site ${site}: ${what}: no answer` });
  }
}

interface Observed {
  readonly specimen: Specimen;
  readonly children: readonly KubeObject[];
  readonly things: readonly (Thing & { readonly ready: boolean })[];
}

type SpecimenAction = Action &
  (
    | { readonly kind: "add-finalizer" | "remove-finalizer"; readonly specimen: Specimen }
    | {
        readonly kind: "create-thing" | "delete-thing";
        readonly name: string;
        readonly site: string;
        readonly owner: string;
      }
    | { readonly kind: "create-child"; readonly specimen: Specimen; readonly site: string }
    | { readonly kind: "delete-child"; readonly child: KubeObject }
  );

const name = "specimen";
const siteLabel = "engine-test.mainstay.dev/site";

export function specimenFeature(
  yard: Yard,
  settings: Partial<Pick<Feature, "deadlineMs" | "concurrency">> = {},
  kind: Kind<Specimen> = specimens,
): Feature {
  return feature<Observed, SpecimenAction>({
    name,
    root: kind,
    watches: [
      watch({ kind, keys: (object) => [refOf(object)] }),
      watch({ kind: configMaps, keys: (object) => ownersOf(object) }),
    ],
    async observe(key, reader) {
      const specimen = reader.cached(kind).get(key);
      if (specimen === undefined) return undefined;
      const children = reader
        .cached(configMaps)
        .list()
        .filter((child) => bearsMarkFor(name, specimen, child));
      const things = [...yard.things.values()].filter(({ owner }) => owner === specimen.metadata.uid);
      return { specimen, children, things: things.map((thing) => ({ ...thing, ready: yard.isReady(thing) })) };
    },
    plan: planSpecimen,
    executors: {
      "add-finalizer": async ({ specimen }, { kube }) =>
        void (await addFinalizer(kube, kind, specimen, finalizerOf(name))),
      "remove-finalizer": async ({ specimen }, { kube }) => removeFinalizer(kube, kind, specimen, finalizerOf(name)),
      "create-thing": ({ site, name: thing, owner }) => yard.create(site, thing, owner),
      "delete-thing": ({ site, name: thing }) => yard.delete(site, thing),
      "create-child": ({ specimen, site }, writer) => createChild(specimen, site, writer),
      "delete-child": async ({ child }, { kube }) =>
        void (await kube.delete(configMaps, refOf(child), onlyThis(child))),
    },
    report({ observed: { specimen, children }, plan }) {
      if (isBeingDeleted(specimen)) return { statuses: [] };
      const readySites = children.map(siteOf).toSorted();
      const ready = specimen.spec.sites.every((site) => readySites.includes(site));
      const [refusal] = plan.refusals;
      const reason = refusal?.reason ?? (ready ? "AsExpected" : "ObjectNotFound");
      const message = refusal?.message ?? `${readySites.length} of ${specimen.spec.sites.length} sites are ready`;
      const condition = { type: "Ready", status: ready ? ("True" as const) : ("False" as const), reason, message };
      return {
        statuses: [
          {
            kind,
            ref: refOf(specimen),
            observed: specimen,
            status: { readySites },
            conditions: [condition],
          },
        ],
      };
    },
    ...settings,
  });
}

function planSpecimen({ specimen, children, things }: Observed): Plan<SpecimenAction> {
  const owner = specimen.metadata.uid ?? "";
  invariant(specimen.spec.broken !== true, `Specimen ${specimen.metadata.name} is broken`);
  const deleting = isBeingDeleted(specimen);
  if (!deleting && !hasFinalizer(specimen, finalizerOf(name))) {
    return { actions: [{ kind: "add-finalizer", specimen, because: "AsExpected" }], waits: [], refusals: [] };
  }
  const sites = deleting ? [] : specimen.spec.sites;
  const missing = sites.filter((site) => !things.some((thing) => thing.site === site));
  const building = things.filter((thing) => sites.includes(thing.site) && !thing.ready);
  const childless = things.filter(
    ({ site, ready }) => ready && sites.includes(site) && !children.some((child) => siteOf(child) === site),
  );
  const leftThings = things.filter(({ site }) => !sites.includes(site));
  const leftChildren = children.filter((child) => !sites.includes(siteOf(child)));
  const actions: SpecimenAction[] = [
    ...missing.map((site) => ({
      kind: "create-thing" as const,
      name: `${owner}/${site}`,
      site,
      owner,
      lane: site,
      because: "ObjectNotFound" as const,
    })),
    ...childless.map(({ site }) => ({
      kind: "create-child" as const,
      specimen,
      site,
      lane: site,
      because: "ObjectNotFound" as const,
    })),
    ...leftChildren.map((child) => ({
      kind: "delete-child" as const,
      child,
      lane: siteOf(child),
      removes: child.metadata.name,
      because: "AsExpected" as const,
    })),
    ...leftThings.map((thing) => ({
      kind: "delete-thing" as const,
      ...thing,
      lane: thing.site,
      removes: thing.name,
      because: "AsExpected" as const,
    })),
  ];
  if (deleting && actions.length === 0) actions.push({ kind: "remove-finalizer", specimen, because: "AsExpected" });
  return {
    actions,
    waits: building.length === 0 ? [] : [{ reason: "ObjectNotFound", recheckAfterMs: 2_000 }],
    refusals: [],
  };
}

async function createChild(specimen: Specimen, site: string, { kube }: Writer): Promise<void> {
  const ref = { name: `${specimen.metadata.name}-${site}`, namespace: specimen.metadata.namespace ?? "" };
  const mark = markFor(name, specimen);
  const owner = ownerReferenceTo(specimen, ref);
  await kube.create(configMaps, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      ...ref,
      labels: { ...mark.labels, [siteLabel]: site },
      annotations: mark.annotations,
      ...(owner === undefined ? {} : { ownerReferences: [owner] }),
    },
  });
}

function siteOf(child: KubeObject): string {
  return child.metadata.labels?.[siteLabel] ?? "";
}

function ownersOf(object: KubeObject): readonly ObjectRef[] {
  const { namespace = "" } = object.metadata;
  return (object.metadata.ownerReferences ?? [])
    .filter(({ kind }) => kind === specimens.kind)
    .map((owner) => ({ name: owner.name, namespace }));
}
