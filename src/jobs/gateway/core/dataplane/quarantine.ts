// Separates what can be carried from what cannot. What cannot keeps its last good version, if that still fits beside everything else; so
// one bad item never takes another along, and never takes away what worked.

export interface Quarantine<T> {
  readonly items: readonly T[];
  /** What worked before. */
  readonly previous: readonly T[];
  readonly keyOf: (item: T) => string;
  /** Empty: it can be carried beside everything that was accepted so far. */
  readonly problemsOf: (item: T) => readonly string[];
  readonly accept: (item: T) => void;
  readonly report: (item: T, message: string) => void;
  /** Keys of items that could not even be read. */
  readonly unreadable: readonly string[];
}

/** In the order given; what is kept for an unreadable item comes last. */
export function quarantine<T>(rules: Quarantine<T>): readonly T[] {
  const { items, previous, keyOf, problemsOf, accept, report, unreadable } = rules;
  const judged = items.map((item) => {
    const problems = problemsOf(item);
    if (problems.length === 0) accept(item);
    return { item, problems };
  });
  const suspects = new Set([
    ...judged.filter(({ problems }) => problems.length > 0).map(({ item }) => keyOf(item)),
    ...unreadable,
  ]);
  const earlier = new Map(suspects.size === 0 ? [] : previous.map((item) => [keyOf(item), item]));
  const lastGood = (key: string): readonly T[] => {
    const item = earlier.get(key);
    // Once: what was accepted is a duplicate of itself.
    if (item === undefined || problemsOf(item).length > 0) return [];
    accept(item);
    return [item];
  };
  return [
    ...judged.flatMap(({ item, problems }) => {
      if (problems.length === 0) return [item];
      const kept = lastGood(keyOf(item));
      report(item, `${problems.join("; ")}${kept.length === 0 ? "" : "; its last good version stays"}`);
      return kept;
    }),
    ...unreadable.flatMap(lastGood),
  ];
}
