// Beacon: a text that is to be kept in a ConfigMap.

import { type CustomResourceDefinition, ownedCrdMetadata } from "../../../apis/kube/crd.ts";
import type { Condition, Kind, KubeObject } from "../../../apis/kube/kube-object.ts";

export interface Beacon extends KubeObject {
  readonly spec: { readonly text: string };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export const beacons: Kind<Beacon> = {
  group: "mainstay.dev",
  version: "v1alpha1",
  kind: "Beacon",
  plural: "beacons",
  namespaced: true,
};

const text = { type: "string" };

export const beaconCrd: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: ownedCrdMetadata(`${beacons.plural}.${beacons.group}`, 1),
  spec: {
    group: beacons.group,
    scope: "Namespaced",
    names: { kind: beacons.kind, listKind: "BeaconList", plural: beacons.plural, singular: "beacon" },
    versions: [
      {
        name: beacons.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", required: ["text"], properties: { text } },
              status: {
                type: "object",
                properties: {
                  conditions: {
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
                        message: text,
                        lastTransitionTime: text,
                        observedGeneration: { type: "integer" },
                      },
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
};
