// A feature is data: how to find its keys, and how to observe, plan, execute and report. The engine does everything else: queue,
// back-off, lanes, deadlines, guards, fence, status, events, metrics and logs. See docs/decisions/0001-plan-is-pure.md.

import type { Condition, Kind, KubeObject, ObjectRef } from "../apis/kube/kube-object.ts";
import type { ChangeReasons } from "../core/change-reasons.ts";
import type { MonotonicMs, WallMs } from "../core/clock-times.ts";
import type { MainstayError } from "../core/errors.ts";
import type { ShownObjects } from "../core/job/declaration.ts";
import type { GaugeCount } from "../core/job/metric.ts";
import type { Action, Plan } from "../core/plan.ts";
import type { Word } from "../core/reasons.ts";
import type { Fence, Kube, KubeReader, Selection } from "../ports/kube.ts";
import type { Log } from "../ports/log.ts";
import type { Store } from "./informer/store.ts";

/** What `observe` may use: caches first, the API where a cache would be too old. Reads only. */
export interface Reader {
  readonly kube: KubeReader;
  /** The shared informer's store of a kind that this feature watches. */
  cached<T extends KubeObject>(kind: Kind<T>): Store<T>;
  readonly nowMs: WallMs;
  /** The same moment for whatever is remembered from one round to the next. */
  readonly monotonicMs: MonotonicMs;
  readonly signal: AbortSignal;
  /** What failed and has not succeeded since, or was done and did not help, by `backoffKey`, and how long until each may be tried again. */
  readonly failed?: ReadonlyMap<string, number>;
  /** Actions of earlier rounds that have not been answered yet: each may take effect at any time, or has done so already. */
  readonly underWay?: readonly Action[];
  /**
   * Waits a moment for an answer that only a part of the object needs. Undefined: it has not come, and the key runs again when it has.
   * Absent: whoever asks waits to the end.
   */
  readonly inTime?: <T>(answer: Promise<T>) => Promise<{ readonly value: T } | undefined>;
  /** Of the leader's term, as in `Writer`. Absent where nobody leads, as for commands. */
  readonly epoch?: number;
  /** For an object for which nothing may be sent any more: ends the questions and changes that earlier rounds left under way. */
  readonly endUnderWay?: (why: MainstayError) => void;
}

/** What an executor may use. Every write is fenced by the leader lease and remembered, so that no plan is made from an older cache. */
export interface Writer {
  readonly kube: Kube;
  readonly nowMs: WallMs;
  readonly signal: AbortSignal;
  /** For writes that do not go through `kube`: a cloud's driver must not send once this is at zero. */
  readonly fence: Fence;
  /** Of the leader's term: for documents that others compare. */
  readonly epoch: number;
  readonly log: Log;
}

/** One function per action kind; a forgotten kind does not compile. Each makes its one change and throws a MainstayError when it cannot. */
export type Executors<A extends Action> = {
  readonly [K in A["kind"]]: (action: Extract<A, { readonly kind: K }>, writer: Writer) => Promise<void>;
};

export interface Watch<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  /** Any watched object → the keys to reconcile. */
  readonly keys: (object: T) => readonly ObjectRef[];
  /** The feature works without this kind; its absence is shown and does not make the manager unready. */
  readonly optional?: boolean;
  readonly fieldSelector?: string;
  readonly namespace?: string;
  /** Whether people label objects of this kind for a manager (`--watch-filter`). By default only the root kind's. */
  readonly labelled?: boolean;
  /** Served versions that will do, best first. Absent: only the kind's own. */
  readonly versions?: readonly string[];
  /** Of this kind, all that matters to one object of the root kind: commands read no more for it. Absent or undefined: everything. */
  readonly concerning?: (root: KubeObject) => Selection | undefined;
  /** For `byIndex`: features that share a kind share its indexes by name, so the same name must be the same function. */
  readonly indexes?: Readonly<Record<string, (object: T) => readonly string[]>>;
}

export function watch<T extends KubeObject>(definition: Watch<T>): Watch {
  return definition as unknown as Watch;
}

export type ActionOutcome<A extends Action = Action> =
  | { readonly action: A; readonly result: "done" }
  | {
      readonly action: A;
      readonly result: "failed";
      readonly reason: Word;
      readonly message: string;
      /** It has failed for this reason for a while. */
      readonly isLasting?: boolean;
      /** Of an unexpected error: for the log only. */
      readonly stack?: string;
    }
  /** Its lane failed earlier in this round, still backs off, or is under way: slow lanes are not waited for. */
  | { readonly action: A; readonly result: "skipped"; readonly reason: Word; readonly message: string };

export interface ReportInput<Observed, A extends Action> {
  readonly key: ObjectRef;
  readonly observed: Observed;
  /** After guards. */
  readonly plan: Plan<A>;
  readonly outcomes: readonly ActionOutcome<A>[];
  readonly nowMs: WallMs;
}

/** The status fields we own on one object, applied once by the engine; unchanged status costs no call. */
export interface StatusReport {
  readonly kind: Kind;
  readonly ref: ObjectRef;
  /** The object as observed: where the previous conditions and the generation come from. */
  readonly observed: KubeObject;
  readonly status: Readonly<Record<string, unknown>>;
  /** Ours; transition times are filled in by the engine. */
  readonly conditions?: readonly Omit<Condition, "lastTransitionTime">[];
  /**
   * For a foreign kind whose conditions list has no map keys: all types that are ours. Their entries are patched, guarded, instead
   * of applied; one that is not reported now is removed.
   */
  readonly atomicConditionTypes?: readonly string[];
}

/** An Event about one object, beside those that the engine makes of actions, failures and refusals. */
export interface EventNote {
  readonly reason: Word;
  readonly message: string;
  /** Whom it is about. Absent: the root object. */
  readonly regarding?: KubeObject;
}

export interface Report {
  readonly statuses: readonly StatusReport[];
  readonly events?: readonly EventNote[];
  /** Absent: they could not be counted, and the earlier counts stay. */
  readonly gauges?: readonly GaugeCount[];
}

export interface Feature<Observed = unknown, A extends Action = Action> {
  /** The controller's name in metrics, logs, configuration and as field manager `mainstay-<name>`. */
  readonly name: string;
  /** The kind whose objects are the keys. */
  readonly root: Kind;
  readonly watches: readonly Watch[];
  /** What status, dashboard and doctor show; each kind must be watched. Absent: the root kind. */
  readonly shows?: readonly ShownObjects[];
  /** Why this controller does not manage an object of the root kind, and what would change that; without a reader, from the object alone. */
  readonly unclaimed?: (object: KubeObject, reader?: Pick<Reader, "cached">) => string | undefined;
  /** Undefined: the key is gone and there is nothing to do for it. */
  readonly observe: (key: ObjectRef, reader: Reader) => Promise<Observed | undefined>;
  readonly plan: (observed: Observed, nowMs: WallMs) => Plan<A>;
  readonly executors: Executors<A>;
  /** What the Event of each action that was done is called. */
  readonly changes: ChangeReasons<A>;
  /** Whom that Event is about; undefined: nobody is told, and the log says it. Absent: always the root object. */
  readonly regarding?: (action: A) => KubeObject | undefined;
  readonly report?: (input: ReportInput<Observed, A>) => Report;
  /** Whether the engine writes the condition `RoundFailed` (failed-rounds.ts): the root kind's status needs conditions by type. */
  readonly reportsFailedRounds?: boolean;
  readonly deadlineMs?: number;
  readonly concurrency?: number;
  /**
   * How long after this action nothing can be observed but that it is under way. The key is not run again before, whatever wakes it.
   * Absent: it may run again at once.
   */
  readonly settleMs?: (action: A) => number;
  /**
   * For how long after this action observations may rest on what was seen before: that it was undone shows later. Absent: every observation
   * shows it.
   */
  readonly unseenMs?: (action: A) => number;
  /** For systems that do not report their changes, such as clouds: a quiet key is observed again after this long. */
  readonly observeAgainMs?: (observed: Observed) => number;
}

/** Types a feature in full, then forgets its type parameters, so that a manager can hold many. */
export function feature<Observed, A extends Action>(definition: Feature<Observed, A>): Feature {
  return definition as unknown as Feature;
}
