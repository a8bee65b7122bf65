// Merges what was applied into what is there. Items of sets and map lists are matched by key and keep the applied order
// among themselves; every other item stays where it was.

import { isJsonList, isJsonObject, type Json, type JsonObject, presentFields } from "../schema/json-value.ts";
import {
  isAtomicMap,
  type ListShape,
  listShape,
  type MergeType,
  shapeOf,
  typeOfField,
  typeOfItem,
} from "./merge-type.ts";
import { itemElement, type PathElement } from "./path-element.ts";

export function mergeValues(type: MergeType, live: Json | undefined, applied: Json | undefined): Json | undefined {
  if (applied === undefined) return live;
  if (live === undefined) return applied;
  const shape = shapeOf(type, applied);
  if (shape === "map" && !isAtomicMap(type) && isJsonObject(live)) return mergeMaps(type, live, applied);
  const lists = listShape(type);
  if (shape === "list" && lists.kind !== "atomic" && isJsonList(live)) return mergeLists(type, lists, live, applied);
  return applied;
}

function mergeMaps(type: MergeType, live: JsonObject, applied: Json): Json {
  const incoming = isJsonObject(applied) ? applied : {};
  const names = new Set([...presentFields(live), ...presentFields(incoming)]);
  // Both empty: what was applied wins, so that null and {} stay apart.
  if (names.size === 0) return applied;
  const merged: Record<string, Json> = {};
  for (const name of names) {
    const field = typeOfField(type, name);
    const value = field === undefined ? (incoming[name] ?? live[name]) : mergeValues(field, live[name], incoming[name]);
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}

function mergeLists(type: MergeType, shape: ListShape, live: readonly Json[], applied: Json): Json {
  const incoming = isJsonList(applied) ? applied : [];
  if (live.length === 0 && incoming.length === 0) return applied;
  const item = typeOfItem(type);
  const liveByKey = new Map<PathElement | undefined, Json>();
  for (const value of live) {
    const key = itemElement(shape, value);
    // Twice under one key: neither can be merged with, the applied item replaces both.
    liveByKey.set(key, liveByKey.has(key) ? null : value);
  }
  const incomingByKey = new Map(incoming.map((value) => [itemElement(shape, value), value]));
  const mergeItem = (key: PathElement | undefined): Json => {
    const from = liveByKey.get(key);
    return mergeValues(item, from === null ? undefined : from, incomingByKey.get(key)) ?? null;
  };
  return interleave(shape, live, [...incomingByKey.keys()], liveByKey).map((entry) =>
    entry.applied ? mergeItem(entry.key) : entry.value,
  );
}

type Slot =
  | { readonly applied: true; readonly key: PathElement | undefined }
  | { readonly applied: false; readonly value: Json };

/** The order of the result: shared items follow the applied order, an item of one side stays near its neighbours. */
function interleave(
  shape: ListShape,
  live: readonly Json[],
  appliedKeys: readonly (PathElement | undefined)[],
  liveByKey: ReadonlyMap<PathElement | undefined, Json>,
): readonly Slot[] {
  const applied = new Set(appliedKeys);
  const shared = appliedKeys.filter((key) => liveByKey.has(key));
  const placed = new Set<PathElement | undefined>();
  const slots: Slot[] = [];
  let nextApplied = 0;
  let nextShared = 0;
  const place = (key: PathElement | undefined): void => {
    placed.add(key);
    slots.push({ applied: true, key });
    nextApplied += 1;
    if (shared[nextShared] === key) nextShared += 1;
  };
  for (const value of live) {
    const key = itemElement(shape, value);
    if (!applied.has(key)) {
      slots.push({ applied: false, value });
      continue;
    }
    // A shared item whose turn it is not: the applied order decides, so it comes later or came already.
    if (placed.has(key) || shared[nextShared] !== key) continue;
    while (nextApplied < appliedKeys.length && !placed.has(key)) place(appliedKeys[nextApplied]);
  }
  while (nextApplied < appliedKeys.length) place(appliedKeys[nextApplied]);
  return slots;
}
