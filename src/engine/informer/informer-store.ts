// The indexed copy of one kind that an informer keeps. It only stores; informer-cache.ts delivers changes to handlers.

import { formatRef, type KubeObject, type ObjectRef, refOf } from "../../apis/kube/kube-object.ts";
import { invariant } from "../../core/errors.ts";

/** The index values of an object. Must be pure: it is called again when the object is removed. */
export type Indexer<T extends KubeObject> = (object: T) => readonly string[];

interface Index<T extends KubeObject> {
  readonly valuesOf: Indexer<T>;
  readonly buckets: Map<string, Map<string, T>>;
}

export class InformerStore<T extends KubeObject> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, Index<T>>();
  readonly #onIndexerError: (index: string, object: T, error: unknown) => void;
  /** Kept until the next change: features list far more often than objects change. */
  #snapshot: readonly T[] | undefined;

  constructor(onIndexerError: (index: string, object: T, error: unknown) => void) {
    this.#onIndexerError = onIndexerError;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(ref: ObjectRef): T | undefined {
    return this.#objects.get(formatRef(ref));
  }

  list(): readonly T[] {
    this.#snapshot ??= Object.freeze([...this.#objects.values()]);
    return this.#snapshot;
  }

  keys(): readonly string[] {
    return [...this.#objects.keys()];
  }

  byKey(key: string): T | undefined {
    return this.#objects.get(key);
  }

  byIndex(name: string, value: string): readonly T[] {
    const index = this.#indexes.get(name);
    invariant(index !== undefined, `index ${name} is asked for but no indexer of that name was added`);
    return [...(index.buckets.get(value)?.values() ?? [])];
  }

  /** Present objects are indexed at once. The same function may be added twice under a name, another one may not. */
  addIndexer(name: string, valuesOf: Indexer<T>): void {
    const known = this.#indexes.get(name);
    invariant(
      known === undefined || known.valuesOf === valuesOf,
      `index ${name} was added twice with different functions`,
    );
    if (known !== undefined) return;
    const index: Index<T> = { valuesOf, buckets: new Map() };
    this.#indexes.set(name, index);
    for (const [key, object] of this.#objects) this.#file(name, index, key, object);
  }

  put(key: string, object: T): void {
    this.#unfile(key);
    this.#objects.set(key, object);
    this.#snapshot = undefined;
    for (const [name, index] of this.#indexes) this.#file(name, index, key, object);
  }

  remove(key: string): void {
    this.#unfile(key);
    this.#objects.delete(key);
    this.#snapshot = undefined;
  }

  #file(name: string, index: Index<T>, key: string, object: T): void {
    for (const value of this.#valuesOf(name, index, object)) {
      const bucket = index.buckets.get(value);
      if (bucket === undefined) index.buckets.set(value, new Map([[key, object]]));
      else bucket.set(key, object);
    }
  }

  #unfile(key: string): void {
    const object = this.#objects.get(key);
    if (object === undefined) return;
    for (const [name, index] of this.#indexes) {
      for (const value of this.#valuesOf(name, index, object)) {
        const bucket = index.buckets.get(value);
        bucket?.delete(key);
        if (bucket?.size === 0) index.buckets.delete(value);
      }
    }
  }

  #valuesOf(name: string, index: Index<T>, object: T): readonly string[] {
    try {
      return index.valuesOf(object);
    } catch (error) {
      this.#onIndexerError(name, object, error);
      return [];
    }
  }
}

export function storeKey(object: KubeObject): string {
  return formatRef(refOf(object));
}
