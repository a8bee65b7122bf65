// What a controller would do for one key right now: the same observe and plan, over lists that are read once. Nothing is written: the
// feature gets a reader and its executors are never called.

import { apiVersionOf, type Kind, type KubeObject, type ObjectRef, resourceName } from "../../apis/kube/kube-object.ts";
import { invariant } from "../../core/errors.ts";
import type { Guard } from "../../core/guards.ts";
import { isKubeError } from "../../core/kube-error.ts";
import type { Plan } from "../../core/plan.ts";
import { present } from "../../core/present.ts";
import type { Clock } from "../../ports/clock.ts";
import type { KubeReader, Selection } from "../../ports/kube.ts";
import type { Feature, Watch } from "../feature.ts";
import { InformerStore, storeKey } from "../informer/informer-store.ts";
import type { Store, StoreState } from "../informer/store.ts";
import { selectionFor, type WatchScope } from "../informer/watch-filter.ts";

export interface PlanOnceOptions {
  readonly kube: KubeReader;
  readonly clock: Clock;
  readonly guard: Guard;
  readonly scope?: WatchScope;
  readonly signal?: AbortSignal;
}

export type PlannedOnce =
  /** There is no such object, and nothing to do for it. */
  | { readonly found: "gone" }
  /** It is there, and not looked after. */
  | { readonly found: "unclaimed"; readonly why: string }
  /** A kind that is needed cannot be read. */
  | { readonly found: "blind"; readonly missing: readonly string[] }
  | {
      readonly found: "plan";
      /** What the planner wants. */
      readonly wanted: Plan;
      /** What is left of it after the guards. */
      readonly plan: Plan;
      /** Kinds that could not be read and can be done without. */
      readonly unread: readonly string[];
    };

interface ReadWatch {
  readonly watch: Watch;
  readonly store: Store;
}

const pageSize = 500;

export async function planOnce(feature: Feature, key: ObjectRef, options: PlanOnceOptions): Promise<PlannedOnce> {
  const { kube, clock, guard, signal = new AbortController().signal } = options;
  const read = await Promise.all(feature.watches.map((watch) => readWatch(feature, watch, options)));
  const unread = read.filter(({ store }) => store.state !== "synced");
  const missing = unread.filter(({ watch }) => watch.optional !== true);
  if (missing.length > 0) return { found: "blind", missing: missing.map(sayWhy) };
  const nowMs = clock.nowMs();
  const cached = <T extends KubeObject>(kind: Kind<T>): Store<T> => {
    const found = read.find(({ watch }) => resourceName(watch.kind) === resourceName(kind));
    invariant(found !== undefined, `feature ${feature.name} reads ${resourceName(kind)} and does not watch it`);
    return found.store as unknown as Store<T>;
  };
  const readOnly: KubeReader = {
    get: (kind, ref, call) => kube.get(kind, ref, call),
    list: (kind, query, call) => kube.list(kind, query, call),
    watch: (kind, query, call) => kube.watch(kind, query, call),
  };
  const observed = await feature.observe(key, { kube: readOnly, cached, nowMs, signal });
  if (observed === undefined) {
    // What may not be seen is not gone.
    const unseen = unread.filter(({ watch }) => resourceName(watch.kind) === resourceName(feature.root));
    if (unseen.length > 0) return { found: "blind", missing: unseen.map(sayWhy) };
    const object = cached(feature.root).get(key);
    const why = object === undefined ? undefined : feature.unclaimed?.(object, { cached });
    return why === undefined ? { found: "gone" } : { found: "unclaimed", why };
  }
  const wanted = feature.plan(observed, nowMs);
  return { found: "plan", wanted, plan: guard(wanted), unread: unread.map(sayWhy) };
}

function sayWhy({ watch, store }: ReadWatch): string {
  const why = store.state === "forbidden" ? "may not be listed" : "is not served";
  return `${resourceName(watch.kind)} ${why}`;
}

async function readWatch(feature: Feature, watch: Watch, options: PlanOnceOptions): Promise<ReadWatch> {
  const labelled = watch.labelled ?? resourceName(watch.kind) === resourceName(feature.root);
  const selection = selectionFor(watch.kind, options.scope ?? {}, { ...watch, labelled });
  const versions = watch.versions ?? [watch.kind.version];
  for (const version of versions) {
    const objects = await listOrWhy({ ...watch.kind, version }, selection, options);
    if (objects !== "not-served") return { watch, store: storeOf(objects, watch) };
  }
  return { watch, store: storeOf("not-served", watch) };
}

async function listOrWhy(
  kind: Kind,
  selection: Selection,
  { kube, signal }: PlanOnceOptions,
): Promise<readonly KubeObject[] | Exclude<StoreState, "synced" | "pending" | "unreachable">> {
  try {
    return await listEverything(kube, kind, selection, signal);
  } catch (error) {
    if (isKubeError(error, "KindNotServed", "NotFound")) return "not-served";
    if (isKubeError(error, "Forbidden")) return "forbidden";
    throw error;
  }
}

/** Every page. Items of a list carry neither kind nor apiVersion everywhere; here they do. */
export async function listEverything(
  kube: KubeReader,
  kind: Kind,
  selection: Selection = {},
  signal?: AbortSignal,
): Promise<readonly KubeObject[]> {
  const items: KubeObject[] = [];
  let continueToken: string | undefined;
  do {
    const query = { ...selection, limit: pageSize, ...present({ continueToken }) };
    const page = await kube.list(kind, query, signal === undefined ? {} : { signal });
    items.push(...page.items.map((item) => ({ ...item, apiVersion: apiVersionOf(kind), kind: kind.kind })));
    continueToken = page.continueToken;
  } while (continueToken !== undefined && continueToken !== "");
  return items;
}

function storeOf(objects: readonly KubeObject[] | Exclude<StoreState, "synced">, { indexes = {} }: Watch): Store {
  const store = new InformerStore<KubeObject>((_index, _object, error) => {
    throw error;
  });
  for (const [name, valuesOf] of Object.entries(indexes)) store.addIndexer(name, valuesOf);
  const read = typeof objects !== "string";
  for (const object of read ? objects : []) store.put(storeKey(object), object);
  return {
    get: (ref) => store.get(ref),
    list: () => store.list(),
    byIndex: (index, value) => store.byIndex(index, value),
    state: read ? "synced" : objects,
    hasSynced: () => read,
  };
}
