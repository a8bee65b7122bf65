// The lines of the agent's journal: what it carries, what it is about to carry, and how that ended. Each line begins with a digest of
// the rest. Reading stops at the first line that is not what was written: everything before it is whole.

import { digest } from "../../../../core/digest.ts";
import { applyDelta, type DocumentDelta, documentDelta, sameContent } from "../../core/delta/document-delta.ts";
import type { CarryProblem } from "../../core/model/agent-answers.ts";
import type { Carried } from "../carried.ts";

type JournalRecord =
  | { readonly kind: "carries" | "intends"; readonly whole: Carried }
  | { readonly kind: "changes"; readonly change: CarriedChange }
  | { readonly kind: "done" | "undone" };

/** A `Carried` as the difference from the one before it. */
interface CarriedChange {
  readonly asked: DocumentDelta;
  /** Absent: all of what was asked was good. */
  readonly good?: DocumentDelta;
  readonly problems: readonly CarryProblem[];
  readonly api: Carried["api"];
}

export interface JournalContent {
  readonly carried?: Carried;
  /** Begun, and nothing says how it ended. */
  readonly intended?: Carried;
  /** A line could not be read, and what came after it is lost. */
  readonly damage?: string;
}

export function carriesLine(carried: Carried): string {
  return line({ kind: "carries", whole: carried });
}

export function intendsLine(before: Carried | undefined, next: Carried): string {
  if (before === undefined || before.asked.pool !== next.asked.pool) return line({ kind: "intends", whole: next });
  const { problems, api } = next;
  const good = sameContent(next.asked, next.good) ? {} : { good: documentDelta(before.good, next.good) };
  return line({ kind: "changes", change: { asked: documentDelta(before.asked, next.asked), ...good, problems, api } });
}

export function endLine(kind: "done" | "undone"): string {
  return line({ kind });
}

export function readJournal(lines: readonly string[]): JournalContent {
  let content: JournalContent = {};
  for (const [index, text] of lines.entries()) {
    const record = decode(text);
    if (record === undefined) return { ...content, damage: `line ${index + 1} of ${lines.length} cannot be read` };
    content = after(content, record);
  }
  return content;
}

function after({ carried, intended }: JournalContent, record: JournalRecord): JournalContent {
  switch (record.kind) {
    case "carries":
      return { carried: record.whole };
    case "intends":
      return { ...(carried && { carried }), intended: record.whole };
    case "changes":
      return carried === undefined ? {} : { carried, intended: changedBy(carried, record.change) };
    case "done":
      return intended === undefined ? { ...(carried && { carried }) } : { carried: intended };
    case "undone":
      return { ...(carried && { carried }) };
  }
}

function changedBy(before: Carried, { asked: delta, good, problems, api }: CarriedChange): Carried {
  const asked = applyDelta(before.asked, delta);
  return { asked, good: good === undefined ? asked : applyDelta(before.good, good), problems, api };
}

function line(record: JournalRecord): string {
  const text = JSON.stringify(record);
  return `${digest(text)} ${text}`;
}

/** What bears the right digest was written by this program: its shape needs no second check. */
function decode(text: string): JournalRecord | undefined {
  const at = text.indexOf(" ");
  const json = text.slice(at + 1);
  if (at < 0 || digest(json) !== text.slice(0, at)) return undefined;
  try {
    return JSON.parse(json) as JournalRecord;
  } catch {
    return undefined;
  }
}
