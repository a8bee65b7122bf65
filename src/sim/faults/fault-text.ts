// Faults as text for a command line: `partition@3200-9000,reply-lost@0-4000*0.12`. What was printed can be pasted.

import { faultNamed } from "./all-faults.ts";
import type { DrawnFault } from "./fault.ts";

export function renderFaults(faults: readonly DrawnFault[]): string {
  return faults.length === 0
    ? "none"
    : faults
        .map(({ name, fromMs, toMs, rate }) => `${name}@${fromMs}-${toMs}${rate === 1 ? "" : `*${rate}`}`)
        .join(",");
}

/** Undefined for text that names no faults. */
export function parseFaults(text: string): readonly DrawnFault[] | undefined {
  if (text === "none") return [];
  const parsed = text.split(",").map(parseFault);
  return parsed.every((fault) => fault !== undefined) ? parsed : undefined;
}

function parseFault(text: string): DrawnFault | undefined {
  const parts = /^(?<name>[a-z-]+)@(?<from>\d+)-(?<to>\d+)(?:\*(?<rate>[\d.e-]+))?$/.exec(text)?.groups;
  const name = parts?.["name"] ?? "";
  if (parts === undefined || faultNamed(name) === undefined) return undefined;
  const [fromMs, toMs] = [Number(parts["from"]), Number(parts["to"])];
  // A window that ends before it begins is a slip of the hand: it would quietly do nothing.
  return fromMs > toMs ? undefined : { name, fromMs, toMs, rate: Number(parts["rate"] ?? 1) };
}
