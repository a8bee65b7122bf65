// What could not be observed is unknown, with the reason, and not an error: the rest is still worth observing.

import { MainstayError } from "../../../../core/errors.ts";
import { type Known, known, type Unknown } from "../../../../core/known.ts";

export async function attempt<T>(observe: () => Promise<T>): Promise<Known<T>> {
  try {
    return known(await observe());
  } catch (error) {
    return unknownBecause(error);
  }
}

export function unknownBecause(error: unknown): Unknown {
  if (!(error instanceof MainstayError)) throw error;
  return { known: false, reason: error.reason, message: error.message };
}
