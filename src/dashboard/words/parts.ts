// How many parts objects have, and how many of them are healthy, in words. Pure.

import type { Health, ObjectSummary, PartsCount } from "../../core/views/object-view.ts";

/** Every part is in one of the counts. */
const shares: readonly (readonly [Health, string])[] = [
  ["unhealthy", "unhealthy"],
  ["refused", "refused"],
  ["progressing", "in progress"],
  ["unknown", "not known"],
];

/** `2 of 3 zones healthy, 1 unhealthy`. What nobody could see is not counted as if it were ill, nor is what serves although it is degraded. */
export function partsInWords({ noun: [one, several], healths, serving }: PartsCount): string {
  const count = (wanted: Health) => healths.filter((health) => health === wanted).length;
  const unknown = count("unknown");
  const noun = healths.length === 1 ? one : several;
  if (unknown > 0 && unknown === healths.length) return `${unknown} ${noun}, health not known`;
  const total = healths.length;
  const told = (those: typeof shares) =>
    those.flatMap(([health, words]) => (count(health) === 0 ? [] : [`${count(health)} ${words}`]));
  const others = told(shares);
  if (serving === undefined)
    return [`${count("healthy")} of ${total} ${noun} healthy`, ...told([["degraded", "degraded"]]), ...others].join(
      ", ",
    );
  const worse = count("degraded") === 0 ? "" : ` (${count("degraded")} of them degraded)`;
  return [`${serving} of ${total} ${noun} ${serving === 1 ? "serves" : "serve"}${worse}`, ...others].join(", ");
}

/** Beside a kind's name: `1 object, 3 zones`. */
export function membersInWords(objects: readonly ObjectSummary[]): string {
  const counts = objects.flatMap(({ parts }) => parts ?? []);
  const nouns = new Map(counts.map(({ noun }) => [noun[0], noun]));
  const each = [...nouns.values()].map(([one, several]) => {
    const total = counts.filter(({ noun }) => noun[0] === one).reduce((sum, count) => sum + count.healths.length, 0);
    return counted(total, one, several);
  });
  return [counted(objects.length, "object", "objects"), ...each].join(", ");
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}
