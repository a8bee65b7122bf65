// That parts of an object changed their health, as an Event tells it: in words for people, and as annotations, from which a dashboard that was
// started later knows how the parts were before. Pure.

import type { KubeObject } from "../apis/kube/kube-object.ts";
import type { Health, PartRow, StateSpan } from "./views/object-view.ts";
import type { Parts } from "./views/parts.ts";

export interface PartsTold extends Pick<StateSpan, "health" | "withdrawn"> {
  readonly parts: readonly string[];
}

export interface PartChange extends PartsTold {
  readonly message: string;
}

const partsAnnotation = "mainstay.dev/parts";
const healthAnnotation = "mainstay.dev/health";
const withdrawnAnnotation = "mainstay.dev/withdrawn";

const healthWords: Readonly<Record<Health, string>> = {
  healthy: "healthy",
  progressing: "in progress",
  degraded: "degraded",
  unhealthy: "unhealthy",
  refused: "refused",
  unknown: "of unknown health",
};

/** One for all that changed alike. A part that was not there before has not changed. */
export function partChanges(before: Parts | undefined, after: Parts | undefined): readonly PartChange[] {
  if (before === undefined || after === undefined) return [];
  const groups = new Map<string, { readonly old: PartRow; readonly row: PartRow; readonly parts: string[] }>();
  for (const row of after.table.rows) {
    const old = before.table.rows.find(({ name }) => name === row.name);
    if (old === undefined || stateKey(old) === stateKey(row)) continue;
    const key = `${stateKey(old)} > ${stateKey(row)}`;
    const group = groups.get(key) ?? { old, row, parts: [] };
    group.parts.push(row.name);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ old, row, parts }) => ({
    ...toldOf(row, parts),
    message: `${named(after, parts)} ${whatChanged(old, row, parts.length === 1)}`,
  }));
}

export function partAnnotations({ parts, health, withdrawn }: PartsTold): Readonly<Record<string, string>> {
  return {
    [partsAnnotation]: JSON.stringify(parts),
    [healthAnnotation]: health,
    ...(withdrawn === undefined ? {} : { [withdrawnAnnotation]: withdrawn }),
  };
}

/** Anybody may write Events: what is not as we write it tells nothing. */
export function toldByEvent({ metadata: { annotations = {} } }: KubeObject): PartsTold | undefined {
  const parts = namesIn(annotations[partsAnnotation] ?? "");
  const health = annotations[healthAnnotation] ?? "";
  const withdrawn = annotations[withdrawnAnnotation];
  if (parts === undefined || !isHealth(health)) return undefined;
  return { parts, health, ...(withdrawn === undefined ? {} : { withdrawn }) };
}

function namesIn(text: string): readonly string[] | undefined {
  try {
    const names: unknown = JSON.parse(text);
    return Array.isArray(names) && names.every((name) => typeof name === "string") ? names : undefined;
  } catch {
    return undefined;
  }
}

function isHealth(text: string): text is Health {
  return Object.hasOwn(healthWords, text);
}

function toldOf({ health, withdrawn }: PartRow, parts: readonly string[]): PartsTold {
  return { parts, health, ...(withdrawn === undefined ? {} : { withdrawn }) };
}

function stateKey({ health, withdrawn = "" }: PartRow): string {
  return `${health} ${withdrawn}`;
}

function named({ noun: [one, several] }: Parts, parts: readonly string[]): string {
  if (parts.length === 1) return `${one} ${parts.join("")}`;
  return `${several} ${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** What did not change is said as such: `is out of DNS now, and is still unhealthy`. */
function whatChanged(old: PartRow, row: PartRow, isOne: boolean): string {
  const [is, was] = isOne ? ["is", "was"] : ["are", "were"];
  const where = old.withdrawn === row.withdrawn ? "" : (row.withdrawn ?? `no longer ${old.withdrawn}`);
  if (old.health === row.health) return `${is} ${where} now, and ${is} still ${healthWords[row.health]}`;
  const health = `${is} ${healthWords[row.health]} now, and ${was} ${healthWords[old.health]} before`;
  return where === "" ? health : `${health}; ${isOne ? "it is" : "they are"} ${where}`;
}
