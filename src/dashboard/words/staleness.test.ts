import { describe, expect, test } from "vitest";
import { sampleManager } from "../../../test/server/contract-sample.ts";
import { staleHeadline, stalenessOf } from "./staleness.ts";

const noonMs = new Date(2026, 0, 1, 12, 0, 0).getTime();
const at = (ms: number) => new Date(ms).toISOString();
const live = { status: "live" } as const;
const cut = { status: "stale", sinceMs: noonMs, failure: { kind: "unreachable" } } as const;
const notReady = { ...sampleManager, identity: "pod-a_1234", ready: false, sawAllUntil: at(noonMs - 60_000) };

describe("what is shown is the present", () => {
  test("as long as the stream is live and the manager can read all it needs", () => {
    expect(stalenessOf({ link: live, manager: sampleManager, clockAheadMs: 0 })).toBeUndefined();
    expect(stalenessOf({ link: { status: "connecting" }, clockAheadMs: 0 })).toBeUndefined();
  });

  test("and is not after a cut: it says since when, and why", () => {
    const stale = stalenessOf({ link: cut, manager: sampleManager, clockAheadMs: 0 });
    expect(stale).toEqual({ sinceMs: noonMs, why: "The Mainstay server does not answer.", cut: true });
    expect(stale && staleHeadline(stale)).toBe("Stale since 12:00:00: health is unknown.");
    const silent = stalenessOf({ link: { status: "stale", sinceMs: noonMs }, clockAheadMs: 0 });
    expect(silent?.why).toBe("The server stopped answering.");
  });

  test("nor is it on a live stream from a manager that does not see the cluster; by the reader's clock", () => {
    const stale = stalenessOf({ link: live, manager: notReady, clockAheadMs: 5_000 });
    expect(stale).toEqual({ sinceMs: noonMs - 65_000, why: "pod-a cannot read all of the cluster.", cut: false });
    expect(stale && staleHeadline(stale)).toBe("Stale since 11:58:55: health is unknown.");
  });

  test("and it is as old as the older of the two", () => {
    const after = stalenessOf({
      link: cut,
      manager: { ...notReady, sawAllUntil: at(noonMs + 9_000) },
      clockAheadMs: 0,
    });
    const before = stalenessOf({ link: cut, manager: notReady, clockAheadMs: 0 });
    expect([before?.sinceMs, after?.sinceMs]).toEqual([noonMs - 60_000, noonMs]);
    expect(before?.cut).toBe(true);
  });

  test("a manager that never saw anything says so", () => {
    const { sawAllUntil: _never, ...starting } = notReady;
    const stale = stalenessOf({ link: live, manager: starting, clockAheadMs: 0 });
    expect(stale && staleHeadline(stale)).toBe("The cluster could not be read yet: health is unknown.");
  });
});
