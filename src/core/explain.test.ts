import { describe, expect, test } from "vitest";
import { MainstayError } from "./errors.ts";
import { explain, explainDone, explainError } from "./explain.ts";
import { allCauses, allReasons, factsOf, type Word } from "./reasons.ts";

describe("an explanation", () => {
  test("says the same word and the same text in event and log", () => {
    const told = explainError(
      new MainstayError({ reason: "PermissionDenied", message: "leases a/b: forbidden", hint: "bind the role" }),
    );
    expect(told).toMatchObject({
      reason: "PermissionDenied",
      text: "leases a/b: forbidden (bind the role)",
      eventType: "Warning",
      logLevel: "error",
    });
  });

  test("falls back to the table's own sentence", () => {
    expect(explain("DryRun").text).toBe(factsOf("DryRun").summary);
  });

  test("calls what it has no word for unexpected", () => {
    expect(explainError(new TypeError("x is undefined"))).toMatchObject({
      reason: "UnexpectedError",
      text: "TypeError: x is undefined",
    });
    expect(explainError("thrown text")).toMatchObject({ reason: "UnexpectedError", text: "thrown text" });
  });

  test("of a change that was made is good news whatever made it necessary", () => {
    const action = { kind: "add-member", because: "PermissionDenied" } as const;
    expect(explainDone("MemberAdded", action)).toEqual({
      reason: "MemberAdded",
      eventType: "Normal",
      text: "Added member. Cause: The API server forbids this request; Mainstay's service account lacks a role or a binding",
    });
  });

  test("of a change says the cause as a fact, without what Mainstay does about it", () => {
    const action = { kind: "change", words: "write one", because: "ResourceVersionExpired" } as const;
    expect(explainDone("OneRecorded", action).text).toBe(
      "Wrote one. Cause: The API server no longer keeps this resource version",
    );
  });

  test("has a severity and a page for every reason", () => {
    for (const word of [...allReasons().keys(), ...allCauses().keys()] as Word[]) {
      const { eventType, severity, runbook } = explain(word);
      expect(eventType === "Normal").toBe(severity === "info");
      expect(runbook).toBe(allReasons().has(word) ? `mainstay runbook ${word}` : undefined);
    }
  });
});
