// Problems that many fields of a GatewayPool have in common.

import { isNot, type Problem, quote } from "../../../apis/text/problem.ts";

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** A second one of what must be unique. */
export function repeated(
  values: readonly (string | number | undefined)[],
  whereOf: (i: number) => string,
): readonly Problem[] {
  return values.flatMap((value, i) =>
    value !== undefined && values.indexOf(value) < i
      ? [{ where: whereOf(i), message: `${quote(value)} is there twice`, hint: "Use another for each." }]
      : [],
  );
}

export function missing(where: string, hint: string): Problem {
  return { where, message: "it is not set", hint };
}

export function wrong(where: string, value: unknown, expected: string, hint: string): Problem {
  return { where, message: isNot(value, expected), hint };
}
