// Answers as the transport wants them.

import { stringify } from "yaml";
import type { KubeHttpResponse } from "../../../../ports/kube-transport.ts";
import type { JsonObject } from "../json.ts";

const encoder = new TextEncoder();

/** An object that was written goes to whoever wrote it, to every watch and to many readers, and never changes. */
const texts = new WeakMap<JsonObject, string>();

export function jsonText(object: JsonObject): string {
  const known = texts.get(object);
  if (known !== undefined) return known;
  const text = JSON.stringify(object);
  texts.set(object, text);
  return text;
}

export function jsonResponse(
  status: number,
  value: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): KubeHttpResponse {
  return { status, headers: { "content-type": "application/json", ...headers }, body: once(jsonText(value)) };
}

export function yamlResponse(
  status: number,
  value: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): KubeHttpResponse {
  return { status, headers: { "content-type": "application/yaml", ...headers }, body: once(stringify(value)) };
}

export function textResponse(status: number, text: string): KubeHttpResponse {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body: once(text) };
}

export function pageNotFound(): KubeHttpResponse {
  return textResponse(404, "404 page not found\n");
}

export function bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

export async function* once(text: string): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(bytes(text));
}

/** `Warning` headers travel as one, comma separated. */
export function warningHeader(warnings: readonly string[]): Readonly<Record<string, string>> {
  if (warnings.length === 0) return {};
  const lines = [...new Set(warnings)].map((text) => `299 - ${JSON.stringify(text)}`);
  return { warning: lines.join(", ") };
}
