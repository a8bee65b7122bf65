import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/virtual-clock.ts";
import { ShortCache } from "./short-cache.ts";

function cache(limit = 100) {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const kept = new ShortCache<string>({ clock, ttlMs: 1_000, limit });
  const ask = (key: string) => kept.get(key, async () => (asked.push(key), `answer to ${key}`));
  return { clock, asked, kept, ask };
}

test("an answer is used again for a while, and asked for anew after it", async () => {
  const { clock, asked, ask } = cache();
  await Promise.all([ask("a"), ask("a")]);
  await clock.advance(999);
  await ask("a");
  expect(asked).toEqual(["a"]);
  await clock.advance(1);
  expect(await ask("a")).toBe("answer to a");
  expect(asked).toEqual(["a", "a"]);
});

test("a failure is not remembered, and takes no later answer with it", async () => {
  const { kept, ask, clock, asked } = cache();
  let fail: (why: Error) => void = () => {};
  const slow = kept.get("a", () => new Promise<string>((_resolve, reject) => (fail = reject)));
  await clock.advance(1_000);
  await ask("a");
  fail(new Error("away"));
  await expect(slow).rejects.toThrow("away");
  await ask("a");
  expect(asked).toEqual(["a"]);
  await expect(kept.get("b", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await ask("b")).toBe("answer to b");
});

test("it holds no more than it may, and lets the oldest go first", async () => {
  const { kept, ask, asked } = cache(10);
  for (let index = 0; index < 50; index += 1) {
    await ask(`key-${index}`);
    expect(kept.size).toBeLessThanOrEqual(10);
  }
  asked.length = 0;
  for (let index = 49; index >= 40; index -= 1) await ask(`key-${index}`);
  expect([kept.size, asked]).toEqual([10, []]);
});

test("it is empty when everything is too old, though nobody has asked since", async () => {
  const { clock, kept, ask } = cache();
  await ask("old");
  await clock.advance(600);
  await ask("young");
  await clock.advance(400);
  expect(kept.size).toBe(1);
  await clock.advance(600);
  expect([kept.size, clock.pendingTimers]).toEqual([0, 0]);
});

test("one timer is enough for all", async () => {
  const { clock, ask } = cache();
  for (const key of ["a", "b", "c"]) await ask(key);
  expect(clock.pendingTimers).toBe(1);
});

describe("when timers come late, as in a process that was stopped", () => {
  function stopped(limit = 100) {
    let nowMs = 0;
    const asked: string[] = [];
    const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs, after: () => ({ cancel() {} }) };
    const kept = new ShortCache<string>({ clock, ttlMs: 1_000, limit });
    const ask = (key: string) => kept.get(key, async () => (asked.push(key), key));
    return { asked, ask, pass: (ms: number) => (nowMs += ms) };
  }

  test("what is too old is not used all the same", async () => {
    const { asked, ask, pass } = stopped();
    await ask("a");
    pass(1_000);
    await ask("a");
    expect(asked).toEqual(["a", "a"]);
  });

  test("what was asked for anew is young again", async () => {
    const { asked, ask, pass } = stopped(3);
    await ask("a");
    pass(500);
    await ask("b");
    pass(500);
    for (const key of ["a", "c", "d", "a"]) await ask(key);
    expect(asked).toEqual(["a", "b", "a", "c", "d"]);
  });
});
