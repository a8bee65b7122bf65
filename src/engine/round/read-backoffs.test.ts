import { expect, test } from "vitest";
import { ReadBackoffs } from "./read-backoffs.ts";

const refusal = new Error("refused");
const longest = (error: unknown) => (error === refusal ? 300_000 : undefined);

/** Looks every 15 seconds for so long, and counts how often is asked. */
async function looks(backoffs: ReadBackoffs, forMs: number, error: Error | undefined, version = "1", fromMs = 0) {
  let asked = 0;
  for (let monotonicMs = fromMs; monotonicMs < fromMs + forMs; monotonicMs += 15_000) {
    const read = backoffs.read({ name: "list", version, monotonicMs }, async () => {
      asked += 1;
      if (error !== undefined) throw error;
      return "answer";
    });
    const told = await read.catch((thrown: unknown) => thrown);
    expect(told).toBe(error ?? "answer");
  }
  return asked;
}

test("what is refused for an hour is asked for a few times, and said each time", async () => {
  expect(await looks(new ReadBackoffs(longest), 3_600_000, refusal)).toBeLessThan(20);
});

test("what only failed is asked for at every look", async () => {
  expect(await looks(new ReadBackoffs(longest), 3_600_000, new Error("no answer"))).toBe(240);
});

test("a change of what it is asked with has it asked for at once, and the first answer ends it", async () => {
  const backoffs = new ReadBackoffs(longest);
  await looks(backoffs, 3_600_000, refusal);
  expect(await looks(backoffs, 15_000, refusal, "2", 3_600_000)).toBe(1);
  expect(await looks(backoffs, 15_000, undefined, "2", 3_615_000)).toBe(1);
  expect(await looks(backoffs, 30_000, refusal, "2", 3_616_000)).toBe(2);
});

test("of many who ask for the same at the same time one asks", async () => {
  const backoffs = new ReadBackoffs(longest);
  await looks(backoffs, 60_000, refusal);
  let asked = 0;
  const ask = () => {
    asked += 1;
    return Promise.reject(refusal);
  };
  const all = Array.from({ length: 100 }, () =>
    backoffs.read({ name: "list", version: "1", monotonicMs: 900_000 }, ask),
  );
  expect((await Promise.allSettled(all)).every(({ status }) => status === "rejected")).toBe(true);
  expect(asked).toBe(1);
});

test("a failure that is no refusal is said in its own words, and the next look asks again", async () => {
  const backoffs = new ReadBackoffs(longest);
  await looks(backoffs, 600_000, refusal);
  const lost = new Error("no answer");
  expect(await looks(backoffs, 60_000, lost, "1", 900_000)).toBe(4);
  // Refused again, it waits as long as before.
  expect(await looks(backoffs, 300_000, refusal, "1", 960_000)).toBe(1);
});

test("whoever is told a refusal while another asks again is told the words of the last answer afterwards", async () => {
  const backoffs = new ReadBackoffs(longest);
  await looks(backoffs, 60_000, refusal);
  const lost = new Error("no answer");
  let lose = (_error: Error): void => {};
  const read = (ask: () => Promise<string>) => backoffs.read({ name: "list", version: "1", monotonicMs: 900_000 }, ask);
  const asking = read(() => new Promise((_resolve, reject) => (lose = reject)));
  await expect(read(() => Promise.resolve("unasked"))).rejects.toBe(refusal);
  lose(lost);
  await expect(asking).rejects.toBe(lost);
  expect(await read(() => Promise.resolve("answer"))).toBe("answer");
});
