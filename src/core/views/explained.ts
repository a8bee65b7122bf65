// A reason or a cause with its severity, its sentence and, for a reason, its runbook. Of another controller's reason only the word is known.

import { isRecord } from "../../apis/text/problem.ts";
import { isChangeReason } from "../change-reasons.ts";
import { present } from "../present.ts";
import { factsOf, isWord, runbookCommand } from "../reasons.ts";
import type { Explained } from "./object-view.ts";

export function explained(reason: string): Explained {
  if (isChangeReason(reason)) return { reason, severity: "info", summary: "" };
  if (!isWord(reason)) return { reason, severity: "warning", summary: "" };
  const { severity, summary } = factsOf(reason);
  const runbook = runbookCommand(reason);
  return { reason, severity, summary, ...present({ runbook }) };
}

/** The value under these names, when it is text. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
  return typeof found === "string" ? found : "";
}

/** A sentence of its own: with a capital letter and a full stop. A name that it begins with stays as it is, so that it can be copied. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  const end = /[.!?]$/.test(trimmed) ? "" : ".";
  const beginsWithName = /^[^\s]*[^\sA-Za-z,]/.test(trimmed);
  return `${beginsWithName ? trimmed : `${trimmed.slice(0, 1).toUpperCase()}${trimmed.slice(1)}`}${end}`;
}
