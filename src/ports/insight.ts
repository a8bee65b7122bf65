// What the read API asks of a running manager: its objects, plans and log. Reads from memory only, but for events, which take a call.

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
  /** Objects of this kind report on the object of the same name and namespace of that kind, whose health their conditions count for. */
  readonly reportOf?: Kind;
  /** Controllers that manage it. */
  readonly controllers: readonly string[];
  /** Why no controller manages this object, as far as the object shows; undefined: one does. */
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
  /** Kinds that a controller reads: a viewer who may not list all of them gets no free text of its plans. */
  readBy(controller: string): readonly ReadKind[];
  /** Cached objects that the controllers of this one read to plan for it, without the object itself. */
  inputsOf(kind: Kind, ref: ObjectRef): readonly { readonly kind: Kind; readonly object: KubeObject }[];
  eventsOf(kind: Kind, ref: ObjectRef): Promise<readonly KubeObject[]>;
  subscribe(listener: (change: InsightChange) => void): () => void;
}
