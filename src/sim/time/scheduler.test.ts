import { expect, test } from "vitest";
import { Scheduler } from "./scheduler.ts";
import { seededRandom } from "./seeded-random.ts";

const settle = async (): Promise<void> => {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
};

function schedulerOf(seed: number): Scheduler {
  return new Scheduler({ random: seededRandom(seed), settle, afterStep: () => {} });
}

async function orderOf(seed: number): Promise<string> {
  const scheduler = schedulerOf(seed);
  const ran: string[] = [];
  for (const name of ["a", "b", "c", "d"]) scheduler.after(5, undefined, () => ran.push(name));
  scheduler.after(1, undefined, () => ran.push("first"));
  await scheduler.run(() => false, 10);
  return ran.join("");
}

test("what falls due at the same moment happens in an order that the seed chooses, and always the same one", async () => {
  const orders = await Promise.all([1, 2, 3, 4, 5, 6].map(orderOf));
  expect(orders.every((order) => order.startsWith("first"))).toBe(true);
  expect(new Set(orders).size).toBeGreaterThan(1);
  expect(await Promise.all([1, 2, 3, 4, 5, 6].map(orderOf))).toEqual(orders);
});

test("what belongs to a stopped process waits for it, and what belongs to a dead one never happens", async () => {
  const scheduler = schedulerOf(1);
  const stopped = { alive: true, paused: true };
  const dead = { alive: false, paused: false };
  const ran: string[] = [];
  scheduler.after(5, stopped, () => ran.push(`stopped at ${scheduler.nowMs}`));
  scheduler.after(5, dead, () => ran.push("dead"));
  scheduler.after(6, undefined, () => ran.push("world"));
  await scheduler.run(() => false, 50);
  expect(ran).toEqual(["world"]);
  stopped.paused = false;
  scheduler.resumed(stopped);
  await scheduler.run(() => false, 60);
  expect(ran).toEqual(["world", "stopped at 50"]);
});
