// A reason with its severity, its sentence and its runbook. Reasons of other people's controllers stay what they are: words.

import { isRecord } from "../../apis/text/problem.ts";
import { type Reason, reasons, runbookPage } from "../reasons.ts";
import type { Explained } from "./object-view.ts";

export function explained(reason: string): Explained {
  if (!isReason(reason)) return { reason, severity: "warning", summary: "" };
  const { severity, summary } = reasons[reason];
  return { reason, severity, summary, runbook: runbookPage(reason) };
}

export function isReason(text: string): text is Reason {
  return Object.hasOwn(reasons, text);
}

/** The value under these names, when it is text. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
  return typeof found === "string" ? found : "";
}

/** A sentence of its own: with a capital letter and a full stop. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  const end = /[.!?]$/.test(trimmed) ? "" : ".";
  return `${trimmed.slice(0, 1).toUpperCase()}${trimmed.slice(1)}${end}`;
}
