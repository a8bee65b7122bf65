// Randomness that one number decides: the same seed always gives the same run.

import type { Random } from "../../ports/random.ts";

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const nextUint32 = (): number => {
    // A Weyl sequence through a mixing function: every 32-bit seed, zero too, gives a full period.
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const hex = (): string => nextUint32().toString(16).padStart(8, "0");
  return {
    next: () => nextUint32() / 2 ** 32,
    uuid: () => {
      const digits = hex() + hex() + hex() + hex();
      const variant = ((Number.parseInt(digits[16] ?? "0", 16) & 0x3) | 0x8).toString(16);
      return [
        digits.slice(0, 8),
        digits.slice(8, 12),
        `4${digits.slice(13, 16)}`,
        `${variant}${digits.slice(17, 20)}`,
        digits.slice(20, 32),
      ].join("-");
    },
  };
}
