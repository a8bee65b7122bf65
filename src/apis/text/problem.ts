// A problem with something a person wrote: where, what is wrong, and what to do. Validation returns all problems, not just the first.

export interface Problem {
  /** The field or flag, such as `controlPlane.replicas` or `--workers`. */
  readonly where: string;
  /** Names the offending value. */
  readonly message: string;
  /** What to do, in the imperative. */
  readonly hint: string;
  /** Where it stands in an object nevertheless, the object goes on without it. */
  readonly isLeftOut?: boolean;
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export function formatProblem({ where, message, hint }: Problem): string {
  return `${where}: ${message}. ${hint}`;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is wrong with a value that should be something else, or is missing. */
export function isNot(value: unknown, expected: string): string {
  return value === undefined ? "it is not set" : `${quote(value)} is not ${expected}`;
}

/** A value as a person would recognise it in a message; long ones are cut. */
export function quote(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
