// Every view and its address, both ways. What a person chose lives in the address, so that a link or a reload shows the
// same. Pure: it knows neither the browser nor React.

import { present } from "../core/present.ts";
import type { Health, ObjectId } from "../core/views/object-view.ts";

export type ObjectPlace = Pick<ObjectId, "resource" | "namespace" | "name">;

export interface OverviewFilter {
  readonly health?: Health;
  readonly text?: string;
}

export interface LogFilter {
  readonly result?: LogResult;
  readonly controller?: string;
  readonly because?: string;
  /** As `objectKey` writes it. */
  readonly object?: string;
  readonly text?: string;
}

export type View =
  | { readonly page: "overview"; readonly filter: OverviewFilter }
  | { readonly page: "object"; readonly object: ObjectPlace }
  | { readonly page: "plan-log"; readonly filter: LogFilter }
  | { readonly page: "manager" }
  | { readonly page: "faults" }
  | { readonly page: "runbooks"; readonly text?: string }
  | { readonly page: "runbook"; readonly reason: string }
  | { readonly page: "lost"; readonly path: string };

/** Of objects; `unhealthy` is a word for parts alone. */
export const healths: readonly Health[] = ["degraded", "refused", "unknown", "progressing", "healthy"];
/** As in addresses: the words that the pages use. */
const healthWords: Readonly<Record<Health, string>> = {
  degraded: "degraded",
  unhealthy: "unhealthy",
  refused: "refused",
  unknown: "unknown",
  progressing: "in-progress",
  healthy: "healthy",
};
export const logResults = ["done", "failed", "skipped", "waiting", "refused", "noticed"] as const;
export type LogResult = (typeof logResults)[number];

export function parseView(path: string, search: string): View {
  const parts = decodeParts(path);
  if (parts === undefined) return { page: "lost", path };
  const [first, ...rest] = parts;
  const query = new URLSearchParams(search);
  if (first === undefined) return { page: "overview", filter: overviewFilter(query) };
  if (first === "objects") return objectView(rest) ?? { page: "lost", path };
  if (first === "runbooks" && rest[0] !== undefined && rest.length === 1) return { page: "runbook", reason: rest[0] };
  if (rest.length > 0) return { page: "lost", path };
  if (first === "plan-log") return { page: "plan-log", filter: logFilter(query) };
  if (first === "runbooks") return { page: first, ...present({ text: nonEmpty(query.get("q")) }) };
  if (first === "manager" || first === "faults") return { page: first };
  return { page: "lost", path };
}

export function formatView(view: View): string {
  switch (view.page) {
    case "overview":
      return `/${formatQuery({ health: view.filter.health && healthWords[view.filter.health], q: view.filter.text })}`;
    case "plan-log": {
      const { text, ...rest } = view.filter;
      return `/plan-log${formatQuery({ ...rest, q: text })}`;
    }
    case "object": {
      const { resource, namespace, name } = view.object;
      return formatPath("objects", resource, ...(namespace === undefined ? [] : [namespace]), name);
    }
    case "runbook":
      return formatPath("runbooks", view.reason);
    case "lost":
      return view.path;
    case "runbooks":
      return `/runbooks${formatQuery({ q: view.text })}`;
    case "manager":
    case "faults":
      return `/${view.page}`;
  }
}

function overviewFilter(query: URLSearchParams): OverviewFilter {
  const word = query.get("health");
  const health = healths.find((known) => healthWords[known] === word);
  const text = nonEmpty(query.get("q"));
  return { ...present({ health, text }) };
}

function logFilter(query: URLSearchParams): LogFilter {
  const result = oneOf(logResults, query.get("result"));
  const words = { controller: "controller", because: "because", object: "object", text: "q" } as const;
  const chosen = Object.entries(words).map(([field, name]) => [field, nonEmpty(query.get(name))] as const);
  return {
    ...present({ result }),
    ...Object.fromEntries(chosen.filter(([, value]) => value !== undefined)),
  };
}

function objectView([resource, ...path]: readonly string[]): View | undefined {
  const name = path.at(-1);
  if (resource === undefined || name === undefined || path.length > 2) return undefined;
  const namespace = path.length === 2 ? path[0] : undefined;
  return { page: "object", object: { resource, name, ...present({ namespace }) } };
}

function decodeParts(path: string): readonly string[] | undefined {
  try {
    return path
      .split("/")
      .filter((part) => part !== "")
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function formatPath(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join("");
}

function formatQuery(fields: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined && value !== "") query.set(name, value);
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

function oneOf<T extends string>(known: readonly T[], value: string | null): T | undefined {
  return known.find((candidate) => candidate === value);
}

function nonEmpty(value: string | null): string | undefined {
  return value === null || value === "" ? undefined : value;
}
