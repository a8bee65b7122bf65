// Paths and queries of the Kubernetes API for kinds and objects. Knows nothing else of HTTP.

import { apiVersionOf, formatRef, type Kind, type ObjectRef, resourceName } from "../../apis/kube/kube-object.ts";
import { KubeError } from "../../core/kube-error.ts";
import type { ListQuery, WatchQuery, WriteOptions } from "../../ports/kube.ts";

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** All objects of the kind, in one namespace or in all. */
export function collectionPath(kind: Kind, namespace: string | undefined): string {
  const root = kind.group === "" ? `/api/${kind.version}` : `/apis/${apiVersionOf(kind)}`;
  if (namespace !== undefined && !kind.namespaced) {
    throw misuse(`${resourceName(kind)} are cluster-scoped, yet namespace "${namespace}" was given`);
  }
  const scope = namespace === undefined ? "" : `/namespaces/${segment(namespace)}`;
  return `${root}${scope}/${kind.plural}`;
}

export function objectPath(kind: Kind, ref: ObjectRef, subresource?: string): string {
  if (ref.name === "") throw misuse(`${resourceName(kind)}: an object without a name was asked for`);
  requireNamespace(kind, ref);
  const path = `${collectionPath(kind, ref.namespace)}/${segment(ref.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** Where new objects are posted: never across all namespaces. */
export function createPath(kind: Kind, ref: ObjectRef): string {
  requireNamespace(kind, ref);
  return collectionPath(kind, ref.namespace);
}

export function withQuery(path: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(name, String(value));
  }
  const text = parameters.toString();
  if (text === "") return path;
  return `${path}${path.includes("?") ? "&" : "?"}${text}`;
}

export function listQuery(query: ListQuery): Query {
  return {
    labelSelector: query.labelSelector,
    fieldSelector: query.fieldSelector,
    limit: query.limit,
    continue: query.continueToken,
    resourceVersion: query.resourceVersion,
    resourceVersionMatch: query.resourceVersionMatch,
  };
}

export function watchQuery(query: WatchQuery): Query {
  const streamingList = query.sendInitialEvents === true;
  return {
    watch: true,
    allowWatchBookmarks: true,
    labelSelector: query.labelSelector,
    fieldSelector: query.fieldSelector,
    resourceVersion: query.resourceVersion,
    timeoutSeconds: query.timeoutSeconds,
    sendInitialEvents: streamingList ? true : undefined,
    resourceVersionMatch: streamingList ? "NotOlderThan" : undefined,
  };
}

export function writeQuery(options: WriteOptions, defaultFieldManager: string): Query {
  return {
    fieldManager: options.fieldManager ?? defaultFieldManager,
    dryRun: options.dryRun === true ? "All" : undefined,
  };
}

function requireNamespace(kind: Kind, ref: ObjectRef): void {
  if (kind.namespaced && ref.namespace === undefined) {
    throw misuse(`${resourceName(kind)} "${formatRef(ref)}": the kind is namespaced, yet no namespace was given`);
  }
}

function segment(text: string): string {
  // A dot segment would be resolved away and name another resource.
  if (text === "." || text === "..") throw misuse(`"${text}" is not a valid name`);
  return encodeURIComponent(text);
}

function misuse(message: string): KubeError {
  return new KubeError({ code: "BadRequest", message, hint: "Correct the reference; the request was not sent." });
}
