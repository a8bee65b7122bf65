import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/virtual-clock.ts";
import { DeadlineExceeded, startDeadline } from "./deadline.ts";

/** A process that was stopped and goes on: time has passed, and no timer has run yet. */
class StoppedProcess extends VirtualClock {
  override after = () => ({ cancel: () => {} });
}

describe("a deadline", () => {
  test("strikes at the first look after a pause, although its timer has not run", async () => {
    const clock = new StoppedProcess();
    const deadline = startDeadline(clock, 1_000);
    await clock.advance(999);
    expect(() => deadline.check()).not.toThrow();
    await clock.advance(1);
    expect(() => deadline.check()).toThrow(DeadlineExceeded);
    expect(deadline.signal.reason).toBeInstanceOf(DeadlineExceeded);
  });

  test("strikes by itself, too", async () => {
    const clock = new VirtualClock();
    const deadline = startDeadline(clock, 1_000);
    await clock.advance(1_000);
    expect(deadline.signal.reason).toBeInstanceOf(DeadlineExceeded);
  });

  test("tells a caller who gave up from its own end", () => {
    const caller = new AbortController();
    const deadline = startDeadline(new VirtualClock(), 1_000, caller.signal);
    caller.abort(new Error("enough"));
    expect(() => deadline.check()).toThrow("enough");
  });

  test("that has ended is silent, whatever comes later", async () => {
    const clock = new VirtualClock();
    const caller = new AbortController();
    const deadline = startDeadline(clock, 1_000, caller.signal);
    deadline.end();
    await clock.advance(2_000);
    caller.abort();
    expect(deadline.signal.aborted).toBe(false);
  });
});
