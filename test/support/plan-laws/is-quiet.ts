// A plan that has nothing to do and waits for nothing. What it refuses, it refuses at rest.

import type { Plan } from "../../../src/core/plan.ts";

export function isQuiet({ actions, waits }: Plan): boolean {
  return actions.length === 0 && waits.length === 0;
}
