import { beforeEach, describe, expect, test } from "vitest";
import { MainstayError } from "../../../../core/errors.ts";
import { SharedAnswers } from "./shared-answers.ts";

const lifetimeMs = 30_000;
let shared: SharedAnswers<string, string>;
let asked: (readonly string[])[];

beforeEach(() => {
  shared = new SharedAnswers({ lifetimeMs, most: 3 });
  asked = [];
});

const answering = async (subjects: readonly string[]) => {
  asked.push(subjects);
  return (subject: string) => `about ${subject}`;
};

type Answers = (subject: string) => string;

/** Answers when the test says so. */
function later() {
  let resolve: (answers: Answers) => void = () => {};
  const promise = new Promise<Answers>((answer) => {
    resolve = answer;
  });
  return { promise, resolve: (answers: Answers) => resolve(answers) };
}

const get = (subject: string, monotonicMs: number, { group = "project", ask = answering } = {}) =>
  shared.get({ key: `key of ${subject}`, group, subject, monotonicMs, ask });

test("the first who needs an answer asks for all of its group, who take it until it is old", async () => {
  await get("a", 0);
  await get("b", 5_000);
  expect(asked).toEqual([["a"], ["b", "a"]]);
  expect(await get("a", 34_999)).toEqual({ value: "about a", askedMs: 5_000 });
  expect(await get("b", 34_999)).toEqual({ value: "about b", askedMs: 5_000 });
  expect(await get("b", 35_000)).toEqual({ value: "about b", askedMs: 35_000 });
  expect(await get("a", 35_000)).toEqual({ value: "about a", askedMs: 35_000 });
  expect(asked).toHaveLength(3);
});

test("groups are never asked about together", async () => {
  await get("a", 0, { group: "one" });
  await get("b", 0, { group: "two" });
  await get("a", 0, { group: "two" });
  expect(asked).toEqual([["a"], ["b"], ["a", "b"]]);
  await get("c", 0, { group: "one" });
  expect(asked[3]).toEqual(["c"]);
});

test("more than fit into one question are asked about in turns, the oldest first", async () => {
  const subjects = ["a", "b", "c", "d", "e"];
  for (const subject of subjects) await get(subject, 0);
  for (let monotonicMs = lifetimeMs; monotonicMs <= 4 * lifetimeMs; monotonicMs += lifetimeMs) {
    asked = [];
    for (const subject of subjects) expect((await get(subject, monotonicMs))?.value).toBe(`about ${subject}`);
    expect(asked).toHaveLength(2);
  }
});

test("those who need an answer while it is on its way wait for it", async () => {
  await get("a", 0);
  await get("b", 0);
  const { promise, resolve } = later();
  const ask = (subjects: readonly string[]) => {
    asked.push(subjects);
    return promise;
  };
  const answers = [get("a", lifetimeMs, { ask }), get("b", lifetimeMs, { ask })];
  resolve((subject) => `late about ${subject}`);
  expect((await Promise.all(answers)).map((answer) => answer?.value)).toEqual(["late about a", "late about b"]);
  expect(asked).toHaveLength(3);
});

describe("a question that fails", () => {
  const failing = async () => {
    throw new MainstayError({ reason: "OpenStackUnreachable", message: "no answer", hint: "" });
  };

  test("answers nobody, and nobody waits for another", async () => {
    for (const subject of ["a", "b"]) await get(subject, 0);
    expect(await Promise.all(["a", "b"].map((subject) => get(subject, lifetimeMs, { ask: failing })))).toEqual([
      undefined,
      undefined,
    ]);
    // Who did not wait for it learns of it, too; and who has asked for itself is at rest again.
    expect(await get("b", lifetimeMs + 1)).toBeUndefined();
    shared.leave("key of b");
    expect((await get("b", lifetimeMs + 2))?.askedMs).toBe(lifetimeMs + 2);
    expect(asked.at(-1)).toEqual(["b"]);
  });

  test("by a defect of ours is not hidden", async () => {
    const ask = async () => {
      throw new TypeError("a defect");
    };
    await expect(get("a", 0, { ask })).rejects.toThrow("a defect");
  });
});

describe("who is no longer at rest", () => {
  test("is not asked about, and comes back without an answer", async () => {
    for (const subject of ["a", "b"]) await get(subject, 0);
    shared.leave("key of a");
    await get("b", lifetimeMs);
    expect(asked.at(-1)).toEqual(["b"]);
    expect(await get("a", lifetimeMs + 1)).toEqual({ value: "about a", askedMs: lifetimeMs + 1 });
  });

  test("does not get the answer to what was asked before it left", async () => {
    await get("a", 0);
    await get("b", 0);
    const { promise, resolve } = later();
    const underWay = get("b", lifetimeMs, { ask: () => promise });
    shared.leave("key of a");
    resolve(() => "too old");
    await underWay;
    expect(await get("a", lifetimeMs + 1)).toEqual({ value: "about a", askedMs: lifetimeMs + 1 });
  });

  test("is forgotten also when nobody says so", async () => {
    for (const subject of ["a", "b"]) await get(subject, 0);
    for (let round = 1; round <= 3; round += 1) await get("b", round * lifetimeMs);
    expect(asked.at(-1)).toEqual(["b"]);
  });
});
