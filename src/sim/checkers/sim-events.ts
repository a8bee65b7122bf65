// The events of a simulated world, for its checkers: calls as they leave and arrive, changes in storage, log lines, and what a feature
// does in a round.

import type { KubeObject, ObjectRef } from "../../apis/kube/kube-object.ts";
import type { Action, Plan } from "../../core/plan.ts";
import type { Reader, Report } from "../../engine/feature.ts";
import type { StoredChange } from "../fakes/kube/storage/object-store.ts";
import type { PortCall } from "../network/port-call.ts";
import type { SimProcess } from "../processes/sim-process.ts";

export interface RoundRef {
  readonly process: SimProcess;
  readonly feature: string;
  readonly key: ObjectRef;
}

export interface SimEventTypes {
  /** A request is written to its connection. */
  readonly left: { readonly call: PortCall };
  /** It had its effect, or was refused. `before` is the object it names, as it was. */
  readonly arrived: {
    readonly call: PortCall;
    readonly status: number;
    readonly before: KubeObject | undefined;
    /** Outside of the cluster: the uid that the thing bore as its mark; empty: it bore nobody's. */
    readonly markBefore?: string;
  };
  readonly changed: { readonly change: StoredChange };
  /** `text` has everything that hangs on the line's data. */
  readonly logged: { readonly process: SimProcess; readonly text: string };
  /** A line of the trace. */
  readonly traced: { readonly line: string };
  /** An error came out of a port or a feature. */
  readonly failed: { readonly process: SimProcess; readonly where: string; readonly error: unknown };
  /** What people get to see of a process: metrics, the plan log, answers of the read API, a command's output. */
  readonly shown: { readonly where: string; readonly text: string };
  /** The answer of a write, or of a look at the Lease, has reached its caller: the object, at this version. */
  readonly replied: { readonly call: PortCall; readonly version: string };
  /** `root` is the plural of the key's kind; `cached` are the caches that the round begins with. */
  readonly observing: RoundRef & {
    readonly root: string;
    readonly cachedVersion: string | undefined;
    readonly cached: Reader["cached"];
  };
  readonly observed: RoundRef;
  readonly planned: RoundRef & {
    readonly plan: Plan;
    /** From the same facts in another order. To make it costs as much as the plan. */
    readonly again: () => Plan;
  };
  /** As `planned`. */
  readonly reported: RoundRef & { readonly report: Report; readonly again: () => Report };
  readonly executing: RoundRef & { readonly action: Action };
  readonly executed: RoundRef & { readonly action: Action };
  readonly restored: Readonly<Record<string, never>>;
}

export type SimEventType = keyof SimEventTypes;

type Listeners = { readonly [T in SimEventType]: ((event: SimEventTypes[T]) => void)[] };

export interface SimEvents {
  on<T extends SimEventType>(type: T, listener: (event: SimEventTypes[T]) => void): void;
  emit<T extends SimEventType>(type: T, event: SimEventTypes[T]): void;
}

export function createSimEvents(): SimEvents {
  const listeners: Listeners = {
    left: [],
    arrived: [],
    changed: [],
    logged: [],
    traced: [],
    failed: [],
    shown: [],
    replied: [],
    observing: [],
    observed: [],
    planned: [],
    reported: [],
    executing: [],
    executed: [],
    restored: [],
  };
  return {
    on: (type, listener) => void listeners[type].push(listener),
    emit: (type, event) => {
      for (const listener of listeners[type]) listener(event);
    },
  };
}
