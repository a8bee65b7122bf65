// Something that was observed, or could not be. What could not be observed is never taken for absent.

import type { Word } from "./reasons.ts";

export type Known<T> = { readonly known: true; readonly value: T } | Unknown;

export interface Unknown {
  readonly known: false;
  readonly reason: Word;
  readonly message: string;
}

export function known<T>(value: T): Known<T> {
  return { known: true, value };
}
