// All informers of a manager: one for each kind and selection, shared by every controller that uses it. One that cannot sync delays
// only the controllers that need it.

import { apiVersionOf, type Kind, type KubeObject } from "../../apis/kube/kube-object.ts";
import { present } from "../../core/present.ts";
import type { Selection } from "../../ports/kube.ts";
import { Informer, type InformerOptions } from "./informer.ts";
import type { Readiness } from "./informer-state.ts";
import type { StoreState } from "./store.ts";

export type InformersOptions = Omit<InformerOptions<KubeObject>, "kind" | "selection" | "versions">;

export interface KindReadiness extends Readiness {
  readonly kind: Kind;
  readonly selection: Selection;
  readonly state: StoreState;
}

interface Member {
  readonly informer: Informer;
  readonly selection: Selection;
}

export class Informers {
  readonly #options: InformersOptions;
  readonly #members = new Map<string, Member>();
  #stopped = false;

  constructor(options: InformersOptions) {
    this.#options = options;
  }

  /** Starts on first use. `versions` counts then, too: other served versions that will do, best first. */
  get<T extends KubeObject>(kind: Kind<T>, selection: Selection = {}, versions?: readonly string[]): Informer<T> {
    const key = memberKey(kind, selection);
    const known = this.#members.get(key);
    if (known !== undefined) return typed(known.informer, kind);
    const informer = new Informer<T>({
      ...this.#options,
      kind,
      selection,
      ...present({ versions }),
    });
    this.#members.set(key, { informer: untyped(informer), selection });
    if (!this.#stopped) informer.start();
    return informer;
  }

  /** Every kind is in its store. */
  allSynced(): boolean {
    return this.#all().every(({ informer }) => informer.hasSynced());
  }

  /** Every kind is in its store, or known to be missing or forbidden. */
  allSettled(): boolean {
    return this.#all().every(({ informer }) => informer.hasSettled());
  }

  readiness(): readonly KindReadiness[] {
    return this.#all().map(({ informer, selection }) => ({
      kind: informer.kind,
      selection,
      state: informer.state,
      ...informer.readiness(),
    }));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#all().map(({ informer }) => informer.stop()));
  }

  #all(): readonly Member[] {
    return [...this.#members.values()];
  }
}

function memberKey(kind: Kind, { namespace, labelSelector, fieldSelector }: Selection): string {
  return JSON.stringify([apiVersionOf(kind), kind.plural, namespace ?? "", labelSelector ?? "", fieldSelector ?? ""]);
}

// The key holds the kind, so that an informer found by it is one of that kind's type.
function typed<T extends KubeObject>(informer: Informer, _kind: Kind<T>): Informer<T> {
  return informer as unknown as Informer<T>;
}

function untyped<T extends KubeObject>(informer: Informer<T>): Informer {
  return informer as unknown as Informer;
}
