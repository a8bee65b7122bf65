// JSON patch (RFC 6902) with the leniency of the real server: `replace` of a missing member adds it.
// A step that cannot be done stops the whole patch.

import type { Json } from "../json.ts";
import { isJsonList, isJsonObject, sameJson } from "../schema/json-value.ts";

export class PatchStepFailed extends Error {}

export interface PatchStep {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: Json;
}

export function jsonPatch(document: Json, steps: readonly PatchStep[]): Json {
  return steps.reduce(applyStep, document);
}

function applyStep(document: Json, step: PatchStep): Json {
  const path = pointer(step.path);
  switch (step.op) {
    case "add":
      if (path.length === 0) return valueOf(step);
      return edit(document, path, (parent, word) => withAdded(parent, word, valueOf(step)));
    case "remove":
      return edit(document, path, withRemoved);
    case "replace":
      if (path.length === 0) return valueOf(step);
      return edit(document, path, (parent, word) => withReplaced(parent, word, valueOf(step)));
    case "move": {
      const from = pointer(step.from ?? "");
      const moved = read(document, from);
      return edit(edit(document, from, withRemoved), path, (parent, word) => withAdded(parent, word, moved));
    }
    case "copy": {
      const copied = read(document, pointer(step.from ?? ""));
      return edit(document, path, (parent, word) => withAdded(parent, word, copied));
    }
    case "test":
      if (!sameJson(readOrNull(document, path), step.value ?? null))
        throw new PatchStepFailed(`test ${step.path} failed`);
      return document;
    default:
      throw new PatchStepFailed(`unexpected kind: ${step.op}`);
  }
}

function valueOf({ value }: PatchStep): Json {
  return value ?? null;
}

function pointer(text: string): readonly string[] {
  if (text === "") return [];
  if (!text.startsWith("/")) throw new PatchStepFailed(`path ${text} does not begin with a slash`);
  return text
    .slice(1)
    .split("/")
    .map((word) => word.replaceAll("~1", "/").replaceAll("~0", "~"));
}

type Change = (parent: Json, word: string) => Json;

function edit(document: Json, path: readonly string[], change: Change): Json {
  const [word, ...rest] = path;
  if (word === undefined) throw new PatchStepFailed("the whole document cannot be removed, moved or copied over");
  if (rest.length === 0) return change(document, word);
  const child = edit(member(document, word), rest, change);
  return withReplaced(document, word, child);
}

function member(parent: Json, word: string): Json {
  if (isJsonList(parent)) return parent[index(parent, word, parent.length - 1)] ?? null;
  const value = isJsonObject(parent) ? parent[word] : undefined;
  if (value === undefined) throw new PatchStepFailed(`no member ${word}`);
  return value;
}

function read(document: Json, path: readonly string[]): Json {
  return path.reduce(member, document);
}

function readOrNull(document: Json, path: readonly string[]): Json {
  const last = path.at(-1);
  const parent = path.slice(0, -1).reduce(member, document);
  if (last === undefined) return parent;
  if (isJsonObject(parent)) return parent[last] ?? null;
  return member(parent, last);
}

function index(list: readonly Json[], word: string, highest: number): number {
  const position = /^-\d+$/.test(word) ? list.length + Number(word) : /^\d+$/.test(word) ? Number(word) : Number.NaN;
  if (!(position >= 0 && position <= highest)) throw new PatchStepFailed(`index ${word} is out of bounds`);
  return position;
}

function withAdded(parent: Json, word: string, value: Json): Json {
  if (isJsonObject(parent)) return { ...parent, [word]: value };
  if (!isJsonList(parent)) throw new PatchStepFailed(`nothing can be added at ${word}`);
  return parent.toSpliced(word === "-" ? parent.length : index(parent, word, parent.length), 0, value);
}

function withReplaced(parent: Json, word: string, value: Json): Json {
  if (isJsonObject(parent)) return { ...parent, [word]: value };
  if (!isJsonList(parent)) throw new PatchStepFailed(`nothing to replace at ${word}`);
  return parent.with(index(parent, word, parent.length - 1), value);
}

function withRemoved(parent: Json, word: string): Json {
  if (isJsonList(parent)) return parent.toSpliced(index(parent, word, parent.length - 1), 1);
  if (!isJsonObject(parent) || parent[word] === undefined) throw new PatchStepFailed(`nothing to remove at ${word}`);
  const { [word]: _removed, ...rest } = parent;
  return rest;
}
