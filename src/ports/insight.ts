// What a running manager lets others see of itself: its objects, its plans, its log. Reads only, from memory; events are the one
// thing that costs a call.

import type { Kind, KubeObject, ObjectRef } from "../apis/kube/kube-object.ts";
import type { ShownObjects } from "../core/job/declaration.ts";
import type { LogRecord, PlanRecord } from "../core/plan-record.ts";

export interface JournalChange {
  readonly kind: Kind;
  readonly key: ObjectRef;
  /** Lines that are new in the log. */
  readonly logged: readonly LogRecord[];
}

export interface PlanJournalReader {
  plansFor(kind: Kind, key: ObjectRef): readonly PlanRecord[];
  /** Oldest first. */
  readonly log: readonly LogRecord[];
  subscribe(listener: (change: JournalChange) => void): () => void;
}

/** A kind whose objects people are shown. */
export interface ShownKind extends Omit<ShownObjects, "reportsOnRoot"> {
  /** The kind whose object of the same name and namespace it speaks of: its conditions count there, too. */
  readonly reportOf?: Kind;
  /** Who looks after it. */
  readonly controllers: readonly string[];
  /** Why nobody looks after this object, as far as it shows; undefined: somebody does. */
  readonly unclaimed?: (object: KubeObject) => string | undefined;
}

/** A kind that a controller reads, and where. */
export interface ReadKind {
  readonly kind: Kind;
  readonly namespace?: string;
}

export interface ManagerState {
  readonly identity: string;
  readonly leading: boolean;
  readonly epoch?: number;
  /** Empty: nobody, or not known. */
  readonly leader: string;
  readonly ready: boolean;
  readonly missing: readonly string[];
  readonly controllers: readonly { readonly name: string; readonly root: Kind }[];
}

export type InsightChange =
  | { readonly type: "object"; readonly kind: Kind; readonly ref: ObjectRef }
  | { readonly type: "log"; readonly record: LogRecord }
  | { readonly type: "manager" }
  /** Anything may have changed. */
  | { readonly type: "all" };

export interface Insight {
  readonly shown: readonly ShownKind[];
  manager(): ManagerState;
  objectsOf(kind: Kind): readonly KubeObject[];
  object(kind: Kind, ref: ObjectRef): KubeObject | undefined;
  /** Nothing on a standby: it plans nothing. */
  plansFor(kind: Kind, ref: ObjectRef): readonly PlanRecord[];
  /** Oldest first. */
  log(): readonly LogRecord[];
  /** Kinds that a controller reads: a viewer who may not see all of them gets no free text of its plans. */
  readBy(controller: string): readonly ReadKind[];
  /** Cached objects that have a say about this one, the object itself excluded. */
  inputsOf(kind: Kind, ref: ObjectRef): readonly { readonly kind: Kind; readonly object: KubeObject }[];
  eventsOf(kind: Kind, ref: ObjectRef): Promise<readonly KubeObject[]>;
  subscribe(listener: (change: InsightChange) => void): () => void;
}
