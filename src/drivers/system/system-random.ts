// The machine's randomness.

import type { Random } from "../../ports/random.ts";

export const systemRandom: Random = {
  next: () => Math.random(),
  // The global loads its library when it is first used, and most commands never use it.
  uuid: () => crypto.randomUUID(),
};
