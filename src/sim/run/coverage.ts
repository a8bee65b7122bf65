// Which kinds of work met which kinds of faults. A kind of action that never met a crash is a finding: nobody knows what happens then.

export type Counts = Record<string, number>;

export interface Coverage {
  /** How often each fault took effect. */
  readonly faults: Counts;
  /** How often each kind of action was executed; every kind that a feature of these worlds declares is here, if only with a 0. */
  readonly actions: Counts;
  /** By `purpose|fault`. */
  readonly met: Counts;
}

export function emptyCoverage(): Coverage {
  return { faults: {}, actions: {}, met: {} };
}

export function count(counts: Counts, name: string, by = 1): void {
  counts[name] = (counts[name] ?? 0) + by;
}

/** An action that nobody ever saw is the one to ask about. */
export function declareActions({ actions }: Coverage, kinds: readonly string[]): void {
  for (const kind of kinds) count(actions, kind, 0);
}

export function addCoverage(sum: Coverage, part: Coverage): void {
  for (const name of ["faults", "actions", "met"] as const) {
    for (const [key, value] of Object.entries(part[name])) count(sum[name], key, value);
  }
}

/** Declared action kinds that never met one of the crashes, executed or not. */
export function unmetCrashes({ actions, met }: Coverage, crashes: readonly string[]): readonly string[] {
  return Object.keys(actions)
    .toSorted()
    .flatMap((action) =>
      crashes.filter((crash) => (met[`${action}|${crash}`] ?? 0) === 0).map((crash) => `${action} never met ${crash}`),
    );
}
