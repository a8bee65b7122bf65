// The parts of any object as a table: a line for each, and for what stands beside them.

import type { PartCell, PartsTable } from "../../core/views/object-view.ts";
import { table } from "../print.ts";
import { healthWord } from "./health-word.ts";

export function partsText({ nameColumn, columns, rows, others = [] }: PartsTable, inColour: boolean): string {
  const head = [nameColumn, "Health", ...columns].map((column) => column.toUpperCase());
  const lines = [...rows, ...others].map(({ name, health, cells }) => [
    name,
    healthWord(health, inColour),
    ...cells.map(cellText),
  ]);
  return table([head, ...lines]);
}

function cellText({ text, note }: PartCell): string {
  if (text === "") return note ?? "-";
  return note === undefined ? text : `${text} (${note})`;
}
