// Every stored object with its history: one counter for all writes, a window of past changes, lists as of a past
// revision. Knows keys and JSON, nothing about kinds.

import type { JsonObject } from "../json.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";

export interface StoredChange {
  readonly revision: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** `group/plural`. */
  readonly resource: string;
  readonly key: string;
  /** For DELETED: the last state, with the revision of the deletion. */
  readonly object: JsonObject;
  readonly previous: JsonObject | undefined;
}

export interface Backup {
  readonly revision: number;
  readonly objects: ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;
}

/** Objects with their keys. */
export type Entries = readonly (readonly [key: string, object: JsonObject])[];

export type ChangeListener = (change: StoredChange) => void;

export function keyOf(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === "" ? name : `${namespace}/${name}`;
}

export class ObjectStore {
  readonly #historyLimit: number;
  readonly #listeners = new Set<ChangeListener>();
  #collections = new Map<string, Map<string, JsonObject>>();
  /** Every collection in the order of its keys, until it changes. */
  readonly #sorted = new Map<string, Entries>();
  #history: StoredChange[] = [];
  #revision = 1;
  #compacted = 0;
  #restores = 0;

  constructor(historyLimit: number) {
    this.#historyLimit = historyLimit;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Changes up to and including this revision are forgotten. */
  get compactedRevision(): number {
    return this.#compacted;
  }

  /** How often storage was replaced as a whole: what is derived from it is stale then. */
  get restores(): number {
    return this.#restores;
  }

  get(resource: string, namespace: string | undefined, name: string): JsonObject | undefined {
    return this.#collections.get(resource)?.get(keyOf(namespace, name));
  }

  /** In the order of their keys. The same list for as long as nothing in it changes. */
  list(resource: string, namespace?: string): Entries {
    let all = this.#sorted.get(resource);
    if (all === undefined) {
      all = sorted(this.#collections.get(resource) ?? new Map());
      this.#sorted.set(resource, all);
    }
    return inNamespace(all, namespace);
  }

  /** The list as it was at a revision inside the history window; undefined when that is forgotten. */
  listAt(resource: string, namespace: string | undefined, revision: number): Entries | undefined {
    if (revision < this.#compacted) return undefined;
    if (revision >= this.#revision) return this.list(resource, namespace);
    const past = new Map(this.#collections.get(resource));
    for (let i = this.#history.length - 1; i >= 0; i -= 1) {
      const change = this.#history[i];
      if (change === undefined || change.revision <= revision) break;
      if (change.resource !== resource) continue;
      if (change.previous === undefined) past.delete(change.key);
      else past.set(change.key, change.previous);
    }
    return inNamespace(sorted(past), namespace);
  }

  /** Stores the object under a new revision and returns it as stored. */
  put(resource: string, object: JsonObject): JsonObject {
    const collection = this.#collection(resource);
    const key = keyOfObject(object);
    const previous = collection.get(key);
    const revision = this.#next();
    const stored = withRevision(object, revision);
    collection.set(key, stored);
    this.#record({
      revision,
      type: previous === undefined ? "ADDED" : "MODIFIED",
      resource,
      key,
      object: stored,
      previous,
    });
    return stored;
  }

  /** `last` is what watchers see as the final state. */
  remove(resource: string, last: JsonObject): JsonObject {
    const collection = this.#collection(resource);
    const key = keyOfObject(last);
    const previous = collection.get(key);
    const revision = this.#next();
    const gone = withRevision(last, revision);
    collection.delete(key);
    this.#record({ revision, type: "DELETED", resource, key, object: gone, previous });
    return gone;
  }

  changesAfter(resource: string, revision: number): readonly StoredChange[] {
    let first = this.#history.length;
    while (first > 0 && (this.#history[first - 1]?.revision ?? 0) > revision) first -= 1;
    return this.#history.slice(first).filter((change) => change.resource === resource);
  }

  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets all history, as etcd does every few minutes. */
  compact(): void {
    this.#history = [];
    this.#compacted = this.#revision;
  }

  /** As many writes to things that nobody here looks at. */
  advance(revisions: number): void {
    this.#revision += revisions;
  }

  backup(): Backup {
    return {
      revision: this.#revision,
      objects: new Map([...this.#collections].map(([name, objects]) => [name, new Map(objects)])),
    };
  }

  /** Revisions go backwards, as after a restore of etcd. Listeners are not told. */
  restore(backup: Backup): void {
    this.#collections = new Map([...backup.objects].map(([name, objects]) => [name, new Map(objects)]));
    this.#sorted.clear();
    this.#revision = backup.revision;
    this.#restores += 1;
    this.compact();
  }

  /** To change it. */
  #collection(resource: string): Map<string, JsonObject> {
    this.#sorted.delete(resource);
    const existing = this.#collections.get(resource);
    if (existing !== undefined) return existing;
    const created = new Map<string, JsonObject>();
    this.#collections.set(resource, created);
    return created;
  }

  #next(): number {
    this.#revision += 1;
    return this.#revision;
  }

  #record(change: StoredChange): void {
    this.#history.push(change);
    // Trimmed in batches, so that a write stays cheap.
    if (this.#history.length > this.#historyLimit * 2) {
      const dropped = this.#history.splice(0, this.#history.length - this.#historyLimit);
      this.#compacted = dropped.at(-1)?.revision ?? this.#compacted;
    }
    for (const listener of this.#listeners) listener(change);
  }
}

function keyOfObject(object: JsonObject): string {
  const metadata = objectAt(object, "metadata");
  return keyOf(stringAt(metadata, "namespace"), stringAt(metadata, "name"));
}

function withRevision(object: JsonObject, revision: number): JsonObject {
  return { ...object, metadata: { ...objectAt(object, "metadata"), resourceVersion: String(revision) } };
}

function sorted(objects: ReadonlyMap<string, JsonObject>): Entries {
  return [...objects].sort(([a], [b]) => (a < b ? -1 : 1));
}

function inNamespace(entries: Entries, namespace: string | undefined): Entries {
  return namespace === undefined ? entries : entries.filter(([key]) => key.startsWith(`${namespace}/`));
}
