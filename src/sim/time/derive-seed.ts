// Seeds from seeds: each part of a world draws from a stream of its own, so that leaving one part out disturbs no other.

import type { Random } from "../../ports/random.ts";
import { seededRandom } from "./seeded-random.ts";

function deriveSeed(seed: number, label: string): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < label.length; i += 1) hash = Math.imul(hash ^ label.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

export function streamOf(seed: number, label: string): Random {
  return seededRandom(deriveSeed(seed, label));
}

/** A whole number from `low` to `high`, both included. */
export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random.next() * (high - low + 1));
}

export function chance(random: Random, probability: number): boolean {
  return random.next() < probability;
}

/** Undefined for an empty list. */
export function pick<T>(random: Random, items: readonly T[]): T | undefined {
  return items[Math.floor(random.next() * items.length)];
}

export function shuffled<T>(random: Random, items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
