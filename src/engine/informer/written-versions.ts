// Remembers what was written for a key, so that the key is never planned again from a cache older than its own last write.
// A write whose effect is uncertain (its reply was lost, or the answer shows that the cache is behind) is read from the server first;
// then the cache has to reach the version that was read. Nothing blocks: a key whose caches are behind is tried again shortly. After
// many tries the object is read again, since after a restore no cache will ever show the write. A read can prove that a cache follows
// a history the server no longer has; that cache is then listed again.

import {
  formatRef,
  type Kind,
  type KubeObject,
  type ObjectRef,
  refOf,
  resourceName,
} from "../../apis/kube/kube-object.ts";
import { MainstayError } from "../../core/errors.ts";
import { isKubeError, type KubeErrorCode } from "../../core/kube-error.ts";
import type { Kube, KubeReader } from "../../ports/kube.ts";
import { isAtLeast } from "./resource-version.ts";
import type { Store } from "./store.ts";

/** What this file needs of an informer. */
export interface KindCache extends Pick<Store, "get" | "state"> {
  /** Grows with every list that begins: a list begun after a write was answered includes it. */
  readonly listGeneration: number;
  hasReached(resourceVersion: string, generation: number): boolean;
  /** False: an object of that name can never be in this cache. */
  mayHold(ref: ObjectRef): boolean;
  /** True: while an object of that name is there, it is in this cache. */
  mustHold(ref: ObjectRef): boolean;
  /** Everything up to here has been delivered. */
  readonly lastResourceVersion: string | undefined;
  /** Its contents were disproved: it lists again, and until then `hasReached` is false. */
  invalidate(): void;
}

/** One for each selection of the kind; none: the kind has no cache here, so none can be stale. Always in the same order. */
export type KindCachesOf = (kind: Kind) => readonly KindCache[];

interface Written {
  readonly kind: Kind;
  readonly ref: ObjectRef;
  /** Of each cache, when the answer had come. */
  readonly generations: readonly number[];
  /** How often the caches were found to be behind. */
  readonly checks: number;
  readonly effect:
    | { readonly type: "version"; readonly resourceVersion: string }
    /** Must not be in the cache any more; without a uid any object of the name is too much. */
    | { readonly type: "gone"; readonly uid: string | undefined }
    | { readonly type: "uncertain" };
}

/** Answers that prove the server did nothing and that our cache need not be behind. */
const refusals: readonly KubeErrorCode[] = [
  "KindNotServed",
  "Unauthorized",
  "Forbidden",
  "Invalid",
  "BadRequest",
  "Gone",
  "TooManyRequests",
];

/** About a minute at the pace of a stale key (outcome.ts): longer than a quiet watch waits for its next bookmark. */
const checksPerLookUp = 60;

export class WrittenVersions {
  readonly #cachesOf: KindCachesOf;
  readonly #byKey = new Map<string, Map<string, Written>>();

  constructor(cachesOf: KindCachesOf) {
    this.#cachesOf = cachesOf;
  }

  /** Keys with writes that have not reached every cache yet. */
  keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  /** A Kube that remembers its writes under this key. Raw requests name no kind and are not remembered. */
  remembering(key: string, kube: Kube): Kube {
    const track = <T extends KubeObject>(kind: Kind, ref: ObjectRef, call: Promise<T>): Promise<T> =>
      this.#track(key, kind, ref, call);
    return {
      get: (kind, ref, options) => kube.get(kind, ref, options),
      list: (kind, query, options) => kube.list(kind, query, options),
      watch: (kind, query, options) => kube.watch(kind, query, options),
      request: (call) => kube.request(call),
      create: (kind, object, options) => track(kind, refOf(object), kube.create(kind, object, options)),
      apply: <T extends KubeObject>(kind: Kind<T>, object: KubeObject, options: Parameters<Kube["apply"]>[2]) =>
        track(kind, refOf(object), kube.apply<T>(kind, object, options)),
      patch: (kind, ref, patch, options) => track(kind, ref, kube.patch(kind, ref, patch, options)),
      delete: (kind, ref, options) => this.#track(key, kind, ref, kube.delete(kind, ref, options), options?.uid),
    };
  }

  /** The resource version after our own last write of an object, until the caches have reached it. */
  latest(key: string, kind: Kind, ref: ObjectRef): string | undefined {
    const effect = this.#byKey.get(key)?.get(idOf(kind, ref))?.effect;
    return effect?.type === "version" ? effect.resourceVersion : undefined;
  }

  /** True when every cache has reached this key's own writes. Throws when an object cannot be read after an uncertain write. */
  async caughtUp(key: string, reader: KubeReader, signal: AbortSignal): Promise<boolean> {
    const writes = this.#byKey.get(key);
    if (writes === undefined) return true;
    for (const [id, written] of writes) {
      const uncertain = written.effect.type === "uncertain" || written.checks >= checksPerLookUp;
      const known = uncertain ? await this.#lookUp(written, reader, signal) : written;
      // A lane that is under way has written it again meanwhile.
      if (writes.get(id) !== written) continue;
      if (this.#isInCaches(known)) writes.delete(id);
      else writes.set(id, { ...known, checks: known.checks + 1 });
    }
    if (writes.size > 0) return false;
    this.#byKey.delete(key);
    return true;
  }

  /**
   * For a key that another manager reconciled before: its last writes may not have reached our caches. The object is read from the
   * server before the first plan; otherwise a plan could rely on a finalizer that was removed already.
   */
  assumeUncertain(key: string, kind: Kind, ref: ObjectRef): void {
    this.#remember(key, kind, ref, { type: "uncertain" });
  }

  forget(key: string): void {
    this.#byKey.delete(key);
  }

  async #track<T extends KubeObject | undefined>(
    key: string,
    kind: Kind,
    ref: ObjectRef,
    call: Promise<T>,
    uid?: string,
  ): Promise<T> {
    const remember = (effect: Written["effect"], named: ObjectRef = ref) => this.#remember(key, kind, named, effect);
    try {
      const answer = await call;
      const resourceVersion = answer?.metadata.resourceVersion;
      if (answer === undefined) remember({ type: "gone", uid });
      else if (resourceVersion !== undefined) remember({ type: "version", resourceVersion }, refOf(answer));
      return answer;
    } catch (error) {
      if (isUncertain(error)) remember({ type: "uncertain" });
      throw error;
    }
  }

  /** To be called when the answer is here: a list that began while the write was under way may have been served before it. */
  #remember(key: string, kind: Kind, ref: ObjectRef, effect: Written["effect"]): void {
    const writes = this.#byKey.get(key) ?? new Map<string, Written>();
    const written = { kind, ref, generations: this.#generationsOf(kind), checks: 0, effect };
    this.#byKey.set(key, writes.set(idOf(kind, ref), written));
  }

  async #lookUp(written: Written, reader: KubeReader, signal: AbortSignal): Promise<Written> {
    const { kind, ref } = written;
    const caches = this.#cachesOf(kind);
    if (caches.length === 0) return written;
    const found = (effect: Written["effect"]): Written => {
      return { kind, ref, generations: this.#generationsOf(kind), checks: 0, effect };
    };
    const held = caches.map((cache) => heldBy(cache, ref));
    try {
      const { resourceVersion = "" } = (await reader.get(kind, ref, { signal })).metadata;
      const known = found({ type: "version", resourceVersion });
      for (const [index, cache] of caches.entries())
        if (isDisprovedBy(resourceVersion, held[index])) cache.invalidate();
      return known;
    } catch (error) {
      if (!isKubeError(error, "NotFound", "KindNotServed")) throw error;
      // The object was gone before and still is. A working cache that still holds it will never see the deletion.
      if (written.effect.type === "gone")
        for (const cache of caches) if (cache.state === "synced" && cache.get(ref) !== undefined) cache.invalidate();
      const cached = caches.map((cache) => cache.get(ref)).find((object) => object !== undefined);
      return found({ type: "gone", uid: cached?.metadata.uid });
    }
  }

  /** Read after the answer: a list begun while a write was under way may have been served before it. */
  #generationsOf(kind: Kind): readonly number[] {
    return this.#cachesOf(kind).map(({ listGeneration }) => listGeneration);
  }

  #isInCaches({ kind, ref, generations, effect }: Written): boolean {
    return this.#cachesOf(kind).every((cache, index) => {
      // A kind that is not served or not allowed has no cache that could be behind.
      if (cache.state === "not-served" || cache.state === "forbidden" || !cache.mayHold(ref)) return true;
      if (effect.type === "version") return cache.hasReached(effect.resourceVersion, generations[index] ?? 0);
      if (effect.type === "uncertain") return false;
      const cached = cache.get(ref);
      return cached === undefined || (effect.uid !== undefined && cached.metadata.uid !== effect.uid);
    });
  }
}

interface Held {
  readonly reached: string | undefined;
  readonly version: string | undefined;
  readonly complete: boolean;
}

function heldBy(cache: KindCache, ref: ObjectRef): Held {
  const version = cache.get(ref)?.metadata.resourceVersion;
  return { reached: cache.lastResourceVersion, version, complete: cache.mustHold(ref) };
}

/**
 * A read is at least as new as every event a watch delivered before it. So an object whose version is not newer than the cache's has
 * not changed since, and must be in the cache in exactly that version. If it is not, the cache follows a history that was replaced.
 */
function isDisprovedBy(found: string, held: Held | undefined): boolean {
  if (held?.reached === undefined || !isAtLeast(held.reached, found)) return false;
  return held.version === undefined ? held.complete : held.version !== found;
}

function isUncertain(error: unknown): boolean {
  if (isKubeError(error)) return !refusals.includes(error.code);
  return !(error instanceof MainstayError && error.reason === "LeadershipLost");
}

function idOf(kind: Kind, ref: ObjectRef): string {
  return `${resourceName(kind)} ${formatRef(ref)}`;
}
