// What could not be observed, or has not been answered yet, is unknown, with the reason, and not an error: the rest is still worth
// observing.

import { MainstayError } from "../../../../core/errors.ts";
import { type Known, known, type Unknown } from "../../../../core/known.ts";

export async function attempt<T>(observe: () => Promise<T>): Promise<Known<T>> {
  try {
    return known(await observe());
  } catch (error) {
    return unknownBecause(error);
  }
}

/** As `attempt`, of something that is asked for and may not be answered yet: `what` names it. */
export async function attemptInTime<T>(what: string, observe: () => Promise<T | "awaited">): Promise<Known<T>> {
  const found = await attempt(observe);
  if (!found.known) return found;
  return found.value === "awaited" ? awaited(what) : known(found.value);
}

/** Says nothing of how long it has taken: the words are those of the status, which must not change by themselves. */
export function awaited(what: string): Unknown {
  return { known: false, reason: "AnswerAwaited", message: `${what}: asked for, and not answered yet` };
}

export function unknownBecause(error: unknown): Unknown {
  if (!(error instanceof MainstayError)) throw error;
  return { known: false, reason: error.reason, message: error.message };
}
