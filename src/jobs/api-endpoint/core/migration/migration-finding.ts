// What was found about one part of a move.

/** `no` stands in the way, `unknown` could not be seen, `note` is good to know before. */
export interface MigrationFinding {
  readonly check: string;
  readonly result: "ok" | "note" | "no" | "unknown";
  readonly says: string;
  /** What to do, in the imperative. */
  readonly fix?: string;
}

export function ok(check: string, says: string): MigrationFinding {
  return { check, result: "ok", says };
}

export function note(check: string, says: string, fix?: string): MigrationFinding {
  return { check, result: "note", says, ...(fix === undefined ? {} : { fix }) };
}

export function no(check: string, says: string, fix: string): MigrationFinding {
  return { check, result: "no", says, fix };
}

export function unknown(check: string, says: string, fix: string): MigrationFinding {
  return { check, result: "unknown", says, fix };
}
