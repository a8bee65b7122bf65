// The status of objects as a table: one line for each, and with `wide` one for each condition.

import type { ObjectId } from "../../core/views/object-view.ts";
import { table } from "../print.ts";
import { healthWord } from "./health-word.ts";
import type { Status, StatusRow } from "./read-status.ts";

export function nameOf({ kind, namespace, name }: ObjectId): string {
  return namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
}

export function statusText({ objects, hidden }: Status, wide: boolean, inColour: boolean): string {
  if (objects.length === 0)
    return hidden ? "Mainstay manages nothing that you may list." : "Mainstay manages nothing here.";
  return wide ? wideTable(objects, inColour) : shortTable(objects, inColour);
}

function shortTable(objects: readonly StatusRow[], inColour: boolean): string {
  const rows = objects.map(({ id, health, controllers, sentence }) => [
    nameOf(id),
    healthWord(health, inColour),
    controllers.join(",") || "-",
    sentence,
  ]);
  return table([["OBJECT", "HEALTH", "CONTROLLER", "IN WORDS"], ...rows]);
}

function wideTable(objects: readonly StatusRow[], inColour: boolean): string {
  const rows = objects.flatMap(({ id, health, conditions, sentence }) => {
    const said = conditions.map(({ type, status, reason, since, words }) => [type, status, reason, since, words]);
    const lines = said.length === 0 ? [["-", "-", "-", "-", sentence]] : said;
    return lines.map((line, index) => [
      ...(index === 0 ? [nameOf(id), healthWord(health, inColour)] : ["", ""]),
      ...line,
    ]);
  });
  return table([["OBJECT", "HEALTH", "CONDITION", "STATUS", "REASON", "SINCE", "IN WORDS"], ...rows]);
}
