// What needs attention on the overview: which objects, what several of them have in common, and what is over. Pure.

import type { Health, Incident, ObjectId, ObjectSummary } from "../core/views/object-view.ts";
import { objectKey } from "../server/contract.ts";
import { objectName } from "./log-filter.ts";
import { compareHealth, healthSummary } from "./words/health.ts";

const needing: readonly Health[] = ["unhealthy", "degraded", "refused", "unknown"];

/** The worst first, then by name. */
export function needingAttention(objects: readonly ObjectSummary[]): readonly ObjectSummary[] {
  return objects
    .filter(({ health }) => needing.includes(health))
    .toSorted((a, b) => compareHealth(a.health, b.health) || (objectKey(a.id) < objectKey(b.id) ? -1 : 1));
}

const mostNames = 3;

/** What needs attention, by name; where that is too many, or nothing, how many. */
export function attentionHeadline(objects: readonly ObjectSummary[]): string {
  const names = needingAttention(objects).map(({ id }) => objectName(id));
  if (names.length === 0 || names.length > mostNames) return healthSummary(objects);
  return `${listed(names)} ${names.length === 1 ? "needs" : "need"} attention.`;
}

/** What is wrong with several objects at once. */
export interface CommonTrouble {
  /** `zone az2`, `OpenStackUnreachable`. */
  readonly what: string;
  readonly reason?: string;
  readonly objects: readonly ObjectId[];
}

/** Parts of the same name come first: where something happened says more than what is said of it. The same objects are not told twice. */
export function commonTroubles(objects: readonly ObjectSummary[]): readonly CommonTrouble[] {
  const sick = needingAttention(objects);
  const byPart = grouped(sick.flatMap((object) => sickParts(object).map((what) => [what, object.id] as const)));
  const byReason = grouped(sick.flatMap(({ id, reason }) => (reason === undefined ? [] : [[reason, id] as const])));
  const parts = byPart.map(([what, ids]): CommonTrouble => ({ what, objects: ids }));
  const told = new Set(parts.map(({ objects: ids }) => ids.map(objectKey).join()));
  const reasons = byReason
    .filter(([, ids]) => !told.has(ids.map(objectKey).join()))
    .map(([reason, ids]): CommonTrouble => ({ what: reason, reason, objects: ids }));
  return [...parts, ...reasons].toSorted((a, b) => b.objects.length - a.objects.length);
}

/** Where all parts are bad, it is not about one of them. */
function sickParts({ parts }: ObjectSummary): readonly string[] {
  if (parts === undefined) return [];
  const sick = parts.names.filter((_, index) => needing.includes(parts.healths[index] ?? "unknown"));
  return sick.length === parts.names.length ? [] : sick.map((name) => `${parts.noun[0]} ${name}`);
}

function grouped(pairs: readonly (readonly [string, ObjectId])[]): readonly (readonly [string, readonly ObjectId[]])[] {
  const words = [...new Set(pairs.map(([word]) => word))];
  return words
    .map((word) => [word, pairs.filter(([own]) => own === word).map(([, id]) => id)] as const)
    .filter(([, ids]) => ids.length > 1);
}

/** `2 OpenStackClusters`; `2 objects` where they are of several kinds. */
export function countedObjects(ids: readonly ObjectId[]): string {
  const kinds = new Set(ids.map(({ kind }) => kind));
  return `${ids.length} ${kinds.size === 1 ? `${[...kinds].join("")}s` : "objects"}`;
}

export interface ClosedIncident extends Incident {
  readonly object: ObjectId;
}

/** The latest first. */
export function closedIncidents(objects: readonly ObjectSummary[]): readonly ClosedIncident[] {
  return objects
    .flatMap(({ id, incidents = [] }) => incidents.map((incident) => ({ ...incident, object: id })))
    .toSorted((a, b) => (a.to < b.to ? 1 : -1));
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
