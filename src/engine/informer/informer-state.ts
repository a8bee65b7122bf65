// The state of an informer, its sentence for readiness, and the listeners for its changes.

import { type Kind, resourceName } from "../../apis/kube/kube-object.ts";
import type { Log } from "../../ports/log.ts";
import type { FailureState } from "./informer-failure.ts";
import type { StoreState } from "./store.ts";

export interface Readiness {
  readonly ready: boolean;
  readonly message: string;
}

export type StateListener = (state: StoreState) => void;

export class InformerState {
  readonly #kind: Kind;
  readonly #log: Log;
  #listeners: readonly StateListener[] = [];
  #current: StoreState = "pending";
  #problem = "";

  constructor(kind: Kind, log: Log) {
    this.#kind = kind;
    this.#log = log;
  }

  get current(): StoreState {
    return this.#current;
  }

  get readiness(): Readiness {
    const name = resourceName(this.#kind);
    if (this.#current === "synced") return { ready: true, message: `${name}: in sync` };
    if (this.#current === "pending") return { ready: false, message: `${name}: first list under way` };
    return { ready: false, message: this.#problem };
  }

  onChange(listener: StateListener): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  synced(): void {
    if (this.#current !== "pending" && this.#current !== "synced") this.#log.info("kind is in sync again");
    this.#set("synced", "");
  }

  failed(state: FailureState, problem: string): void {
    if (state !== this.#current) this.#log.warn("kind cannot be listed or watched", { state, problem });
    this.#set(state, problem);
  }

  #set(state: StoreState, problem: string): void {
    this.#problem = problem;
    if (state === this.#current) return;
    this.#current = state;
    for (const listener of this.#listeners) this.#notify(listener, state);
  }

  #notify(listener: StateListener, state: StoreState): void {
    try {
      listener(state);
    } catch (error) {
      this.#log.error("state listener threw", { state, error });
    }
  }
}
