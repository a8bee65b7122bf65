// Which entries of the plan log a filter lets through, and what there is to choose from. Pure.

import type { ObjectId, PlanLogEntry } from "../core/views/object-view.ts";
import { objectKey } from "../server/contract.ts";
import type { LogFilter } from "./routes.ts";

export function filterLog(log: readonly PlanLogEntry[], filter: LogFilter): readonly PlanLogEntry[] {
  const words = (filter.text ?? "")
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return log.filter(
    (entry) =>
      (filter.result === undefined || entry.result === filter.result) &&
      (filter.controller === undefined || entry.controller === filter.controller) &&
      (filter.because === undefined || entry.because === filter.because) &&
      (filter.object === undefined || objectKey(entry.object) === filter.object) &&
      words.every((word) => searchable(entry).includes(word)),
  );
}

export interface LogChoices {
  readonly controllers: readonly string[];
  readonly reasons: readonly string[];
  readonly objects: readonly { readonly key: string; readonly name: string }[];
}

/** What occurs in the log, with what is chosen now: a choice must not vanish because its entries did. */
export function logChoices(log: readonly PlanLogEntry[], filter: LogFilter): LogChoices {
  const objects = new Map(log.map(({ object }) => [objectKey(object), objectName(object)]));
  if (filter.object !== undefined && !objects.has(filter.object)) objects.set(filter.object, filter.object);
  return {
    controllers: sorted(
      log.map(({ controller }) => controller),
      filter.controller,
    ),
    reasons: sorted(
      log.map(({ because }) => because),
      filter.because,
    ),
    objects: [...objects].map(([key, name]) => ({ key, name })).sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** `Infrastructure cluster`, `GatewayPool edge/public`. */
export function objectName({ kind, namespace, name }: ObjectId): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

function searchable({ words, action, because, message = "", object, lane = "" }: PlanLogEntry): string {
  return [words, action, because, message, objectName(object), lane].join(" ").toLowerCase();
}

function sorted(values: readonly string[], chosen: string | undefined): readonly string[] {
  return [...new Set(chosen === undefined ? values : [...values, chosen])].sort();
}
