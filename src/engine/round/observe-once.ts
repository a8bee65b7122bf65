// Observes for one key as a controller does, from lists that are read once and hold only what concerns the key. It writes nothing: the
// feature gets a reader.

import { isSameKind, type Kind, type KubeObject, type ObjectRef, resourceName } from "../../apis/kube/kube-object.ts";
import { invariant } from "../../core/errors.ts";
import { isKubeError } from "../../core/kube-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { KubeReader, Selection } from "../../ports/kube.ts";
import type { Feature, Watch } from "../feature.ts";
import { InformerStore, storeKey } from "../informer/informer-store.ts";
import type { Store, StoreState } from "../informer/store.ts";
import { selectionFor, type WatchScope } from "../informer/watch-filter.ts";
import { firstServedVersion, inVersions } from "./first-served-version.ts";
import { listEverything } from "./list-everything.ts";

export type Observing<Observed = unknown> = Pick<
  Feature<Observed>,
  "name" | "root" | "watches" | "unclaimed" | "observe"
>;

export interface ObserveOnceOptions {
  readonly kube: KubeReader;
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs">;
  readonly scope?: WatchScope;
  readonly signal?: AbortSignal;
  /** The root object where it is known already, or as it would be; absent: it is read. */
  readonly root?: KubeObject | undefined;
}

export type ObservedOnce<Observed = unknown> =
  /** There is no such object, and nothing to do for it. */
  | { readonly found: "gone" }
  /** The object exists, and the controller does not manage it. */
  | { readonly found: "unclaimed"; readonly why: string }
  /** A kind that is needed cannot be read. */
  | { readonly found: "blind"; readonly missing: readonly string[] }
  | {
      readonly found: "observed";
      readonly observed: Observed;
      readonly nowMs: number;
      /** Optional kinds that could not be read. */
      readonly unread: readonly string[];
      /** Everything that was read of other kinds than the root's. */
      readonly related: readonly ReadObject[];
    };

export interface ReadObject {
  readonly kind: Kind;
  readonly object: KubeObject;
}

interface ReadWatch {
  readonly watch: Watch;
  readonly store: Store;
}

export async function observeOnce<Observed>(
  feature: Observing<Observed>,
  key: ObjectRef,
  options: ObserveOnceOptions,
): Promise<ObservedOnce<Observed>> {
  const { clock, signal = new AbortController().signal } = options;
  const root = options.root ?? (await rootOf(feature, key, options));
  const read = await Promise.all(feature.watches.map((watch) => readWatch(feature, watch, { ...options, root })));
  const unread = read.filter(({ store }) => store.state !== "synced");
  const missing = unread.filter(({ watch }) => watch.optional !== true);
  if (missing.length > 0) return { found: "blind", missing: missing.map(describeUnread) };
  const [nowMs, monotonicMs] = [clock.nowMs(), clock.monotonicMs()];
  const cached = <T extends KubeObject>(kind: Kind<T>): Store<T> => {
    const found = read.find(({ watch }) => isSameKind(watch.kind, kind));
    invariant(found !== undefined, `feature ${feature.name} reads ${resourceName(kind)} and does not watch it`);
    return found.store as unknown as Store<T>;
  };
  const observed = await feature.observe(key, { kube: readOnly(options.kube), cached, nowMs, monotonicMs, signal });
  const related = read
    .filter(({ watch }) => !isSameKind(watch.kind, feature.root))
    .flatMap(({ watch: { kind }, store }) => store.list().map((object) => ({ kind, object })));
  if (observed !== undefined)
    return { found: "observed", observed, nowMs, unread: unread.map(describeUnread), related };
  // An object whose kind may not be listed need not be gone.
  const unreadRoot = unread.filter(({ watch }) => isSameKind(watch.kind, feature.root));
  if (unreadRoot.length > 0) return { found: "blind", missing: unreadRoot.map(describeUnread) };
  const object = cached(feature.root).get(key);
  const why = object === undefined ? undefined : feature.unclaimed?.(object, { cached });
  return why === undefined ? { found: "gone" } : { found: "unclaimed", why };
}

function describeUnread({ watch, store }: ReadWatch): string {
  const why = store.state === "forbidden" ? "may not be listed" : "is not served";
  return `${resourceName(watch.kind)} ${why}`;
}

function readOnly(kube: KubeReader): KubeReader {
  return {
    get: (kind, ref, call) => kube.get(kind, ref, call),
    list: (kind, query, call) => kube.list(kind, query, call),
    watch: (kind, query, call) => kube.watch(kind, query, call),
  };
}

/** Read only to select what concerns it. Whether it exists and may be read is decided by the lists. */
async function rootOf(
  { root, watches }: Observing,
  key: ObjectRef,
  { kube, signal }: ObserveOnceOptions,
): Promise<KubeObject | undefined> {
  if (watches.every(({ concerning }) => concerning === undefined)) return undefined;
  try {
    return await kube.get(root, key, signal === undefined ? {} : { signal });
  } catch (error) {
    if (isKubeError(error, "NotFound", "KindNotServed", "Forbidden")) return undefined;
    throw error;
  }
}

async function readWatch(feature: Observing, watch: Watch, options: ObserveOnceOptions): Promise<ReadWatch> {
  const { kube, signal } = options;
  const selection = selectionOf(feature, watch, options);
  try {
    const objects = await firstServedVersion(inVersions(watch.kind, watch.versions ?? [watch.kind.version]), (served) =>
      listEverything(kube, served, selection, signal),
    );
    return {
      watch,
      store: objects === undefined ? storeOf([], watch, "not-served") : storeOf(objects, watch, "synced"),
    };
  } catch (error) {
    if (!isKubeError(error, "Forbidden")) throw error;
    return { watch, store: storeOf([], watch, "forbidden") };
  }
}

/** The controller's selection, narrowed to what concerns the key. Not narrowed for a key outside the controller's namespace. */
function selectionOf(feature: Observing, watch: Watch, { scope = {}, root }: ObserveOnceOptions): Selection {
  const labelled = watch.labelled ?? isSameKind(watch.kind, feature.root);
  const all = selectionFor(watch.kind, scope, { ...watch, labelled });
  const own = root === undefined ? undefined : watch.concerning?.(root);
  if (own === undefined || (all.namespace ?? own.namespace) !== own.namespace) return all;
  const labels = [all.labelSelector, own.labelSelector].filter((one) => one !== undefined);
  const fields = [all.fieldSelector, own.fieldSelector].filter((one) => one !== undefined);
  return {
    ...(own.namespace === undefined ? {} : { namespace: own.namespace }),
    ...(labels.length === 0 ? {} : { labelSelector: labels.join(",") }),
    ...(fields.length === 0 ? {} : { fieldSelector: fields.join(",") }),
  };
}

function storeOf(objects: readonly KubeObject[], { indexes = {} }: Watch, state: StoreState): Store {
  const store = new InformerStore<KubeObject>((_index, _object, error) => {
    throw error;
  });
  for (const [name, valuesOf] of Object.entries(indexes)) store.addIndexer(name, valuesOf);
  for (const object of objects) store.put(storeKey(object), object);
  return {
    get: (ref) => store.get(ref),
    list: () => store.list(),
    byIndex: (index, value) => store.byIndex(index, value),
    state,
    hasSynced: () => state === "synced",
  };
}
