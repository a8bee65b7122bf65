// How many parts objects have, and how many of them are healthy, in words. Pure.

import type { Health, ObjectSummary, PartsCount } from "../../core/views/object-view.ts";

/** `2 of 3 zones healthy`. What nobody could see is not counted as if it were ill. */
export function partsInWords({ noun: [one, several], healths }: PartsCount): string {
  const count = (wanted: Health) => healths.filter((health) => health === wanted).length;
  const unknown = count("unknown");
  const noun = healths.length === 1 ? one : several;
  if (unknown > 0 && unknown === healths.length) return `${unknown} ${noun}, health not known`;
  return `${count("healthy")} of ${healths.length} ${noun} healthy${unknown === 0 ? "" : `, ${unknown} not known`}`;
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
