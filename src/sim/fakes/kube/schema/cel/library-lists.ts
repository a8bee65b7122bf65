// Lists and sets, as the API server's CEL has them on top of the language.

import { type Environment, EvaluationError, Optional } from "@marcbachmann/cel-js";
import { compareCel, deepEqual } from "./deep-equal.ts";
import { registerNamespace } from "./namespace.ts";

type List = readonly unknown[];

export function registerLists(env: Environment): void {
  env.registerFunction("list<A>.isSorted(): bool", (list: List) =>
    list.every((item, i) => i === 0 || compareCel(list[i - 1], item) <= 0),
  );
  env.registerFunction("list<A>.min(): A", (list: List) => extreme(list, (order) => order < 0));
  env.registerFunction("list<A>.max(): A", (list: List) => extreme(list, (order) => order > 0));
  env.registerFunction("list<int>.sum(): int", (list: readonly bigint[]) => list.reduce((sum, item) => sum + item, 0n));
  env.registerFunction("list<double>.sum(): double", (list: readonly number[]) =>
    list.reduce((sum, item) => sum + item, 0),
  );
  env.registerFunction("list<A>.indexOf(A): int", (list: List, item: unknown) =>
    BigInt(list.findIndex((one) => deepEqual(one, item))),
  );
  env.registerFunction("list<A>.lastIndexOf(A): int", (list: List, item: unknown) =>
    BigInt(list.findLastIndex((one) => deepEqual(one, item))),
  );
  env.registerFunction("list<A>.distinct(): list<A>", distinct);
  env.registerFunction("list<A>.reverse(): list<A>", (list: List) => list.toReversed());
  env.registerFunction("list<A>.sort(): list<A>", (list: List) => list.toSorted(compareCel));
  env.registerFunction("list<A>.slice(int, int): list<A>", slice);
  env.registerFunction("list<A>.first(): optional<A>", (list: List) => Optional.of(list[0]));
  env.registerFunction("list<A>.last(): optional<A>", (list: List) => Optional.of(list.at(-1)));
  env.registerFunction("list<A>.flatten(): list<dyn>", (list: List) => list.flat(1));
  env.registerFunction("list<A>.flatten(int): list<dyn>", (list: List, depth: bigint) => list.flat(Number(depth)));
  registerNamespaces(env);
}

function registerNamespaces(env: Environment): void {
  registerNamespace(env, "lists", "ListsNamespace");
  env.registerFunction("ListsNamespace.range(int): list<int>", (_: unknown, n: bigint) =>
    Array.from({ length: Math.max(0, Number(n)) }, (__, i) => BigInt(i)),
  );
  registerNamespace(env, "sets", "SetsNamespace");
  env.registerFunction("SetsNamespace.contains(list<A>, list<A>): bool", (_: unknown, a: List, b: List) =>
    containsAll(a, b),
  );
  env.registerFunction(
    "SetsNamespace.equivalent(list<A>, list<A>): bool",
    (_: unknown, a: List, b: List) => containsAll(a, b) && containsAll(b, a),
  );
  env.registerFunction("SetsNamespace.intersects(list<A>, list<A>): bool", (_: unknown, a: List, b: List) =>
    a.some((item) => holds(b, item)),
  );
}

function extreme(list: List, isBetter: (order: number) => boolean): unknown {
  if (list.length === 0) throw new EvaluationError("min/max called on empty list");
  return list.reduce((best, item) => (isBetter(compareCel(item, best)) ? item : best));
}

function distinct(list: List): List {
  const kept: unknown[] = [];
  for (const item of list) if (!holds(kept, item)) kept.push(item);
  return kept;
}

function slice(list: List, start: bigint, end: bigint): List {
  if (start < 0n || end < start || end > BigInt(list.length)) {
    throw new EvaluationError(`cannot slice(${start}, ${end}), list is length ${list.length}`);
  }
  return list.slice(Number(start), Number(end));
}

function containsAll(list: List, items: List): boolean {
  return items.every((item) => holds(list, item));
}

function holds(list: List, item: unknown): boolean {
  return list.some((one) => deepEqual(one, item));
}
