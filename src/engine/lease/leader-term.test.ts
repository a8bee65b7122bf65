import { expect, test } from "vitest";
import type { Clock } from "../../ports/clock.ts";
import { LeaderTerm } from "./leader-term.ts";

/** A machine whose monotonic clock stands still while it sleeps. Its timers never fire: a term must not depend on them. */
class Machine implements Clock {
  #monotonicMs = 0;
  #wallMs = Date.UTC(2026, 0, 1);
  nowMs = (): number => this.#wallMs;
  monotonicMs = (): number => this.#monotonicMs;
  after = (): { cancel(): void } => ({ cancel: () => {} });

  work(ms: number): void {
    this.#monotonicMs += ms;
    this.#wallMs += ms;
  }

  sleep(ms: number): void {
    this.#wallMs += ms;
  }
}

function term() {
  const clock = new Machine();
  const begun = new LeaderTerm({ clock, epoch: 1, sentMs: 0, ownedMs: 13_500, renewDeadlineMs: 10_000 });
  return { clock, term: begun };
}

test("a fence comes down by itself when its time is over, although no timer fired", () => {
  const { clock, term: begun } = term();
  clock.work(13_000);
  expect(begun.fence.remainingMs()).toBe(500);
  clock.work(500);
  expect(begun.fence.remainingMs()).toBeLessThanOrEqual(0);
});

test("a fence is down when the whole machine has slept, although its monotonic clock has not moved", () => {
  const { clock, term: begun } = term();
  clock.sleep(60_000);
  expect(begun.fence.remainingMs()).toBeLessThanOrEqual(0);
});

test("a wall clock that goes back lends no time", () => {
  const { clock, term: begun } = term();
  clock.sleep(-3_600_000);
  clock.work(13_500);
  expect(begun.fence.remainingMs()).toBeLessThanOrEqual(0);
});

test("a term that has ended stays so, whatever renewal comes late", () => {
  const { clock, term: begun } = term();
  begun.end("lost");
  expect([begun.renewed(clock.monotonicMs()), begun.fence.remainingMs(), begun.signal.aborted]).toEqual([
    false,
    0,
    true,
  ]);
});
