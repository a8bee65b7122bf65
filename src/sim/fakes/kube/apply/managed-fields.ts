// metadata.managedFields, read and written: which manager owns which fields, by which operation, at which version.

import {
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  stringAt,
} from "../schema/json-value.ts";
import { type FieldSet, fromFieldsV1, isEmptySet, toFieldsV1 } from "./field-set.ts";

export type Operation = "Apply" | "Update";

export interface ManagerEntry {
  readonly manager: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** By manager identity. An applier is the same one whatever version it applies at; an updater is not. */
export type Managers = ReadonlyMap<string, ManagerEntry>;

export function identityOf(entry: Omit<ManagerEntry, "fields" | "time">): string {
  const { manager, operation, apiVersion, subresource } = entry;
  // The manager comes last: it alone is any text.
  return `${operation} ${operation === "Update" ? apiVersion : ""} ${subresource} ${manager}`;
}

/** Undefined when the list is not well-formed. */
export function decodeManagers(object: JsonObject | undefined): Managers | undefined {
  const managers = new Map<string, ManagerEntry>();
  for (const raw of listAt(objectAt(object, "metadata"), "managedFields")) {
    const entry = isJsonObject(raw) ? decodeEntry(raw) : undefined;
    if (entry === undefined) return undefined;
    managers.set(identityOf(entry), entry);
  }
  return managers;
}

/** An entry that a write leaves alone is read and written once. */
const read = new WeakMap<JsonObject, ManagerEntry>();
const written = new WeakMap<ManagerEntry, JsonObject>();

function decodeEntry(raw: JsonObject): ManagerEntry | undefined {
  const entry = read.get(raw) ?? newEntry(raw);
  if (entry !== undefined) read.set(raw, entry);
  return entry;
}

function newEntry(raw: JsonObject): ManagerEntry | undefined {
  const operation = raw.operation;
  if (operation !== "Apply" && operation !== "Update") return undefined;
  if (stringAt(raw, "apiVersion") === "" || raw.fieldsType !== "FieldsV1") return undefined;
  return {
    manager: stringAt(raw, "manager"),
    operation,
    apiVersion: stringAt(raw, "apiVersion"),
    subresource: stringAt(raw, "subresource"),
    time: typeof raw.time === "string" ? raw.time : undefined,
    fields: fromFieldsV1(objectAt(raw, "fieldsV1")),
  };
}

/** An empty list, or a list of one empty entry: the client wants ownership forgotten. */
export function isReset(object: JsonObject): boolean {
  const list = objectAt(object, "metadata").managedFields;
  if (!isJsonList(list)) return false;
  const [first] = list;
  return list.length === 0 || (list.length === 1 && isJsonObject(first) && Object.keys(first).length === 0);
}

export function withoutManagedFields(object: JsonObject): JsonObject {
  if (!isJsonObject(object.metadata)) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

export function withManagers(object: JsonObject, managers: Managers): JsonObject {
  const bare = withoutManagedFields(object);
  const entries = [...managers.values()].filter((entry) => !isEmptySet(entry.fields));
  if (entries.length === 0) return bare;
  return { ...bare, metadata: { ...objectAt(bare, "metadata"), managedFields: entries.sort(byAge).map(encodeEntry) } };
}

function encodeEntry(entry: ManagerEntry): Json {
  const known = written.get(entry);
  if (known !== undefined) return known;
  const raw = {
    manager: entry.manager,
    operation: entry.operation,
    apiVersion: entry.apiVersion,
    ...(entry.time === undefined ? {} : { time: entry.time }),
    fieldsType: "FieldsV1",
    fieldsV1: toFieldsV1(entry.fields),
    ...(entry.subresource === "" ? {} : { subresource: entry.subresource }),
  };
  written.set(entry, raw);
  return raw;
}

function byAge(a: ManagerEntry, b: ManagerEntry): number {
  return (
    compare(a.operation, b.operation) ||
    compare(a.time ?? "", b.time ?? "") ||
    compare(a.manager, b.manager) ||
    compare(a.apiVersion, b.apiVersion) ||
    compare(a.subresource, b.subresource)
  );
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
