// Keeps fields of one version that another cannot express in an annotation, so that a conversion there and back loses nothing. An old
// annotation never overrides a newer write: it is used only where the field still has the value that the conversion left, and only if
// the object, converted to the version that was written last, stays exactly as it was written.

import { type JsonPath, type JsonRecord, sameJson, valueAt, withValueAt } from "../text/json-path.ts";
import { isRecord } from "../text/problem.ts";
import type { KubeObject } from "./kube-object.ts";

/** Accepts every object and keeps every field that it does not know. It must not read annotations. */
export type Translate = (object: JsonRecord) => JsonRecord;

export interface Translation {
  /** The version that is left, and the way there and back. */
  readonly from: string;
  readonly to: string;
  readonly there: Translate;
  readonly back: Translate;
}

/** A field that the other version cannot express: its value, and the value it would have after a conversion back. */
interface Note {
  readonly at: JsonPath;
  readonly was?: unknown;
  readonly reads?: unknown;
}

export function remainderAnnotation(version: string): string {
  return `mainstay.dev/conversion-${version}`;
}

export function convertKeepingAll(object: KubeObject, translation: Translation): KubeObject {
  const { from, to, there, back } = translation;
  const {
    [remainderAnnotation(to)]: kept,
    [remainderAnnotation(from)]: stale,
    ...annotations
  } = object.metadata.annotations ?? {};
  const bodyHere = body(object);
  const plain = there(bodyHere);
  const restored = decodeNotes(kept).reduce((result, note) => restore(result, note, back), plain);
  const notes = differences(bodyHere, back(restored), []);
  const annotated =
    notes.length === 0 ? annotations : { ...annotations, [remainderAnnotation(from)]: JSON.stringify(notes) };
  const { annotations: before, ...metadata } = object.metadata;
  // An empty map that was there stays; one that only held a note goes with it.
  const isGone = Object.keys(annotated).length === 0 && (before === undefined || (kept ?? stale) !== undefined);
  const group = object.apiVersion.replace(/\/.*$/, "");
  return {
    ...restored,
    apiVersion: `${group}/${to}`,
    kind: object.kind,
    metadata: isGone ? metadata : { ...metadata, annotations: annotated },
  };
}

function body({ apiVersion: _a, kind: _k, metadata: _m, ...rest }: KubeObject): JsonRecord {
  return rest;
}

function restore(object: JsonRecord, { at, was, reads }: Note, back: Translate): JsonRecord {
  if (!sameJson(entryAt(object, at), reads)) return object;
  const candidate = withEntryAt(object, at, was);
  return sameJson(back(candidate), back(object)) ? candidate : object;
}

/** Objects are compared field by field, conditions type by type, everything else as a whole. */
function differences(wanted: unknown, got: unknown, at: JsonPath): readonly Note[] {
  if (sameJson(wanted, got)) return [];
  const [left, right] = [byType(wanted, at), byType(got, at)];
  if (left === undefined || right === undefined) {
    return [{ at, ...(wanted === undefined ? {} : { was: wanted }), ...(got === undefined ? {} : { reads: got }) }];
  }
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].toSorted();
  return names.flatMap((name) => differences(left[name], right[name], [...at, name]));
}

function isConditions(at: JsonPath): boolean {
  return at.length === 2 && at[0] === "status" && at[1] === "conditions";
}

/** A condition is one thing: half of an old one must never be mixed with half of a new one. */
function byType(value: unknown, at: JsonPath): JsonRecord | undefined {
  if (isConditions(at) && Array.isArray(value)) return conditionsByType(value);
  return isRecord(value) && !isConditions(at.slice(0, 2)) ? value : undefined;
}

function conditionsByType(conditions: readonly unknown[]): JsonRecord | undefined {
  const entries = conditions.map((one) => [isRecord(one) ? String(one["type"]) : "", one] as const);
  return new Set(entries.map(([type]) => type)).size === entries.length ? Object.fromEntries(entries) : undefined;
}

function entryAt(object: JsonRecord, at: JsonPath): unknown {
  if (!isConditions(at.slice(0, 2)) || at.length !== 3) return valueAt(object, at);
  return conditionsOf(object).find((one) => isRecord(one) && one["type"] === at[2]);
}

function withEntryAt(object: JsonRecord, at: JsonPath, value: unknown): JsonRecord {
  if (!isConditions(at.slice(0, 2)) || at.length !== 3) return withValueAt(object, at, value);
  const isIt = (one: unknown) => isRecord(one) && one["type"] === at[2];
  const changed = conditionsOf(object).flatMap((one) => (isIt(one) ? (value === undefined ? [] : [value]) : [one]));
  return withValueAt(object, at.slice(0, 2), changed);
}

function conditionsOf(object: JsonRecord): readonly unknown[] {
  const list = valueAt(object, ["status", "conditions"]);
  return Array.isArray(list) ? list : [];
}

/** An annotation that is not ours, or that points outside of spec and status, is ignored. */
function decodeNotes(text: string | undefined): readonly Note[] {
  if (text === undefined) return [];
  try {
    const notes: unknown = JSON.parse(text);
    return Array.isArray(notes) ? notes.filter(isNote) : [];
  } catch {
    return [];
  }
}

function isNote(value: unknown): value is Note {
  if (!isRecord(value)) return false;
  const { at } = value;
  if (!Array.isArray(at) || at.length < 1 || !at.every((name) => typeof name === "string" && name !== "__proto__"))
    return false;
  return at[0] === "spec" || at[0] === "status";
}
