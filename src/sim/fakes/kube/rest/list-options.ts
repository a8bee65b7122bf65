// What a list or a watch asks for, checked as a whole: selectors, paging and the resource-version rules.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { forbidden, notSupported } from "../field-cause.ts";
import { badRequest, invalidObject, serverError } from "./api-error.ts";
import type { Call } from "./call.ts";
import { type FieldFilter, parseFieldSelector } from "./field-selector.ts";
import { type ObjectFilter, parseLabelSelector } from "./label-selector.ts";
import { wholeNumber } from "./write-options.ts";

export interface ListOptions {
  readonly filter: ObjectFilter | undefined;
  /** Undefined: the most recent state. Zero: any state. */
  readonly revision: number | undefined;
  readonly match: "Exact" | "NotOlderThan" | undefined;
  readonly limit: number;
  readonly continueToken: string;
}

export interface WatchOptions {
  readonly filter: ObjectFilter | undefined;
  readonly revision: number | undefined;
  readonly bookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly timeoutSeconds: number | undefined;
}

export function listOptions(call: Call): ListOptions {
  const { query } = call.info;
  const filter = selection(call);
  const limit = Math.max(0, wholeNumber(query, "limit") ?? 0);
  const match = query.get("resourceVersionMatch") ?? "";
  const text = query.get("resourceVersion") ?? "";
  const continueToken = query.get("continue") ?? "";
  refuse(listCauses(match, text, continueToken, query.get("sendInitialEvents")));
  const revision = revisionOf(text, (why) => badRequest(`invalid resource version: ${why}`));
  return {
    filter,
    revision,
    match: match === "Exact" || match === "NotOlderThan" ? match : undefined,
    limit,
    continueToken,
  };
}

export function watchOptions(call: Call): WatchOptions {
  const { query } = call.info;
  const filter = selection(call);
  const initial = query.get("sendInitialEvents");
  const sendInitialEvents = initial === null ? undefined : isTrue(initial);
  refuse(watchCauses(query.get("resourceVersionMatch") ?? "", sendInitialEvents));
  return {
    filter,
    revision: revisionOf(query.get("resourceVersion") ?? "", serverError),
    bookmarks: isTrue(query.get("allowWatchBookmarks")),
    sendInitialEvents,
    // Zero is as good as none.
    timeoutSeconds: wholeNumber(query, "timeoutSeconds") || undefined,
  };
}

/** Label and field selectors of the query, as one filter. */
export function selection(call: Call): ObjectFilter | undefined {
  const { query } = call.info;
  const byLabel = parseLabelSelector(query.get("labelSelector") ?? "");
  const byField: FieldFilter | undefined = parseFieldSelector(
    query.get("fieldSelector") ?? "",
    call.resource,
    call.version.name,
  );
  const named =
    call.name === "" ? undefined : parseFieldSelector(`metadata.name=${call.name}`, call.resource, call.version.name);
  const filters = [byLabel, byField?.matches, named?.matches].filter((filter) => filter !== undefined);
  return filters.length === 0 ? undefined : (object) => filters.every((matches) => matches(object));
}

function listCauses(
  match: string,
  revision: string,
  continueToken: string,
  sendInitialEvents: string | null,
): readonly FieldCause[] {
  const at = "resourceVersionMatch";
  if (sendInitialEvents !== null) return [forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list")];
  if (match === "") return [];
  const causes: FieldCause[] = [];
  if (continueToken !== "") causes.push(forbidden(at, "resourceVersionMatch is forbidden when continue is provided"));
  else if (revision === "")
    causes.push(forbidden(at, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
  if (match !== "Exact" && match !== "NotOlderThan")
    causes.push(notSupported(at, match, ["Exact", "NotOlderThan", ""]));
  if (match === "Exact" && revision === "0")
    causes.push(forbidden(at, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  return causes;
}

function watchCauses(match: string, sendInitialEvents: boolean | undefined): readonly FieldCause[] {
  const at = "resourceVersionMatch";
  if (sendInitialEvents === undefined) {
    return match === ""
      ? []
      : [forbidden(at, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided")];
  }
  if (match === "NotOlderThan") return [];
  if (match === "") return [forbidden(at, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan")];
  return [
    forbidden(at, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"),
    notSupported(at, match, ["NotOlderThan"]),
  ];
}

function refuse(causes: readonly FieldCause[]): void {
  if (causes.length > 0) throw invalidObject({ group: "meta.k8s.io", kind: "ListOptions" }, "", causes);
}

function revisionOf(text: string, refusal: (why: string) => Error): number | undefined {
  if (text === "") return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw refusal(`resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`);
}

function isTrue(value: string | null): boolean {
  return value !== null && value !== "0" && value !== "false" && value !== "";
}
