import { expect, test } from "vitest";
import { rootCause, rootFirst } from "./root-cause.ts";

const order = {
  roots: [["ApiUnreachable", "ApiTimeout"], ["WriteConflict"]],
  symptoms: [["DryRun"], ["AsExpected"]],
} as const;
const of = (...reasons: readonly string[]) => reasons.map((reason) => ({ reason }));

test("takes the root of the chain, whatever comes first", () => {
  expect(rootCause(of("DryRun", "WriteConflict", "ApiTimeout", "ApiUnreachable"), order)).toEqual({
    reason: "ApiTimeout",
  });
  expect(rootCause([], order)).toBeUndefined();
});

test("what is not declared comes after the roots and before the symptoms, and equals stay in their order", () => {
  const said = rootFirst(of("AsExpected", "DryRun", "other", "WriteConflict", "another"), order);
  expect(said.map(({ reason }) => reason)).toEqual(["WriteConflict", "other", "another", "DryRun", "AsExpected"]);
});
