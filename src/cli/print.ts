// Results as text for people, or as YAML or JSON for programs.

import { stringify } from "yaml";
import { shownLength } from "../apis/text/coloured-word.ts";
import type { Terminal } from "../ports/terminal.ts";
import type { OutputFormat } from "./output-option.ts";

export function printAs(format: OutputFormat, value: unknown, text: () => string, terminal: Terminal): void {
  if (format === "text") terminal.out(text());
  else terminal.out(format === "json" ? JSON.stringify(value, undefined, 2) : toYaml(value).trimEnd());
}

/** For people and for kubectl: long lines are not folded, and there are no anchors and aliases. */
export function toYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Columns, as wide as they need to be. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, index) => Math.max(shownLength(cell), most[index] ?? 0)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, index) => `${cell}${" ".repeat((widths[index] ?? 0) - shownLength(cell))}`)
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
