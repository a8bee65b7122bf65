import { expect, test } from "vitest";
import { VirtualClock } from "../sim/virtual-clock.ts";
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

test("a failure is not remembered", async () => {
  const { kept, ask } = cache();
  await expect(kept.get("a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await ask("a")).toBe("answer to a");
});

test("it holds no more than it may, and nothing that is too old", async () => {
  const { clock, kept, ask } = cache(10);
  for (let index = 0; index < 50; index += 1) await ask(`key-${index}`);
  expect(kept.size).toBeLessThanOrEqual(10);
  await clock.advance(5_000);
  await ask("new");
  expect(kept.size).toBe(1);
});
