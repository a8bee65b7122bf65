// One step of a field path, kept in the form FieldsV1 writes it: `f:name`, `k:{"port":80}`, `v:"x"`.
// Keeping the wire form makes equality a string comparison and round trips exact.

import { isJsonObject, type Json, type JsonObject } from "../schema/json-value.ts";
import type { ListShape } from "./merge-type.ts";

export type PathElement = string;

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

export function fieldName(element: PathElement): string | undefined {
  return element.startsWith("f:") ? element.slice(2) : undefined;
}

/** Where an item sits in a set or map list; undefined when the item has no usable key. */
export function itemElement(shape: ListShape, item: Json): PathElement | undefined {
  if (shape.kind === "map") return isJsonObject(item) ? keyElement(shape, item) : undefined;
  if (shape.kind === "set" && item !== null && typeof item !== "object") return `v:${JSON.stringify(item)}`;
  return undefined;
}

function keyElement(shape: ListShape & { readonly kind: "map" }, item: JsonObject): PathElement | undefined {
  const key: Record<string, Json> = {};
  for (const name of [...shape.keys].sort()) {
    const value = item[name] ?? shape.defaults[name];
    if (value !== undefined) key[name] = value;
  }
  return Object.keys(key).length === 0 ? undefined : `k:${JSON.stringify(key)}`;
}

/** As conflicts print it: `.spec`, `[port=80,protocol="TCP"]`, `[="x"]`. */
export function printElement(element: PathElement): string {
  const body = element.slice(2);
  if (element.startsWith("f:")) return `.${body}`;
  if (element.startsWith("v:")) return `[=${body}]`;
  if (element.startsWith("i:")) return `[${body}]`;
  const key: unknown = JSON.parse(body);
  const pairs = Object.entries(typeof key === "object" && key !== null ? key : {});
  return `[${pairs.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(",")}]`;
}

export function printPath(path: readonly PathElement[]): string {
  return path.map(printElement).join("");
}
