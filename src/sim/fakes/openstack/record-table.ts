// Rows of one kind by id, in the order they were made, found again by index keys without a scan. Rows are values: a change replaces
// the row, and every listener gets the one before and the one after.

export interface Row {
  readonly id: string;
}

/** `before` is absent when a row is made, `after` when it goes. */
export type RowChanged<T> = (before: T | undefined, after: T | undefined) => void;

export class RecordTable<T extends Row> {
  readonly #rows = new Map<string, T>();
  readonly #idsByKey = new Map<string, Set<string>>();
  readonly #keysOf: (row: T) => readonly string[];
  readonly #changed: RowChanged<T>;

  constructor(keysOf: (row: T) => readonly string[], changed: RowChanged<T>) {
    this.#keysOf = keysOf;
    this.#changed = changed;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): T | undefined {
    return this.#rows.get(id);
  }

  all(): readonly T[] {
    return [...this.#rows.values()];
  }

  /** Rows that have this index key, oldest first. */
  find(key: string): readonly T[] {
    return [...(this.#idsByKey.get(key) ?? [])].flatMap((id) => this.#rows.get(id) ?? []);
  }

  count(key: string): number {
    return this.#idsByKey.get(key)?.size ?? 0;
  }

  insert(row: T): T {
    this.#rows.set(row.id, row);
    for (const key of this.#keysOf(row)) this.#index(key, row.id);
    this.#changed(undefined, row);
    return row;
  }

  /** Nothing happens to a row that is gone. */
  patch(id: string, change: Partial<T>): T | undefined {
    const before = this.#rows.get(id);
    if (before === undefined) return undefined;
    return this.replace({ ...before, ...change });
  }

  /** In the place of the row with its id. */
  replace(row: T): T {
    const before = this.#rows.get(row.id);
    if (before === undefined) return this.insert(row);
    this.#rows.set(row.id, row);
    this.#reindex(before, row);
    this.#changed(before, row);
    return row;
  }

  remove(id: string): void {
    const before = this.#rows.get(id);
    if (before === undefined) return;
    this.#rows.delete(id);
    for (const key of this.#keysOf(before)) this.#unindex(key, id);
    this.#changed(before, undefined);
  }

  #reindex(before: T, after: T): void {
    const old = new Set(this.#keysOf(before));
    const fresh = new Set(this.#keysOf(after));
    for (const key of old) if (!fresh.has(key)) this.#unindex(key, before.id);
    for (const key of fresh) if (!old.has(key)) this.#index(key, after.id);
  }

  #index(key: string, id: string): void {
    const ids = this.#idsByKey.get(key);
    if (ids === undefined) this.#idsByKey.set(key, new Set([id]));
    else ids.add(id);
  }

  #unindex(key: string, id: string): void {
    const ids = this.#idsByKey.get(key);
    ids?.delete(id);
    if (ids?.size === 0) this.#idsByKey.delete(key);
  }
}
