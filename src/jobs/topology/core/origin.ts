// Who set a topology field, and why it has its value. `topology show` and `topology explain` both ask here, by the same assessment as
// `topology check`, so that they cannot contradict each other.

import type { FieldAssessment } from "./assess.ts";

/** `granted`: Mainstay published it as spec.controlPlaneTopology asked, after something else had been declared. */
export type Origin = "nobody" | "declared" | "granted" | "somebody-else";

export function originOf({ state, value, declared, recorded }: FieldAssessment): Origin {
  if (value === "" || state === "fill") return "nobody";
  if (state === "complete") return "granted";
  if (recorded === value) return declared === undefined || declared === value ? "declared" : "granted";
  return declared === value ? "declared" : "somebody-else";
}

/** For a table. */
export const originWords: Readonly<Record<Origin, string>> = {
  nobody: "-",
  declared: "Mainstay, as declared",
  granted: "Mainstay, on request",
  "somebody-else": "somebody else",
};

/** `why` tells how the declared value came about; it says nothing about another value in its place. */
export function becauseOf(field: FieldAssessment, why: string): string {
  const { declared } = field;
  const before = declared === undefined ? "" : `; declared is ${declared} (${why})`;
  const because: Readonly<Record<Origin, string>> = {
    nobody: `not set; operators act as for HighlyAvailable${before}`,
    declared: why,
    granted: `published by Mainstay because spec.controlPlaneTopology asked for it; declared at first was ${declared} (${why})`,
    "somebody-else": `set by somebody else${before}`,
  };
  return because[originOf(field)];
}
