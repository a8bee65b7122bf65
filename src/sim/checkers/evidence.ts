// What checkers get to see: calls as they leave and arrive, changes in storage, log lines, and what a feature does in a round.

import type { KubeObject, ObjectRef } from "../../apis/kube/kube-object.ts";
import type { Action, Plan } from "../../core/plan.ts";
import type { Reader, Report } from "../../engine/feature.ts";
import type { StoredChange } from "../fakes/kube/storage/object-store.ts";
import type { PortCall } from "../network/port-call.ts";
import type { SimProcess } from "../processes/sim-process.ts";

export interface Doing {
  readonly process: SimProcess;
  readonly feature: string;
  readonly key: ObjectRef;
}

export interface EvidenceByType {
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
  readonly told: { readonly line: string };
  /** An error came out of a port or a feature. */
  readonly failed: { readonly process: SimProcess; readonly where: string; readonly error: unknown };
  /** What people get to see of a process: metrics, the plan log, answers of the read API, a command's output. */
  readonly shown: { readonly where: string; readonly text: string };
  /** The answer of a write, or of a look at the Lease, has reached its caller. */
  readonly replied: { readonly call: PortCall; readonly answer: string };
  /** `root` is the plural of the key's kind; `cached` are the caches that the round begins with. */
  readonly observing: Doing & {
    readonly root: string;
    readonly cachedVersion: string | undefined;
    readonly cached: Reader["cached"];
  };
  readonly observed: Doing;
  readonly planned: Doing & { readonly plan: Plan /** From the same facts in another order. */; readonly again: Plan };
  /** As `planned`. */
  readonly reported: Doing & { readonly report: Report; readonly again: Report };
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
    told: [],
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
    tell: (type, evidence) => {
      for (const listener of listeners[type]) listener(evidence);
    },
  };
}
