// What checkers get to see: calls as they leave and arrive, changes in storage, log lines, and what a feature does in a round.

import type { KubeObject, ObjectRef } from "../apis/kube-object.ts";
import type { Action, Plan } from "../core/plan.ts";
import type { StoredChange } from "./fakes/kube/storage/object-store.ts";
import type { PortCall } from "./port-call.ts";
import type { SimProcess } from "./sim-process.ts";

export interface Doing {
  readonly process: SimProcess;
  readonly feature: string;
  readonly key: ObjectRef;
}

export interface EvidenceByType {
  /** A request is written to its connection. */
  readonly left: { readonly call: PortCall };
  /** It had its effect, or was refused. `before` is the object it names, as it was. */
  readonly arrived: { readonly call: PortCall; readonly status: number; readonly before: KubeObject | undefined };
  readonly changed: { readonly change: StoredChange };
  readonly logged: { readonly process: SimProcess; readonly text: string };
  /** The answer of a write has reached its caller. */
  readonly replied: { readonly call: PortCall; readonly answer: string };
  /** `root` is the plural of the key's kind. */
  readonly observing: Doing & { readonly root: string; readonly cachedVersion: string | undefined };
  readonly observed: Doing;
  readonly planned: Doing & { readonly plan: Plan /** From the same facts in another order. */; readonly again: Plan };
  readonly executing: Doing & { readonly action: Action };
  readonly executed: Doing & { readonly action: Action };
  readonly restored: Readonly<Record<string, never>>;
}

export type EvidenceType = keyof EvidenceByType;

type Listeners = { readonly [T in EvidenceType]: ((evidence: EvidenceByType[T]) => void)[] };

export interface EvidenceBoard {
  on<T extends EvidenceType>(type: T, listener: (evidence: EvidenceByType[T]) => void): void;
  tell<T extends EvidenceType>(type: T, evidence: EvidenceByType[T]): void;
}

export function createEvidenceBoard(): EvidenceBoard {
  const listeners: Listeners = {
    left: [],
    arrived: [],
    changed: [],
    logged: [],
    replied: [],
    observing: [],
    observed: [],
    planned: [],
    executing: [],
    executed: [],
    restored: [],
  };
  return {
    on: (type, listener) => void listeners[type].push(listener),
    tell: (type, evidence) => {
      for (const listener of listeners[type]) listener(evidence);
    },
  };
}
