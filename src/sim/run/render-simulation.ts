// What a simulation prints for people: a failure with its seed, its step, the end of its trace and how to see it again; and the sum of many
// seeds, with what met what.

import { allFaults } from "../faults/all-faults.ts";
import { crashFaults } from "../faults/crash-faults.ts";
import { renderFaults } from "../faults/fault-text.ts";
import { type Coverage, unmetCrashes } from "./coverage.ts";
import type { SeedResult } from "./run-seed.ts";

function replayCommand({ seed, violation, steps, faults }: SeedResult, drawn: SeedResult["faults"]): string {
  const chosen = renderFaults(faults) === renderFaults(drawn) ? "" : ` --faults '${renderFaults(faults)}'`;
  return `npm run sim -- --seed ${seed} --until ${violation?.step ?? steps}${chosen}`;
}

export function renderFailure(result: SeedResult, drawn: SeedResult["faults"], lastLines = 40): string {
  const { seed, violation, lines, faults } = result;
  return [
    `seed ${seed} breaks ${violation?.checker ?? "nothing"} at step ${violation?.step ?? 0}: ${violation?.how ?? ""}`,
    `faults: ${faults.length === 0 ? "none" : faults.map(({ name }) => name).join(", ")}`,
    "",
    ...lines.slice(-lastLines),
    ...cutNote(result, drawn, lastLines),
    "",
    `again: ${replayCommand(result, drawn)}`,
  ].join("\n");
}

/** The end of what happened, where nothing broke. */
export function renderTrace(result: SeedResult, drawn: SeedResult["faults"], lastLines: number): string {
  return [...result.lines.slice(-lastLines), ...cutNote(result, drawn, lastLines)].join("\n");
}

/** `lines` may be cut already: large runs keep the end only. */
function cutNote(result: SeedResult, drawn: SeedResult["faults"], lastLines: number): readonly string[] {
  const before = result.lines.length - lastLines;
  if (before <= 0) return [];
  return ["", `(these are the last ${lastLines} lines; the whole trace: ${replayCommand(result, drawn)} --full)`];
}

export interface Sum {
  readonly seeds: number;
  readonly failed: readonly number[];
  readonly steps: number;
  readonly virtualMs: number;
  readonly seconds: number;
  readonly coverage: Coverage;
}

/** With fewer seeds an action that is done once in a world has not met every crash, and that says nothing. */
export const enoughSeeds = 2_000;

export function renderSum({ seeds, failed, steps, virtualMs, seconds, coverage }: Sum): string {
  const findings = unmetCrashes(
    coverage,
    crashFaults.map(({ name }) => name),
  );
  return [
    `${seeds} seeds in ${seconds.toFixed(1)} s: ${(seeds / Math.max(seconds, 0.001)).toFixed(1)} seeds/s, ${steps} steps, ${(virtualMs / 3_600_000).toFixed(1)} hours of virtual time`,
    failed.length === 0 ? "every promise held" : `${failed.length} failed: ${failed.slice(0, 20).join(", ")}`,
    "",
    "faults injected",
    ...allFaults.map(
      ({ name, does }) => `  ${String(coverage.faults[name] ?? 0).padStart(8)}  ${name.padEnd(24)} ${does}`,
    ),
    "",
    ...coverageTable(coverage),
    "",
    ...coverageFindings(seeds, findings),
  ].join("\n");
}

function coverageFindings(seeds: number, findings: readonly string[]): readonly string[] {
  if (findings.length === 0) return ["every action kind met every crash"];
  if (seeds >= enoughSeeds) return findings.map((finding) => `finding: ${finding}`);
  return [
    `too few seeds to say anything about coverage: it takes ${enoughSeeds} until every action kind can be expected to have met every crash`,
  ];
}

/** Rows are what calls are for, columns are faults, by number to stay narrow. */
function coverageTable({ met, actions }: Coverage): readonly string[] {
  const rows = [
    ...new Set([...Object.keys(actions), ...Object.keys(met).map((key) => key.split("|")[0] ?? "")]),
  ].toSorted();
  const columns = allFaults.map(({ name }) => name);
  const width = 6;
  return [
    "what met what",
    ...columns.map((name, index) => `  ${String(index + 1).padStart(2)} ${name}`),
    `  ${"".padEnd(18)}${columns.map((_, index) => String(index + 1).padStart(width)).join("")}`,
    ...rows.map(
      (row) => `  ${row.padEnd(18)}${columns.map((name) => cell(met[`${row}|${name}`]).padStart(width)).join("")}`,
    ),
  ];
}

function cell(value: number | undefined): string {
  if (value === undefined) return "-";
  return value < 10_000 ? String(value) : `${Math.floor(value / 1_000)}k`;
}
