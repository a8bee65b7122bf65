// Something that was observed, or could not be. What could not be observed is never taken for absent.

import type { Word } from "./reasons.ts";

export type Known<T> = { readonly known: true; readonly value: T } | Unknown | Awaited<T>;

export interface Unknown {
  readonly known: false;
  readonly reason: Word;
  readonly message: string;
  /** When to look again, where whoever looked knows: what fails for long is not looked at as often as at first. */
  readonly recheckAfterMs?: number;
}

/** It was asked for and has not been answered yet. No decision rests on what it was before, and status need not forget it. */
export interface Awaited<T> extends Unknown {
  readonly before: T;
}

export function known<T>(value: T): Known<T> {
  return { known: true, value };
}

/** While it is asked for, what it was before. */
export function lastKnown<T>(part: Known<T>): Known<T> {
  return "before" in part ? known(part.before) : part;
}
