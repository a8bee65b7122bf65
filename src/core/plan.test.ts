import fc from "fast-check";
import { expect, test } from "vitest";
import { backoffKey, type Lane, laneKey, laneName } from "./plan.ts";

test("a lane's key reads as its part, with its aspect below", () => {
  expect([laneKey(undefined), laneKey({ part: "az1" }), laneKey({ part: "az1", aspect: "floating-ip" })]).toEqual([
    "",
    "az1",
    "az1/floating-ip",
  ]);
  expect(backoffKey({ lane: { part: "az1" }, step: "create-listener x" })).toBe("az1#create-listener x");
});

test("lanes and steps that differ have different keys, whatever they are called", () => {
  const text = fc.string({ minLength: 1, maxLength: 4, unit: fc.constantFrom("a", "/", "%", "#", "2", "F") });
  const optional = fc.option(text, { nil: undefined });
  const lane = fc
    .record({ part: text, aspect: optional })
    .map(({ part, aspect }): Lane => ({ part, ...(aspect === undefined ? {} : { aspect }) }));
  const attempt = fc
    .record({ lane: fc.option(lane, { nil: undefined }), step: optional })
    .map((one) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)));
  fc.assert(
    fc.property(attempt, attempt, (one, other) => {
      expect(backoffKey(one) === backoffKey(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
    }),
  );
});

test("a lane's name is for people, as it is called", () => {
  expect([laneName({ part: "az/2" }), laneName({ part: "az/2", aspect: "x" })]).toEqual(["az/2", "az/2/x"]);
});
