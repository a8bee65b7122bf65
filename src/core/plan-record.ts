// What is kept of a round: the plan in words, and its results. It holds no object and no value that `describeAction` would not show,
// so that it can be kept, sent and printed.

import type { Kind, ObjectRef } from "../apis/kube/kube-object.ts";
import type { Word } from "./reasons.ts";

export interface RecordedTrouble {
  readonly reason: Word;
  readonly message: string;
}

export interface RecordedAction {
  readonly action: string;
  /** In one line. */
  readonly words: string;
  readonly because: Word;
  readonly lane?: string;
  readonly removes?: string;
  readonly result: "done" | "failed" | "skipped" | "planned";
  readonly failure?: RecordedTrouble;
}

export interface RecordedWait extends RecordedTrouble {
  readonly recheckAfterMs: number;
  readonly lane?: string;
}

export interface RecordedRefusal extends RecordedTrouble {
  readonly lane?: string;
}

export interface PlanRecord {
  readonly controller: string;
  /** The kind of the key. */
  readonly kind: Kind;
  readonly key: ObjectRef;
  readonly atMs: number;
  readonly epoch: number;
  /** Grows whenever this key's record changes. */
  readonly revision: number;
  readonly outcome: string;
  readonly actions: readonly RecordedAction[];
  readonly waits: readonly RecordedWait[];
  readonly refusals: readonly RecordedRefusal[];
  /** What went wrong with the round as a whole. */
  readonly troubles: readonly RecordedTrouble[];
}

export type LoggedResult = "done" | "failed" | "skipped" | "waiting" | "refused" | "noticed";

/** One line of the plan log. */
export interface LogRecord {
  /** Grows by one with each line. */
  readonly id: number;
  readonly atMs: number;
  readonly epoch: number;
  readonly controller: string;
  readonly kind: Kind;
  readonly key: ObjectRef;
  /** The action's kind, or `wait`, `refuse`, `notice`, `reconcile`. */
  readonly action: string;
  readonly words: string;
  readonly because: Word;
  readonly lane?: string;
  readonly removes?: string;
  readonly result: LoggedResult;
  readonly message?: string;
}
