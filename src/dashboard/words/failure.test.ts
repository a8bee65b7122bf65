import { describe, expect, test } from "vitest";
import { AskFailed, failureOf, failureWords } from "./failure.ts";

describe("a failure in words", () => {
  test.each([
    [{ kind: "unreachable" }, "The Mainstay server does not answer."],
    [{ kind: "garbled", status: 502 }, "Something answered with status 502 that is not Mainstay."],
    [
      { kind: "answered", status: 404, error: { code: "not-found", message: "there is no such object" } },
      "There is no such object.",
    ],
  ] as const)("%j says what happened and what to do next", (failure, what) => {
    const words = failureWords(failure);
    expect(words.what).toBe(what);
    expect(words.next).toMatch(/^[A-Z].+\.$/);
  });

  test("the server's own hint goes before ours", () => {
    const error = {
      code: "wrong-host",
      message: "this server does not answer to that name",
      hint: "Use its address.",
    } as const;
    expect(failureWords({ kind: "answered", status: 403, error }).next).toBe("Use its address.");
  });

  test("what has no answer came from the network", () => {
    expect(failureOf(new TypeError("fetch failed"))).toEqual({ kind: "unreachable" });
    expect(failureOf(new AskFailed({ kind: "garbled", status: 500 }))).toEqual({ kind: "garbled", status: 500 });
  });
});
