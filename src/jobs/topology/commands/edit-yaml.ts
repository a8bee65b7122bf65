// Sets texts in a YAML or JSON file by changing nothing but those places: comments, spacing, quotes, line ends and other
// documents stay byte for byte. The result is read again and compared, so that an edit either means exactly what was
// asked or does not happen.

import { isMap, isScalar, type Pair, type YAMLMap } from "yaml";
import { isRecord } from "../../../apis/text/problem.ts";
import { documentsIn, yamlProblems } from "../../../core/yaml-text.ts";

export interface YamlEdit {
  readonly path: readonly [string, ...string[]];
  readonly value: string;
}

/** Undefined when these places cannot be set without changing others, as where an anchor shares them. */
export function editYaml(text: string, documentIndex: number, edits: readonly YamlEdit[]): string | undefined {
  // The parser's offsets do not count a byte-order mark.
  if (text.startsWith(byteOrderMark)) {
    const edited = editYaml(text.slice(1), documentIndex, edits);
    return edited === undefined ? undefined : byteOrderMark + edited;
  }
  const after = edits.reduce((now, edit) => applyEdit(now, documentIndex, edit), text);
  const wanted = valuesIn(text)?.map((value, index) =>
    index === documentIndex ? edits.reduce(withValue, value) : value,
  );
  return wanted !== undefined && JSON.stringify(valuesIn(after)) === JSON.stringify(wanted) ? after : undefined;
}

const byteOrderMark = "\uFEFF";

function valuesIn(text: string): readonly unknown[] | undefined {
  const documents = documentsIn(text);
  return documents.some((each) => yamlProblems(each).length > 0)
    ? undefined
    : documents.map((each): unknown => each.toJS());
}

function withValue(value: unknown, { path: [key, ...rest], value: text }: YamlEdit): unknown {
  const fields = isRecord(value) ? value : {};
  const [next, ...others] = rest;
  const inner = next === undefined ? text : withValue(fields[key], { path: [next, ...others], value: text });
  return { ...fields, [key]: inner };
}

function applyEdit(text: string, documentIndex: number, { path, value }: YamlEdit): string {
  const document = documentsIn(text)[documentIndex];
  let map = document?.contents;
  for (const [depth, key] of path.entries()) {
    if (!isMap(map)) return text;
    const pair = pairFor(map, key);
    if (pair === undefined) return insertInto(text, map, path.slice(depth), value);
    const inner = pair.value;
    if (depth === path.length - 1) return replaceValue(text, pair, value);
    if (isScalar(inner) && inner.value === null) return fillEmpty(text, map, pair, path.slice(depth + 1), value);
    map = inner as typeof map;
  }
  return text;
}

function replaceValue(text: string, { value: node }: Pair, value: string): string {
  const [start, end] = rangeOf(node);
  const before = text.slice(start, end);
  if (before === "") return splice(text, start, end, ` ${quoted(value, "'")}`);
  return splice(text, start, end, quoted(value, before.startsWith('"') ? '"' : "'", !/^["']/.test(before)));
}

/** A key that stands there without a value: what belongs to it goes on the lines below. */
function fillEmpty(text: string, map: YAMLMap, pair: Pair, path: readonly string[], value: string): string {
  const [keyStart] = rangeOf(pair.key);
  const [start, end] = rangeOf(pair.value);
  if (map.flow) return splice(text, start, end, `${start === end ? " " : ""}{${inFlow(path, value)}}`);
  const cleared = splice(text, start, end, "");
  const place = lineEnd(cleared, start);
  return splice(cleared, place, place, eolOf(text) + nested(path, value, `${indentAt(text, keyStart)}  `, eolOf(text)));
}

function insertInto(text: string, map: YAMLMap, path: readonly string[], value: string): string {
  const last = map.items.at(-1);
  const [mapStart, mapEnd] = rangeOf(map);
  if (map.flow) {
    const entry = inFlow(path, value);
    if (last === undefined) return splice(text, mapEnd - 1, mapEnd - 1, entry);
    // As the first entry is set apart from the brace, so is the new one from the last.
    const [, apart = " "] = /^\{(\s*)/.exec(text.slice(mapStart)) ?? [];
    const place = rangeOf(last.value ?? last.key)[1];
    return splice(text, place, place, `,${apart === "" ? " " : apart}${entry}`);
  }
  const indent = indentAt(text, rangeOf(map.items[0]?.key)[0]);
  const lines = nested(path, value, indent, eolOf(text));
  const end = rangeOf(last?.value ?? last?.key)[1];
  if (end > 0 && text[end - 1] === "\n") return splice(text, end, end, `${lines}${eolOf(text)}`);
  const place = lineEnd(text, end);
  return splice(text, place, place, `${eolOf(text)}${lines}`);
}

function nested(path: readonly string[], value: string, indent: string, eol: string): string {
  return path
    .map((key, depth) => {
      const start = `${indent}${"  ".repeat(depth)}${key}:`;
      return depth === path.length - 1 ? `${start} ${quoted(value, "'", true)}` : start;
    })
    .join(eol);
}

/** Good as JSON and as YAML. */
function inFlow([key = "", ...rest]: readonly string[], value: string): string {
  return `${JSON.stringify(key)}: ${rest.length === 0 ? JSON.stringify(value) : `{${inFlow(rest, value)}}`}`;
}

function quoted(value: string, quote: '"' | "'", mayBePlain = false): string {
  if (mayBePlain && /^[A-Za-z]+$/.test(value)) return value;
  return quote === '"' ? JSON.stringify(value) : `'${value.replaceAll("'", "''")}'`;
}

function pairFor(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

function rangeOf(node: unknown): readonly [start: number, end: number] {
  const range = isRecord(node) ? node["range"] : undefined;
  return Array.isArray(range) ? [Number(range[0]), Number(range[1])] : [0, 0];
}

function indentAt(text: string, offset: number): string {
  return / *$/.exec(text.slice(0, offset))?.[0] ?? "";
}

function lineEnd(text: string, from: number): number {
  const end = text.slice(from).search(/\r?\n|$/);
  return from + end;
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function splice(text: string, start: number, end: number, insert: string): string {
  return text.slice(0, start) + insert + text.slice(end);
}
