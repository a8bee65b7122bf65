import { describe, expect, test } from "vitest";
import { SilentServices } from "./silent-services.ts";

const timeout = new Error("no answer in time");
const broken = new Error("the connection broke");
const failuresUntilSilent = (error: unknown) => (error === timeout ? 1 : error === broken ? 2 : undefined);

/** Services that are asked at times of the test's choosing; `answer` ends the oldest question that is open, or a later one. */
function services() {
  const silent = new SilentServices(failuresUntilSilent);
  const open: { readonly resolve: (answer: string) => void; readonly reject: (error: Error) => void }[] = [];
  let asked = 0;
  const ask = (monotonicMs: number, service = "octavia", signal?: AbortSignal) =>
    silent
      .ask({ service, monotonicMs, signal }, () => {
        asked += 1;
        return new Promise<string>((resolve, reject) => open.push({ resolve, reject }));
      })
      .catch((error: unknown) => error);
  const answer = (given: string | Error, which = 0) => {
    const [question] = open.splice(which, 1);
    if (typeof given === "string") question?.resolve(given);
    else question?.reject(given);
  };
  return { ask, answer, asked: () => asked, silent };
}

/** Asked once, and not answered in time. */
async function silentServices() {
  const { ask, answer, asked } = services();
  const first = ask(0);
  answer(timeout);
  expect(await first).toBe(timeout);
  return { ask, answer, asked };
}

describe("a service that answers nobody", () => {
  test("is asked by one for all, and everybody else is told at once what that one was told last", async () => {
    const { ask, answer, asked } = await silentServices();
    const one = ask(30_000);
    for (let others = 0; others < 80; others += 1) expect(await ask(30_000)).toBe(timeout);
    expect(asked()).toBe(2);
    answer(timeout);
    expect(await one).toBe(timeout);
  });

  test("is asked later and later, up to a minute", async () => {
    const { ask, answer, asked } = await silentServices();
    const atMs: number[] = [];
    for (let monotonicMs = 1_000; monotonicMs <= 300_000; monotonicMs += 1_000) {
      const before = asked();
      const told = ask(monotonicMs);
      if (asked() > before) {
        atMs.push(monotonicMs);
        answer(timeout);
      }
      expect(await told).toBe(timeout);
    }
    expect(atMs).toEqual([15_000, 45_000, 105_000, 165_000, 225_000, 285_000]);
  });

  test("is asked by everybody again once anybody was answered, be it with a refusal", async () => {
    for (const given of ["answer", new Error("refused")]) {
      const { ask, answer, asked } = await silentServices();
      const one = ask(30_000);
      answer(given);
      await one;
      void ask(30_001);
      void ask(30_001);
      expect(asked()).toBe(4);
    }
  });

  test("says nothing about another service", async () => {
    const { ask, asked } = await silentServices();
    void ask(1_000, "neutron");
    expect(asked()).toBe(2);
  });
});

describe("a service counts as silent", () => {
  test("not when others were answered while one was not: that one asked for too much", async () => {
    const { ask, answer, asked } = services();
    const heavy = ask(0);
    const light = ask(1_000);
    answer("answer", 1);
    expect(await light).toBe("answer");
    answer(timeout);
    expect(await heavy).toBe(timeout);
    const again = ask(2_000);
    const beside = ask(3_000);
    answer("answer");
    answer("answer");
    expect([await again, await beside, asked()]).toEqual(["answer", "answer", 4]);
  });

  test("not when the caller stopped asking", async () => {
    const { ask, answer, asked } = services();
    const stopped = new AbortController();
    const first = ask(0, "octavia", stopped.signal);
    stopped.abort();
    answer(timeout);
    await first;
    void ask(1_000);
    expect(asked()).toBe(2);
  });

  test("once, however many had asked before: its next wait is the first one", async () => {
    const { ask, answer, asked } = services();
    const all = Array.from({ length: 10 }, (_, index) => ask(index * 1_000));
    for (const one of all) {
      answer(timeout);
      expect(await one).toBe(timeout);
    }
    void ask(30_000);
    expect(asked()).toBe(11);
  });

  test("not for one broken connection, but for two in a row", async () => {
    const { ask, answer, asked } = services();
    for (const monotonicMs of [0, 1_000]) {
      const one = ask(monotonicMs);
      answer(broken);
      expect(await one).toBe(broken);
    }
    expect(await ask(2_000)).toBe(broken);
    expect(asked()).toBe(2);
  });
});

test("nothing is remembered of services that answer, nor of those that nobody asks any more", async () => {
  const { ask, answer, silent } = services();
  const one = ask(0);
  answer("answer");
  await one;
  expect(silent.size).toBe(0);
  for (const [service, monotonicMs] of [
    ["gone", 0],
    ["octavia", 7_200_000],
  ] as const) {
    const lost = ask(monotonicMs, service);
    answer(timeout);
    await lost;
  }
  expect(silent.size).toBe(1);
});
