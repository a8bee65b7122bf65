// Remembers what was written for a key, so that the key is never replanned from a cache older than its own last write.
// A write whose effect is uncertain (its reply was lost, or the server's answer shows that the cache lags) is looked up
// afresh first; then the cache has to reach what was found. Nothing blocks: a key that is behind is tried again shortly.

import { formatRef, type Kind, type KubeObject, type ObjectRef, refOf, resourceName } from "../apis/kube-object.ts";
import { MainstayError } from "../core/errors.ts";
import { isKubeError, type KubeErrorCode } from "../core/kube-error.ts";
import type { Kube, KubeReader } from "../ports/kube.ts";
import type { Store } from "./store.ts";

/** What is asked of the informer of a kind. */
export interface WriteWitness extends Pick<Store, "get" | "state"> {
  /** Grows with every list that begins: one begun after a write cannot miss it. */
  readonly listGeneration: number;
  hasSeen(resourceVersion: string, generation: number): boolean;
}

/** Undefined: the kind has no cache here, so none can be stale. */
export type WitnessOf = (kind: Kind) => WriteWitness | undefined;

interface Written {
  readonly kind: Kind;
  readonly ref: ObjectRef;
  readonly generation: number;
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

export class WrittenVersions {
  readonly #witnessOf: WitnessOf;
  readonly #byKey = new Map<string, Map<string, Written>>();

  constructor(witnessOf: WitnessOf) {
    this.#witnessOf = witnessOf;
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

  /** The version our own last write gave an object, unless the cache has been found to be past it. */
  latest(key: string, kind: Kind, ref: ObjectRef): string | undefined {
    const effect = this.#byKey.get(key)?.get(idOf(kind, ref))?.effect;
    return effect?.type === "version" ? effect.resourceVersion : undefined;
  }

  /** True when every cache has come as far as this key's own writes. Throws when an uncertain write cannot be looked up. */
  async caughtUp(key: string, reader: KubeReader, signal: AbortSignal): Promise<boolean> {
    const writes = this.#byKey.get(key);
    if (writes === undefined) return true;
    for (const [id, written] of writes) {
      const known = written.effect.type === "uncertain" ? await this.#lookUp(written, reader, signal) : written;
      if (this.#isSeen(known)) writes.delete(id);
      else writes.set(id, known);
    }
    if (writes.size > 0) return false;
    this.#byKey.delete(key);
    return true;
  }

  /**
   * Nothing is known of what was written for a key before: another manager led, and its last writes may not have come in yet. The
   * object is looked up afresh before the first plan, or a finalizer that is gone already would still be taken to hold it.
   */
  doubt(key: string, kind: Kind, ref: ObjectRef): void {
    const generation = this.#witnessOf(kind)?.listGeneration ?? 0;
    const writes = this.#byKey.get(key) ?? new Map<string, Written>();
    this.#byKey.set(key, writes.set(idOf(kind, ref), { kind, ref, generation, effect: { type: "uncertain" } }));
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
    // Noted when the answer is here: a list that began while the write was under way may have been served before it.
    const remember = (effect: Written["effect"], named: ObjectRef = ref): void => {
      const generation = this.#witnessOf(kind)?.listGeneration ?? 0;
      const writes = this.#byKey.get(key) ?? new Map<string, Written>();
      this.#byKey.set(key, writes.set(idOf(kind, named), { kind, ref: named, generation, effect }));
    };
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

  async #lookUp(written: Written, reader: KubeReader, signal: AbortSignal): Promise<Written> {
    const witness = this.#witnessOf(written.kind);
    if (witness === undefined) return written;
    try {
      const object = await reader.get(written.kind, written.ref, { signal });
      const resourceVersion = object.metadata.resourceVersion ?? "";
      return { ...written, generation: witness.listGeneration, effect: { type: "version", resourceVersion } };
    } catch (error) {
      if (!isKubeError(error, "NotFound", "KindNotServed")) throw error;
      const uid = witness.get(written.ref)?.metadata.uid;
      return { ...written, generation: witness.listGeneration, effect: { type: "gone", uid } };
    }
  }

  #isSeen({ kind, ref, generation, effect }: Written): boolean {
    const witness = this.#witnessOf(kind);
    // A kind that is not served or not allowed has no cache that could be behind.
    if (witness === undefined || witness.state === "not-served" || witness.state === "forbidden") return true;
    if (effect.type === "version") return witness.hasSeen(effect.resourceVersion, generation);
    if (effect.type === "uncertain") return false;
    const cached = witness.get(ref);
    return cached === undefined || (effect.uid !== undefined && cached.metadata.uid !== effect.uid);
  }
}

function isUncertain(error: unknown): boolean {
  if (isKubeError(error)) return !refusals.includes(error.code);
  return !(error instanceof MainstayError && error.reason === "LeadershipLost");
}

function idOf(kind: Kind, ref: ObjectRef): string {
  return `${resourceName(kind)} ${formatRef(ref)}`;
}
