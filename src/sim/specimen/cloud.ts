// The cloud behind the specimen: things at locations. They bear the mark of who made them, take seconds to become ready, and two of the
// same name are two things, as in most clouds. It knows nothing of Kubernetes.

export interface Thing {
  readonly id: string;
  readonly location: string;
  /** The mark: uid of the object it was made for. Empty on what other people made. */
  readonly owner: string;
  readonly readyAtMs: number;
}

export interface SeenThing extends Thing {
  readonly ready: boolean;
}

export type CloudChange =
  | { readonly type: "created"; readonly thing: Thing }
  | { readonly type: "deleted"; readonly thing: Thing };

/** The cloud's own words, as careless as clouds are: they repeat the caller's credential. */
export class CloudRefusal extends Error {
  readonly kind: "NoSuchThing" | "QuotaExceeded";

  constructor(kind: CloudRefusal["kind"], credential: string) {
    super(`${kind} (authenticated as ${credential})`);
    this.name = kind;
    this.kind = kind;
  }
}

export const locations: readonly string[] = ["a", "b", "c"];

export class Cloud {
  readonly things = new Map<string, Thing>();
  /** Locations in trouble: silent ones answer nothing, read-only ones refuse every change. */
  readonly down = new Map<string, "silent" | "read-only">();
  /** A new thing is there, and gone at once. */
  loses = false;
  /** Deletions are accepted, and nothing follows. */
  keeps = false;
  /** How much longer calls to a location take. */
  readonly slowMs = new Map<string, number>();
  readonly #nowMs: () => number;
  readonly #readyAfterMs: () => number;
  readonly #quota: number;
  readonly #listeners: ((change: CloudChange) => void)[] = [];
  #made = 0;

  /** `quota`: how many things a location may have, whoever's. */
  constructor(nowMs: () => number, readyAfterMs: () => number, quota = 20) {
    this.#nowMs = nowMs;
    this.#readyAfterMs = readyAfterMs;
    this.#quota = quota;
  }

  onChange(listener: (change: CloudChange) => void): void {
    this.#listeners.push(listener);
  }

  isReady({ readyAtMs }: Thing): boolean {
    return readyAtMs <= this.#nowMs();
  }

  list(location: string): readonly SeenThing[] {
    return [...this.things.values()]
      .filter((thing) => thing.location === location)
      .map((thing) => ({ ...thing, ready: this.isReady(thing) }));
  }

  create(location: string, owner: string, credential: string): Thing {
    if (this.down.has(location) || this.list(location).length >= this.#quota)
      throw new CloudRefusal("QuotaExceeded", credential);
    this.#made += 1;
    const thing = { id: `thing-${this.#made}`, location, owner, readyAtMs: this.#nowMs() + this.#readyAfterMs() };
    if (this.loses) return thing;
    this.things.set(thing.id, thing);
    this.#notify({ type: "created", thing });
    return thing;
  }

  delete(id: string, credential: string): void {
    const thing = this.things.get(id);
    if (thing === undefined) throw new CloudRefusal("NoSuchThing", credential);
    if (this.down.has(thing.location)) throw new CloudRefusal("QuotaExceeded", credential);
    if (this.keeps) return;
    this.things.delete(id);
    this.#notify({ type: "deleted", thing });
  }

  #notify(change: CloudChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
