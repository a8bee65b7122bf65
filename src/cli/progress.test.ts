import { expect, test } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.ts";
import { withProgress } from "./progress.ts";

test("is silent for two seconds, then says every two what it waits for, and stops when it is over", async () => {
  const clock = new VirtualClock();
  const said: string[] = [];
  const terminal = {
    out: () => {},
    err: (text: string) => said.push(text),
    readInput: async () => "",
    interactive: false,
    colours: false,
    columns: 80,
  };
  const work: { finish: (answer: number) => void } = { finish: () => {} };
  const pending = new Promise<number>((resolve) => {
    work.finish = resolve;
  });
  const outcome = withProgress("reading", { clock, terminal }, pending);
  await clock.advance(1_999);
  expect(said).toEqual([]);
  await clock.advance(2_001);
  expect(said).toEqual(["reading … 2 s", "reading … 4 s"]);
  work.finish(7);
  expect(await outcome).toBe(7);
  await clock.advance(10_000);
  expect(said).toHaveLength(2);
  expect(clock.pendingTimers).toBe(0);
});
