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
  const places = items.map(() => random.next());
  if (items.length < 2) return items;
  // Each goes before the first that drew a later place: lists are short.
  const mixed: T[] = [];
  const taken: number[] = [];
  for (const [index, item] of items.entries()) {
    const place = places[index] ?? 0;
    let at = taken.length;
    while (at > 0 && (taken[at - 1] ?? 0) > place) at -= 1;
    taken.splice(at, 0, place);
    mixed.splice(at, 0, item);
  }
  return mixed;
}
