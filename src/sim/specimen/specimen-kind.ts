// Specimen: a kind of the simulation and of tests only. It wants one thing in the cloud at each of its locations, and a child in the cluster for
// each thing that is ready.

import type { Condition, Kind, KubeObject } from "../../apis/kube/kube-object.ts";

export interface Specimen extends KubeObject {
  /** A broken one breaks an invariant of its planner. */
  readonly spec: { readonly locations: readonly string[]; readonly broken?: boolean };
  readonly status?: { readonly readyLocations?: readonly string[]; readonly conditions?: readonly Condition[] };
}

export const specimens: Kind<Specimen> = {
  group: "sim.mainstay.dev",
  version: "v1",
  kind: "Specimen",
  plural: "specimens",
  namespaced: true,
};

/** As storage names it. */
export const specimenResource = `${specimens.group}/${specimens.plural}`;
export const specimenFeatureName = "specimen";
export const locationLabel = "sim.mainstay.dev/location";
/** What the newer version puts on its children; the older one knows nothing of it and leaves it alone. */
export const formatAnnotation = "sim.mainstay.dev/format";

const strings = { type: "array", items: { type: "string" } };
const text = { type: "string" };
const conditions = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["type"],
  items: {
    type: "object",
    required: ["type", "status"],
    properties: {
      type: text,
      status: text,
      reason: text,
      message: { ...text, maxLength: 32768 },
      lastTransitionTime: text,
      observedGeneration: { type: "integer" },
    },
  },
};

export const specimenCrd = specimenCrdIn(specimens.group);

/** In a group of its own, for a server that others use, too. */
export function specimenCrdIn(group: string): KubeObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${specimens.plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: specimens.plural, singular: "specimen", kind: specimens.kind, listKind: "SpecimenList" },
      versions: [
        {
          name: specimens.version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: { type: "object", properties: { locations: strings, broken: { type: "boolean" } } },
                status: { type: "object", properties: { readyLocations: strings, conditions } },
              },
            },
          },
        },
      ],
    },
  } as unknown as KubeObject;
}
