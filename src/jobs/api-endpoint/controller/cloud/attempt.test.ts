// What could not be observed is unknown with its reason; a mistake of ours is not hidden in it.

import { expect, test } from "vitest";
import { MainstayError } from "../../../../core/errors.ts";
import { known } from "../../../../core/known.ts";
import { attempt, attemptInTime } from "./attempt.ts";

const refuse = async (): Promise<never> => {
  throw new MainstayError({ reason: "OpenStackServerError", message: "503" });
};
const unknown = { known: false, reason: "OpenStackServerError", message: "503" };

test("what was observed is known, and what was refused is unknown, for its reason", async () => {
  expect(await attempt(async () => 7)).toEqual(known(7));
  expect(await attempt(refuse)).toEqual(unknown);
});

test("of what may not be answered yet, too; and that it is awaited is said by name", async () => {
  expect(await attemptInTime("zones", async () => 7)).toEqual(known(7));
  expect(await attemptInTime("zones", refuse)).toEqual(unknown);
  expect(await attemptInTime("zones", async () => "awaited" as const)).toEqual({
    known: false,
    reason: "AnswerAwaited",
    message: "zones: asked for, and not answered yet",
  });
});

test("an error that is nobody's answer is thrown on", async () => {
  const fail = async () => {
    throw new TypeError("a mistake");
  };
  await expect(attempt(fail)).rejects.toThrow("a mistake");
  await expect(attemptInTime("zones", fail)).rejects.toThrow("a mistake");
});
