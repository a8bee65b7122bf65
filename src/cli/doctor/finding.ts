// The result of a check: a word, a sentence, and how to fix what is wrong.

export interface Finding {
  readonly check: string;
  /** `warn` may need attention, `fail` keeps something from working. */
  readonly result: "ok" | "warn" | "fail";
  readonly says: string;
  /** What to do, in the imperative. */
  readonly fix?: string;
}

export function ok(check: string, says: string): Finding {
  return { check, result: "ok", says };
}

export function warn(check: string, says: string, fix: string): Finding {
  return { check, result: "warn", says, fix };
}

export function fail(check: string, says: string, fix: string): Finding {
  return { check, result: "fail", says, fix };
}
