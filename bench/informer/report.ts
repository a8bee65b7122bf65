// Medians, ratios and the result of all rounds, as a table for people and as JSON.

import type { RaceTimes } from "./callback-race.ts";
import type { Measurement } from "./measurement.ts";

type Figure = keyof Measurement | "callbackMs";

interface Target {
  readonly figure: Figure;
  readonly title: string;
  readonly unit: string;
  readonly atMost: number;
}

// "No slower" leaves room for noise: both sides wait for the same API server.
const targets: readonly Target[] = [
  { figure: "syncMs", title: "sync", unit: "ms", atMost: 0.9 },
  { figure: "rssMb", title: "resident memory", unit: "MB", atMost: 0.65 },
  { figure: "getMs", title: "sequential GET", unit: "ms", atMost: 0.4 },
  { figure: "callbackMs", title: "create to callback", unit: "ms", atMost: 1.05 },
];

export interface Result extends Target {
  readonly ours: number;
  readonly theirs: number;
  readonly ratio: number;
  readonly met: boolean;
}

/** `race` holds single creates, the others one measurement for each round. */
export function compare(
  ours: readonly Measurement[],
  theirs: readonly Measurement[],
  race: RaceTimes,
): readonly Result[] {
  return targets.map((target) => {
    const mine = median(valuesOf(target.figure, ours, race.ours));
    const other = median(valuesOf(target.figure, theirs, race.theirs));
    const ratio = mine / other;
    return { ...target, ours: mine, theirs: other, ratio, met: ratio <= target.atMost };
  });
}

function valuesOf(figure: Figure, rounds: readonly Measurement[], callbacks: readonly number[]): readonly number[] {
  return figure === "callbackMs" ? callbacks : rounds.map((round) => round[figure]);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

export function table(results: readonly Result[]): string {
  const rows = results.map(({ title, unit, ours, theirs, ratio, atMost, met }) => [
    title,
    `${ours.toFixed(2)} ${unit}`,
    `${theirs.toFixed(2)} ${unit}`,
    `${ratio.toFixed(2)}×`,
    `≤ ${atMost.toFixed(2)}×`,
    met ? "met" : "MISSED",
  ]);
  const all = [["", "Mainstay", "client-node", "ratio", "target", ""], ...rows];
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
