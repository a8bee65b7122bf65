// Which keys of a controller have their name in metrics. There is room for so many: the sick come first, and the rest share one label, so
// that a manager of thousands of objects has as many time series as one of hundreds. Whoever has a name keeps it until a sick one needs it.

/** Stands for all keys without a name of their own. No object is called so. */
export const otherObjects = "(other)";

export type KeyHealth = "sick" | "well";

export class NamedKeys {
  readonly #limit: number;
  /** By health, so that a swap looks at nobody else. */
  readonly #named: Readonly<Record<KeyHealth, Set<string>>> = { sick: new Set(), well: new Set() };
  readonly #unnamed: Readonly<Record<KeyHealth, Set<string>>> = { sick: new Set(), well: new Set() };

  constructor(limit: number) {
    this.#limit = limit;
  }

  keys(): Iterable<string> {
    return [this.#named, this.#unnamed].flatMap(({ sick, well }) => [...sick, ...well]);
  }

  labelOf(key: string): string {
    return this.#named.sick.has(key) || this.#named.well.has(key) ? key : otherObjects;
  }

  /** Answers with the keys that got or lost their names by this, itself left out. */
  set(key: string, health: KeyHealth): readonly string[] {
    const isNamed = this.labelOf(key) === key;
    this.#forget(key);
    (isNamed || this.#hasRoom() ? this.#named : this.#unnamed)[health].add(key);
    return this.#settle().filter((moved) => moved !== key);
  }

  delete(key: string): readonly string[] {
    this.#forget(key);
    return this.#settle();
  }

  #hasRoom(): boolean {
    return this.#named.sick.size + this.#named.well.size < this.#limit;
  }

  #forget(key: string): void {
    for (const sets of [this.#named, this.#unnamed]) for (const set of [sets.sick, sets.well]) set.delete(key);
  }

  /** A free name goes to a sick key, else to any; a sick one without a name takes that of a well one. */
  #settle(): readonly string[] {
    const moved: string[] = [];
    for (;;) {
      const [sick] = this.#unnamed.sick;
      const [waiting] = this.#unnamed.well;
      const next = sick ?? waiting;
      if (next === undefined) return moved;
      if (!this.#hasRoom()) {
        const [well] = this.#named.well;
        if (sick === undefined || well === undefined) return moved;
        move(well, this.#named.well, this.#unnamed.well);
        moved.push(well);
      }
      const health = sick === undefined ? "well" : "sick";
      move(next, this.#unnamed[health], this.#named[health]);
      moved.push(next);
    }
  }
}

function move(key: string, from: Set<string>, to: Set<string>): void {
  from.delete(key);
  to.add(key);
}
