// CustomResourceDefinitions as plain objects, and the labels by which Mainstay recognises its own.

import type { KubeObject, ObjectMeta } from "./kube-object.ts";

/** OpenAPI as in a CRD: data for the API server. */
export interface CrdSchema {
  readonly [keyword: string]: unknown;
}

export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema?: { readonly openAPIV3Schema?: CrdSchema };
  readonly subresources?: { readonly status?: Readonly<Record<string, never>> };
  readonly additionalPrinterColumns?: readonly {
    readonly name: string;
    readonly type: string;
    readonly jsonPath: string;
    readonly description?: string;
    readonly priority?: number;
  }[];
}

/** Where the API server finds a webhook. */
export interface WebhookClientConfig {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** Base64 of the PEM of the authority that signed the webhook's certificate. */
  readonly caBundle?: string;
}

export interface CrdConversion {
  readonly strategy: "Webhook";
  readonly webhook: {
    readonly clientConfig: WebhookClientConfig;
    readonly conversionReviewVersions: readonly string[];
  };
}

export function webhookConversion(clientConfig: WebhookClientConfig): CrdConversion {
  return { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } };
}

export interface CustomResourceDefinition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly scope: "Cluster" | "Namespaced";
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    /** Absent: versions differ in name alone. */
    readonly conversion?: CrdConversion;
    readonly versions: readonly CrdVersion[];
  };
}

export const managedByLabel = "app.kubernetes.io/managed-by";
export const managedByValue = "mainstay";
/** Counts up with every change of one of our definitions, so that an older program never replaces a newer one. */
export const crdRevisionAnnotation = "mainstay.dev/crd-revision";

/** Metadata of a definition of ours. */
export function ownedCrdMetadata(name: string, revision: number): ObjectMeta {
  return {
    name,
    labels: { [managedByLabel]: managedByValue },
    annotations: { [crdRevisionAnnotation]: String(revision) },
  };
}

export function bearsOurMark(object: KubeObject): boolean {
  return object.metadata.labels?.[managedByLabel] === managedByValue;
}

/** Zero for a definition without a revision. */
export function crdRevision(object: KubeObject): number {
  const revision = Number(object.metadata.annotations?.[crdRevisionAnnotation]);
  return Number.isSafeInteger(revision) && revision > 0 ? revision : 0;
}

/** Conditions as Kubernetes has them now; `description` says which there are. */
export function conditionsSchema(description: string): CrdSchema {
  const text = { type: "string" } as const;
  return {
    type: "array",
    description,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["type"],
    items: {
      type: "object",
      required: ["type", "status", "lastTransitionTime", "reason", "message"],
      properties: {
        type: { ...text, maxLength: 316 },
        status: { ...text, enum: ["True", "False", "Unknown"] },
        reason: { ...text, minLength: 1, maxLength: 1024 },
        message: { ...text, maxLength: 32768 },
        observedGeneration: { type: "integer", format: "int64", minimum: 0 },
        lastTransitionTime: { ...text, format: "date-time" },
      },
    },
  };
}
