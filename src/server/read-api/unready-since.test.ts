import { expect, test } from "vitest";
import { SampleInsight } from "../../../test/support/sample-insight.ts";
import { VirtualClock } from "../../../test/support/virtual-clock.ts";
import { managerInfo } from "./manager-info.ts";
import { UnreadySince } from "./unready-since.ts";

function watched(ready: boolean) {
  const insight = new SampleInsight();
  const clock = new VirtualClock();
  insight.state = { ...insight.state, ready };
  const unreadySince = new UnreadySince(insight, clock);
  const startMs = clock.nowMs();
  const turn = (now: boolean, tell: "manager" | "all" | "silently"): void => {
    insight.state = { ...insight.state, ready: now };
    if (tell !== "silently") insight.tell({ type: tell });
  };
  const unreadyAfterMs = (): number | undefined => {
    const sinceMs = unreadySince.sinceMs();
    return sinceMs === undefined ? undefined : sinceMs - startMs;
  };
  return { insight, clock, unreadySince, turn, unreadyAfterMs };
}

test.each(["manager", "all"] as const)(
  "counts from the change, not from the first question about it: %s",
  async (change) => {
    const { clock, turn, unreadyAfterMs } = watched(true);
    expect(unreadyAfterMs()).toBeUndefined();
    await clock.advance(7_000);
    turn(false, change);
    await clock.advance(60_000);
    turn(false, change);
    expect(unreadyAfterMs()).toBe(7_000);
    turn(true, change);
    expect(unreadyAfterMs()).toBeUndefined();
  },
);

test("counts from the question when no change was reported", async () => {
  const { clock, turn, unreadyAfterMs } = watched(true);
  unreadyAfterMs();
  await clock.advance(3_000);
  turn(false, "silently");
  expect(unreadyAfterMs()).toBe(3_000);
});

test("a manager that was never ready has no such time", async () => {
  const { clock, turn, unreadyAfterMs } = watched(false);
  expect(unreadyAfterMs()).toBeUndefined();
  turn(true, "manager");
  await clock.advance(1_000);
  turn(false, "manager");
  expect(unreadyAfterMs()).toBe(1_000);
});

test("a manager's answer says until when it saw everything, while it does not", () => {
  const { insight } = watched(false);
  const info = (ready: boolean, unreadySinceMs: number | undefined) => {
    insight.state = { ...insight.state, ready };
    return managerInfo({ insight, version: "1", demo: false, startedAtMs: 0, unreadySinceMs });
  };
  expect(info(false, 5_000).sawAllUntil).toBe("1970-01-01T00:00:05.000Z");
  expect(info(true, 5_000)).not.toHaveProperty("sawAllUntil");
  expect(info(false, undefined)).not.toHaveProperty("sawAllUntil");
});

test("nobody listens once it is closed", () => {
  const { insight, unreadySince } = watched(true);
  expect(insight.listeners).toBe(1);
  unreadySince.close();
  expect(insight.listeners).toBe(0);
});
