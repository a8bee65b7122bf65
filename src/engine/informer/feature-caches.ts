// The caches of one feature: the shared informers of the kinds it watches, and whether they can be planned from.

import {
  apiVersionOf,
  isSameKind,
  type Kind,
  type KubeObject,
  type ObjectRef,
  resourceName,
} from "../../apis/kube/kube-object.ts";
import { invariant } from "../../core/errors.ts";
import { type Explanation, explain } from "../../core/explain.ts";
import type { Feature, Watch } from "../feature.ts";
import type { Informer } from "./informer.ts";
import type { Informers } from "./informers.ts";
import type { Store } from "./store.ts";
import { selectionFor, type WatchScope } from "./watch-filter.ts";
import type { KindCache } from "./written-versions.ts";

export interface WatchedKind {
  readonly watch: Watch;
  readonly informer: Informer<KubeObject>;
}

export class FeatureCaches {
  readonly watched: readonly WatchedKind[];
  readonly #feature: Feature;

  /** Informers start with their first user and are shared from then on. */
  constructor(feature: Feature, informers: Informers, scope: WatchScope) {
    this.#feature = feature;
    this.watched = feature.watches.map((watch) => {
      const labelled = watch.labelled ?? isSameKind(watch.kind, feature.root);
      const selection = selectionFor(watch.kind, scope, { ...watch, labelled });
      const informer = informers.get(watch.kind, selection, watch.versions);
      for (const [name, valuesOf] of Object.entries(watch.indexes ?? {})) informer.addIndexer(name, valuesOf);
      return { watch, informer };
    });
  }

  cached<T extends KubeObject>(kind: Kind<T>): Store<T> {
    const found = this.#of(kind)[0];
    invariant(
      found !== undefined,
      `feature ${this.#feature.name} reads a cache of ${resourceName(kind)} and does not watch it`,
    );
    // Found by its kind, so it is a store of that kind's objects.
    return found.informer as unknown as Store<T>;
  }

  /** One for each selection of the kind. A write must have reached each of them that can hold the object. */
  cachesOf(kind: Kind): readonly KindCache[] {
    return this.#of(kind).map(({ informer }) => informer);
  }

  root(key: ObjectRef): KubeObject {
    const { root } = this.#feature;
    const object = this.#of(root)
      .map(({ informer }) => informer.get(key))
      .find((found) => found !== undefined);
    return object ?? { apiVersion: apiVersionOf(root), kind: root.kind, metadata: { ...key } };
  }

  /** Every kind has been listed or is known to be missing: nothing is taken for absent only because it was not listed yet. */
  settled(): boolean {
    return this.watched.every(({ informer }) => informer.hasSettled());
  }

  /** A kind that is needed and cannot be observed: planning from its empty cache would take everything for absent. */
  missing(): Explanation | undefined {
    const missing = this.watched.find(({ watch, informer }) => watch.optional !== true && cannotBeObserved(informer));
    if (missing === undefined) return undefined;
    const reason = missing.informer.state === "forbidden" ? "PermissionDenied" : "KindNotServed";
    return explain(reason, missing.informer.readiness().message);
  }

  /** The root kind itself is no longer served, and the key's object went with it. */
  rootWentAway(key: ObjectRef): boolean {
    const roots = this.#of(this.#feature.root).map(({ informer }) => informer);
    return (
      roots.length > 0 && roots.every((informer) => informer.state === "not-served" && informer.get(key) === undefined)
    );
  }

  #of(kind: Kind): readonly WatchedKind[] {
    return this.watched.filter(({ watch }) => isSameKind(watch.kind, kind));
  }
}

/** Not so for `unreachable`: such a cache holds the last known state. */
function cannotBeObserved(informer: Informer<KubeObject>): boolean {
  return !informer.hasSynced() || informer.state === "not-served" || informer.state === "forbidden";
}
