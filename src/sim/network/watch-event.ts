// One event of a watch as it goes over the wire, a line of JSON: what it is about, and two of them as one.

import { isRecord } from "../../apis/text/problem.ts";

interface Wired {
  readonly type: string;
  readonly object: { readonly metadata: { readonly [name: string]: unknown } };
}

export function isBookmark(line: Uint8Array): boolean {
  return textOf(line.subarray(0, 18)) === '{"type":"BOOKMARK"';
}

export function versionOfEvent(line: Uint8Array): string {
  return field(decode(line), "resourceVersion");
}

/** `MODIFIED default/a`. */
export function describeEvent(line: Uint8Array): string {
  const event = decode(line);
  return event === undefined ? "an event" : `${event.type} ${nameOf(event)}`;
}

/** What may come instead of both: the later one, if it is about the same object and the first was not its end. */
export function foldEvents(first: Uint8Array, second: Uint8Array): Uint8Array | undefined {
  const [a, b] = [decode(first), decode(second)];
  if (a === undefined || b === undefined || field(a, "uid") === "" || field(a, "uid") !== field(b, "uid"))
    return undefined;
  if (a.type === "DELETED" || (a.type === "ADDED" && b.type === "DELETED")) return undefined;
  return a.type === "ADDED" ? new TextEncoder().encode(`${JSON.stringify({ ...b, type: "ADDED" })}\n`) : second;
}

/** Undefined for what is no event, such as the first half of a torn one. */
function decode(line: Uint8Array): Wired | undefined {
  const text = textOf(line);
  if (!text.endsWith("\n")) return undefined;
  const event: unknown = JSON.parse(text);
  const object = isRecord(event) ? event["object"] : undefined;
  if (!isRecord(event) || typeof event["type"] !== "string" || !isRecord(object)) return undefined;
  const metadata = object["metadata"];
  return isRecord(metadata) ? { type: event["type"], object: { ...object, metadata } } : undefined;
}

function nameOf(event: Wired): string {
  const namespace = field(event, "namespace");
  return `${namespace === "" ? "" : `${namespace}/`}${field(event, "name")}`;
}

function field(event: Wired | undefined, name: string): string {
  const value = event?.object.metadata[name];
  return typeof value === "string" ? value : "";
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
