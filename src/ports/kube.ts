// The Kubernetes API as Mainstay uses it: raw JSON in, raw JSON out, every call with a deadline, every failure a KubeError.

import type { Kind, KubeObject, ObjectRef } from "../apis/kube/kube-object.ts";

/** Permission to write, checked at the moment a request is sent. See engine/lease/leader-lease.ts. */
export interface Fence {
  /** Milliseconds for which writing is still safe. Zero or less: the request must not be sent. */
  remainingMs(): number;
}

export interface CallOptions {
  /** Upper bound for the whole call. The driver has a default; a fence can only shorten it. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

export interface WriteOptions extends CallOptions {
  readonly fence?: Fence;
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly subresource?: "status" | "scale";
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Takes over fields that another manager owns. Without it such fields are a Conflict. */
  readonly force?: boolean;
}

export interface DeleteOptions extends WriteOptions {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagation?: "Background" | "Foreground" | "Orphan";
  readonly gracePeriodSeconds?: number;
}

export interface Selection {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ListQuery extends Selection {
  readonly limit?: number;
  readonly continueToken?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "NotOlderThan" | "Exact";
}

export interface WatchQuery extends Selection {
  readonly resourceVersion?: string;
  /** Streaming list: begin with every object as ADDED, then a bookmark that says so. */
  readonly sendInitialEvents?: boolean;
  readonly timeoutSeconds?: number;
}

export interface KubeList<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  readonly continueToken?: string;
  readonly remainingItemCount?: number;
}

export type WatchEvent<T> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: T }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

export type Patch =
  | { readonly type: "merge"; readonly body: unknown }
  | { readonly type: "strategic"; readonly body: unknown }
  | { readonly type: "json"; readonly body: readonly JsonPatchStep[] };

export type JsonPatchStep =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly path: string; readonly from: string };

export interface KubeReader {
  get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options?: CallOptions): Promise<T>;
  /** One page. `listEverything` of the engine follows continue tokens. */
  list<T extends KubeObject>(kind: Kind<T>, query?: ListQuery, options?: CallOptions): Promise<KubeList<T>>;
  /**
   * Ends normally when the server closes the stream, throws a KubeError otherwise (`Gone` for an in-stream 410).
   * `deadlineMs` bounds the time to the response headers; `idleTimeoutMs` the silence between two events.
   * `onOpen` is called once the server has accepted the watch: without changes nothing else arrives for a while.
   */
  watch<T extends KubeObject>(
    kind: Kind<T>,
    query: WatchQuery,
    options?: CallOptions & { readonly idleTimeoutMs?: number; readonly onOpen?: () => void },
  ): AsyncIterable<WatchEvent<T>>;
}

export interface Kube extends KubeReader {
  create<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<T>;
  /** Server-side apply: `object` holds our fields and nothing else. */
  apply<T extends KubeObject>(kind: Kind<T>, object: KubeObject, options: ApplyOptions): Promise<T>;
  patch<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, patch: Patch, options?: WriteOptions): Promise<T>;
  /** Answers with the object while finalizers hold it, with undefined when it is gone. */
  delete<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options?: DeleteOptions): Promise<T | undefined>;
  /** Anything else the server offers (/version, access reviews, discovery): JSON in, JSON out. */
  request(call: RawCall): Promise<unknown>;
}

export interface RawCall extends Omit<WriteOptions, "subresource"> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query, such as `/version`. */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
}
