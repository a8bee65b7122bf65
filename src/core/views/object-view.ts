// What people are shown of one object that Mainstay manages, in command line, read API and dashboard alike. Types only; health.ts
// and the other files of this folder compute the values. Nothing here ever holds a secret.

import type { Severity, Word } from "../reasons.ts";
import type { Picture } from "./picture.ts";

/**
 * - `healthy`: every promise is kept and nothing is left to do
 * - `progressing`: something is being done or waited for
 * - `degraded`: a promise is broken, or the last attempt failed; of a part: it does its work, and not all of it is well
 * - `unhealthy`: of a part alone: it does not do its work
 * - `refused`: Mainstay could act and will not, and says why
 * - `unknown`: it could not be observed
 */
export type Health = "healthy" | "progressing" | "degraded" | "unhealthy" | "refused" | "unknown";

/** One object. `resource` is the kind in URLs: `infrastructures.config.openshift.io`, `services`. */
export interface ObjectId {
  readonly resource: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

export interface ObjectSummary {
  readonly id: ObjectId;
  /** Names of the controllers that manage it. */
  readonly controllers: readonly string[];
  readonly health: Health;
  /** One sentence in words. */
  readonly sentence: string;
  /** The reason behind the sentence, when there is one word for it. */
  readonly reason?: string;
  /** ISO 8601: when a condition last changed. */
  readonly since?: string;
  readonly deleting: boolean;
  /** How its parts are, for objects that are made of some. */
  readonly parts?: PartsCount;
  /** What works for clients, for objects with a picture. */
  readonly reach?: Picture["reach"];
  /** Of the last hour, those that are over, the latest first. */
  readonly incidents?: readonly Incident[];
  /** Changes whenever anything that `ObjectDetail` shows has changed: fetch the detail again then. */
  readonly revision: string;
}

export interface ObjectDetail extends ObjectSummary {
  /** What this kind of object is, in one sentence. */
  readonly what: string;
  readonly createdAt?: string;
  readonly generation?: number;
  /** How it works; absent for kinds without one, and while there is nothing to show. */
  readonly picture?: Picture;
  /** One row for each part; absent where `ObjectSummary.parts` is. */
  readonly partsTable?: PartsTable;
  /** Of other things that belong to it, such as addresses. */
  readonly tables?: readonly PartsTable[];
  /** One for each part; empty where nothing was remembered. */
  readonly strips: readonly PartStrip[];
  readonly conditions: readonly ConditionView[];
  /** The latest plan of each controller whose key this object is. Empty on a standby, which plans nothing. */
  readonly plans: readonly PlanView[];
  /** Newest first. */
  readonly history: readonly PlanLogEntry[];
  /** Newest first. */
  readonly events: readonly EventView[];
  /** What the viewer may not do, and what is therefore left out: `list events.events.k8s.io in clusters`. Absent: nothing. */
  readonly missingRights?: readonly string[];
  readonly relations: readonly RelationView[];
}

/** Equal parts of an object, such as the zones of a cluster's endpoint. */
export interface PartsCount {
  /** For one, and for several: `zone`, `zones`. */
  readonly noun: readonly [one: string, several: string];
  /** Of each, in the order of the table. */
  readonly names: readonly string[];
  readonly healths: readonly Health[];
  /** How many do their work, those that are only degraded included; absent: the healthy ones. */
  readonly serving?: number;
}

/** How one part was in the last hour, oldest first. What lies before the first span is not known. */
export interface PartStrip {
  readonly name: string;
  readonly spans: readonly StateSpan[];
}

export interface StateSpan {
  /** ISO 8601. */
  readonly from: string;
  /** Absent: it still lasts. */
  readonly to?: string;
  readonly health: Health;
  /** As in `PartRow`. */
  readonly withdrawn?: string;
}

/** A time in which an object needed attention, and which is over. */
export interface Incident {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  /** The reason's sentence. */
  readonly summary: string;
}

/** One row for each part. Every row has as many cells as there are columns. */
export interface PartsTable {
  readonly title: string;
  /** What the rows' names are, then what their cells are. */
  readonly nameColumn: string;
  readonly columns: readonly string[];
  readonly rows: readonly PartRow[];
  /** What is there beside the parts and counts for none of them. */
  readonly others?: readonly PartRow[];
}

export interface PartRow {
  readonly name: string;
  readonly health: Health;
  /** It does its work although it is not healthy. */
  readonly serves?: true;
  /** Clients are not sent to it, and how that is called: `out of DNS`. */
  readonly withdrawn?: string;
  /** ISO 8601: since when it is as it is, where the object itself says so. */
  readonly since?: string;
  readonly cells: readonly PartCell[];
}

export interface PartCell {
  /** May be empty. */
  readonly text: string;
  /** Below the text and smaller. */
  readonly note?: string;
  /** Addresses and names, which people compare letter by letter. */
  readonly exact?: boolean;
  /** So many of so many, for a picture beside the text. */
  readonly share?: { readonly good: number; readonly total: number };
  /** Says what is wrong. */
  readonly odd?: boolean;
}

export interface Explained {
  readonly reason: string;
  readonly severity: Severity;
  /** The reason's sentence in the table of reasons. Empty for a reason of another controller. */
  readonly summary: string;
  /** The command that prints its page: `mainstay runbook <reason>`; absent for a reason of another controller. */
  readonly runbook?: string;
}

export interface ConditionView extends Explained {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  /** As it should be. */
  readonly good: boolean;
  readonly message: string;
  /** One sentence: type, truth and why. */
  readonly words: string;
  readonly since: string;
  /** Written for an older generation of the object. */
  readonly outdated: boolean;
}

export type ActionResult = "done" | "failed" | "skipped" | "planned";

export interface PlanView {
  readonly controller: string;
  /** ISO 8601: when it was made. */
  readonly at: string;
  /** What the round came to: `quiet`, `acted`, `waiting`, `refused`, `failed`, `isolated`, `blind` … */
  readonly outcome: string;
  /** In words: what the outcome means. */
  readonly sentence: string;
  readonly actions: readonly PlanActionView[];
  readonly waits: readonly PlanWaitView[];
  readonly refusals: readonly PlanRefusalView[];
  /** What went wrong with the round as a whole. */
  readonly troubles: readonly (Explained & { readonly message: string })[];
}

export interface PlanActionView extends Explained {
  /** Such as `create-report`. `reason` is why it is done. */
  readonly action: string;
  /** In one line, its plain values included. */
  readonly words: string;
  readonly lane?: string;
  /** What it takes away. */
  readonly removes?: string;
  readonly result: ActionResult;
  /** Why it failed or was skipped. */
  readonly failure?: Explained & { readonly message: string };
}

export interface PlanWaitView extends Explained {
  readonly message: string;
  readonly recheckAfterMs: number;
  readonly lane?: string;
}

export interface PlanRefusalView extends Explained {
  /** A notice: nothing was refused. */
  readonly notice?: true;
  readonly message: string;
  readonly lane?: string;
}

export interface EventView extends Explained {
  readonly type: "Normal" | "Warning";
  readonly action: string;
  readonly message: string;
  readonly controller: string;
  readonly count: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
}

/** `report`: reports on the object. `subject`: the object that a report is about. `input`: read to plan for it. */
export type Relation = "owner" | "owned" | "report" | "subject" | "input";

export interface RelationView {
  readonly relation: Relation;
  readonly id: ObjectId;
  /** Absent for objects whose health Mainstay does not know. */
  readonly health?: Health;
}

/** One line of the plan log: what was done, refused or waited for, and why. */
export interface PlanLogEntry {
  /** Opaque: different for each entry of one manager, and it does not show how many entries there are or lie between two. */
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  readonly controller: string;
  readonly object: ObjectId;
  /** The action's kind, or `wait`, `refuse`, `notice`, `reconcile`. */
  readonly action: string;
  /** In one line. */
  readonly words: string;
  readonly because: Word;
  readonly severity: Severity;
  readonly runbook?: string;
  readonly lane?: string;
  readonly removes?: string;
  readonly result: "done" | "failed" | "skipped" | "waiting" | "refused" | "noticed";
  /** Why it failed, was skipped, waits or was refused. */
  readonly message?: string;
  /** The leader's term it was written in. */
  readonly term: number;
}
