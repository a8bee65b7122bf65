// How the fake API server describes one resource, built in or from a CRD. Routing, discovery, OpenAPI, tables, schema
// work and storage all read this and nothing else about a kind.

import type { FieldCause } from "../../../core/kube-error.ts";
import type { JsonObject } from "./json.ts";
import type { StructuralSchema } from "./schema/structural-schema.ts";

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

export interface ResourceVersionDefinition {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecationWarning?: string;
  readonly schema: StructuralSchema;
  readonly columns: readonly PrinterColumn[];
  readonly hasStatus: boolean;
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath?: string;
  };
  readonly selectableFields?: readonly string[];
  /** Its objects are accounts that tokens can be asked for, by the subresource `token`. */
  readonly issuesTokens?: boolean;
}

export interface ResourceDefinition {
  readonly group: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly versions: readonly ResourceVersionDefinition[];
  /** From a CRD, with its name; built-in kinds have none. Custom resources prune and default by schema. */
  readonly crd?: { readonly name: string; readonly conversion?: JsonObject };
  /** `group/plural` of the storage it shares with another resource: both Event kinds are one. */
  readonly storedAs?: string;
  /** Kinds such as TokenReview that answer and keep nothing. */
  readonly verbs?: readonly string[];
  readonly strategy: ResourceStrategy;
}

/** What a kind adds to the rules every kind has. All functions are pure but for the allocators a kind closes over. */
export interface ResourceStrategy {
  /** Values the server fills in where the client left a field out; the client then owns them. */
  readonly defaults?: (object: JsonObject) => JsonObject;
  /** `metadata.generation` counts changes outside metadata and status. */
  readonly tracksGeneration?: boolean;
  /** A client may set `status` when it creates an object; kinds otherwise ignore it there. */
  readonly takesStatusOnCreate?: boolean;
  /** PUT and apply create what is not there, even through `status`. */
  readonly createsOnUpdate?: boolean;
  /** An update must name the resource version it read. */
  readonly needsResourceVersion?: boolean;
  /** A deletion answers with the object instead of a Status. */
  readonly returnsDeleted?: boolean;
  /** Names that are not DNS subdomains. */
  readonly nameRule?: "label" | "path-segment";
  /** Seconds a deletion waits for somebody else to finish it; undefined: no waiting. */
  readonly graceSeconds?: (object: JsonObject, asked: number | undefined) => number | undefined;
  /** True keeps an object that is being deleted although no finalizer holds it. */
  readonly holdsDeletion?: (object: JsonObject) => boolean;
  /** Kinds whose deletion begins in a way of their own: the state to store then. */
  readonly beginDelete?: (object: JsonObject, nowIso: string) => JsonObject;
  /** Says why an object may never be deleted. */
  readonly refuseDelete?: (object: JsonObject) => string | undefined;
  /** Subresources that write besides `status` and `scale`, such as `finalize`. */
  readonly subresources?: readonly string[];
  /** Between the form a client sees and the stored one, for kinds that share storage. */
  readonly toStorage?: (object: JsonObject) => JsonObject;
  readonly fromStorage?: (object: JsonObject) => JsonObject;
  /** Drops what a client may not set, fills what the server sets. `undefined` for `old` means create. */
  readonly prepare?: (object: JsonObject, old: JsonObject | undefined, change: Change) => JsonObject;
  readonly validate?: (object: JsonObject, old: JsonObject | undefined, change: Change) => readonly FieldCause[];
  /** What the server thinks of an object that it takes nevertheless. */
  readonly warnings?: (object: JsonObject, old: JsonObject | undefined) => readonly string[];
  readonly afterDelete?: (object: JsonObject) => void;
  /** Extra field selectors, such as `spec.nodeName` of Pods. `metadata.name` and `metadata.namespace` always work. */
  readonly selectableFields?: (object: JsonObject) => Readonly<Record<string, string>>;
}

export interface Change {
  readonly version: string;
  readonly subresource?: string;
  readonly dryRun: boolean;
  /** ISO 8601, seconds. */
  readonly nowIso: string;
}

/** Every resource the server serves right now. CRDs come and go at run time. */
export interface ResourceRegistry {
  all(): readonly ResourceDefinition[];
  find(group: string, version: string, plural: string): ResourceDefinition | undefined;
  findKind(group: string, kind: string): ResourceDefinition | undefined;
}
