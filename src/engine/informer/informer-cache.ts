// Turns lists, watch events and bookmarks into changes of the store and delivers each change to every handler once. Handlers get a
// deletion only for an object they got before, and for a recreated object the deletion comes first.

import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { toCached } from "./cached-object.ts";
import { type InformerStore, storeKey } from "./informer-store.ts";
import { isAtLeast } from "./resource-version.ts";

export type Change<T extends KubeObject = KubeObject> =
  | { readonly type: "added"; readonly object: T }
  | { readonly type: "updated"; readonly object: T; readonly previous: T }
  /** In its last known state, also when only a later list showed the deletion. */
  | { readonly type: "deleted"; readonly object: T };

export type ChangeHandler<T extends KubeObject = KubeObject> = (change: Change<T>) => void;

export interface InformerCacheOptions<T extends KubeObject> {
  readonly store: InformerStore<T>;
  readonly keepManagedFields: boolean;
  readonly onHandlerError: (change: Change<T>, error: unknown) => void;
}

export class InformerCache<T extends KubeObject> {
  readonly #options: InformerCacheOptions<T>;
  readonly #store: InformerStore<T>;
  #handlers: readonly ChangeHandler<T>[] = [];
  /** Keys that a running list has not returned yet; undefined when no list runs. */
  #unlisted: Set<string> | undefined;
  #distrust = false;
  #closed = false;
  #resourceVersion: string | undefined;
  #listsStarted = 0;
  #lastCompleteList = 0;
  #listsCompleted = 0;
  #waiters: (() => void)[] = [];

  constructor(options: InformerCacheOptions<T>) {
    this.#options = options;
    this.#store = options.store;
  }

  /** Everything up to here has been delivered. Undefined before the first list has ended. */
  get resourceVersion(): string | undefined {
    return this.#resourceVersion;
  }

  get listsStarted(): number {
    return this.#listsStarted;
  }

  get listsCompleted(): number {
    return this.#listsCompleted;
  }

  get hasListed(): boolean {
    return this.#listsCompleted > 0;
  }

  /** A handler that is added late gets all present objects as added. Returns a function that removes it. */
  addHandler(handler: ChangeHandler<T>): () => void {
    this.#handlers = [...this.#handlers, handler];
    for (const object of this.#store.list()) this.#deliver(handler, { type: "added", object });
    return () => {
      this.#handlers = this.#handlers.filter((other) => other !== handler);
    };
  }

  /** From now on nothing is delivered. */
  close(): void {
    this.#closed = true;
  }

  /**
   * `distrust`: the server's history may have been replaced, as by a restore. The same resource version may then stand for two
   * different states, so that contents are compared, too.
   */
  beginList({ distrust }: { readonly distrust: boolean }): void {
    this.#listsStarted += 1;
    this.#distrust = distrust;
    this.#unlisted = new Set(this.#store.keys());
  }

  /** The contents contradict the server: until the next list has ended, `hasReached` is false for every version. */
  invalidate(): void {
    this.#distrust = true;
  }

  endList(resourceVersion: string): void {
    for (const key of this.#unlisted ?? []) this.#remove(key);
    this.#unlisted = undefined;
    this.#distrust = false;
    this.#lastCompleteList = this.#listsStarted;
    this.#listsCompleted += 1;
    this.#progress(resourceVersion);
  }

  /** For list items, ADDED and MODIFIED alike: whether an object is new depends on the store, not on the event of a resumed watch. */
  put(incoming: T): void {
    const key = storeKey(incoming);
    this.#unlisted?.delete(key);
    const previous = this.#store.byKey(key);
    const same = previous !== undefined && isSame(previous, incoming);
    if (same && !this.#distrust) return;
    const object = toCached(incoming, this.#options.keepManagedFields);
    if (same && JSON.stringify(object) === JSON.stringify(previous)) return;
    if (previous !== undefined && previous.metadata.uid !== object.metadata.uid) this.#remove(key);
    const updated = this.#store.byKey(key);
    this.#store.put(key, object);
    this.#deliverAll(
      updated === undefined ? { type: "added", object } : { type: "updated", object, previous: updated },
    );
  }

  delete(incoming: T): void {
    const key = storeKey(incoming);
    if (this.#store.byKey(key)?.metadata.uid !== incoming.metadata.uid) return;
    this.#unlisted?.delete(key);
    this.#remove(key, toCached(incoming, this.#options.keepManagedFields));
  }

  /** A watch has come this far. Ignored while a list runs: its items come in no order, so that nothing is complete yet. */
  reached(resourceVersion: string | undefined): void {
    if (resourceVersion !== undefined && this.#unlisted === undefined) this.#progress(resourceVersion);
  }

  /** The kind no longer exists, and so no object of it does. */
  clear(): void {
    this.#unlisted = undefined;
    for (const key of this.#store.keys()) this.#remove(key);
  }

  /**
   * Whether a write of that version, answered when `listsStarted` was `generation`, is in the store. While the contents are invalid the
   * version we hold may belong to a history that was replaced, and may be larger than any new one.
   */
  hasReached(resourceVersion: string, generation: number): boolean {
    if (this.#lastCompleteList > generation) return true;
    if (this.#distrust) return false;
    return this.#resourceVersion !== undefined && isAtLeast(this.#resourceVersion, resourceVersion);
  }

  /** Calls back once, after the next progress. */
  onProgress(callback: () => void): () => void {
    this.#waiters.push(callback);
    return () => {
      this.#waiters = this.#waiters.filter((other) => other !== callback);
    };
  }

  #progress(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion;
    if (this.#waiters.length === 0) return;
    for (const callback of this.#waiters.splice(0)) callback();
  }

  #remove(key: string, last?: T): void {
    const previous = this.#store.byKey(key);
    if (previous === undefined) return;
    this.#store.remove(key);
    this.#deliverAll({ type: "deleted", object: last ?? previous });
  }

  #deliverAll(change: Change<T>): void {
    for (const handler of this.#handlers) this.#deliver(handler, change);
  }

  #deliver(handler: ChangeHandler<T>, change: Change<T>): void {
    if (this.#closed) return;
    try {
      handler(change);
    } catch (error) {
      this.#options.onHandlerError(change, error);
    }
  }
}

/** The same state in the same version of the API: an informer that has switched versions has to deliver again. */
function isSame(a: KubeObject, b: KubeObject): boolean {
  const version = a.metadata.resourceVersion;
  return (
    version !== undefined &&
    version === b.metadata.resourceVersion &&
    a.metadata.uid === b.metadata.uid &&
    a.apiVersion === b.apiVersion
  );
}
