import { describe, expect, test } from "vitest";
import type { ProbedBalancer } from "../core/probes/probe-targets.ts";
import { type ProbeSettings, Probes } from "./probes.ts";

const target = { balancerId: "lb-1", address: "203.0.113.1", port: 6443 };
const intervalMs = 30_000;

/** Probes that are answered when the test says so. */
function asked(intervals: Partial<Pick<ProbeSettings, "intervalMs">> = {}) {
  const open: ((isAnswered: boolean) => void)[] = [];
  const addresses: string[] = [];
  const probes = new Probes({
    how: "tcp",
    timeoutMs: 3_000,
    intervalMs,
    ...intervals,
    probe: {
      isAnswered: ({ address }) =>
        new Promise((resolve) => {
          addresses.push(address);
          open.push(resolve);
        }),
    },
  });
  const answer = async (isAnswered: boolean) => {
    open.shift()?.(isAnswered);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  const look = (monotonicMs: number, targets: readonly ProbedBalancer[] = [target]) =>
    probes.observe("ns/name", targets, monotonicMs).get("lb-1");
  return { probes, look, answer, addresses };
}

describe("a balancer's address", () => {
  test("is unknown until a probe is done, which no look waits for", async () => {
    const { look, answer } = asked();
    expect(look(0)).toBeUndefined();
    expect(look(1_000)).toBeUndefined();
    await answer(true);
    expect(look(2_000)).toEqual({ failuresInARow: 0 });
  });

  test("is asked once an interval while it answers, and never twice at a time", async () => {
    const { look, answer, addresses } = asked();
    look(0);
    look(intervalMs);
    expect(addresses).toHaveLength(1);
    await answer(true);
    look(intervalMs - 1);
    expect(addresses).toHaveLength(1);
    look(intervalMs);
    expect(addresses).toHaveLength(2);
  });

  test("is asked again soon when it did not answer, and failures in a row are counted until one is answered", async () => {
    const { look, answer, addresses } = asked();
    look(0);
    await answer(false);
    expect(look(5_000)).toEqual({ failuresInARow: 1 });
    await answer(false);
    expect(look(10_000)).toEqual({ failuresInARow: 2 });
    expect(addresses).toHaveLength(3);
    await answer(true);
    expect(look(15_000)).toEqual({ failuresInARow: 0 });
  });

  test("is as status says until the first probe of our own is done, which is counted on from there", async () => {
    const { look, answer } = asked();
    const recorded = [{ ...target, recordedFailures: 2 }];
    expect(look(0, recorded)).toEqual({ failuresInARow: 2 });
    expect(look(2 * intervalMs - 1, recorded)).toEqual({ failuresInARow: 2 });
    await answer(false);
    expect(look(2 * intervalMs, recorded)).toEqual({ failuresInARow: 3 });
    await answer(true);
    expect(look(2 * intervalMs + 1_000, recorded)).toEqual({ failuresInARow: 0 });
  });

  test("is unknown again when status said something, and no probe of our own is done for two intervals", async () => {
    const { look, answer } = asked();
    const recorded = [{ ...target, recordedFailures: 2 }];
    look(0, recorded);
    expect(look(2 * intervalMs, recorded)).toBeUndefined();
    await answer(false);
    expect(look(2 * intervalMs + 1_000, recorded)).toEqual({ failuresInARow: 1 });
  });

  test("is unknown again when a probe of our own was asked for two intervals ago, and is still not done", async () => {
    const { look, answer } = asked();
    look(0);
    await answer(true);
    look(intervalMs);
    expect(look(3 * intervalMs - 1)).toEqual({ failuresInARow: 0 });
    expect(look(3 * intervalMs)).toBeUndefined();
    await answer(true);
    expect(look(3 * intervalMs + 1_000)).toEqual({ failuresInARow: 0 });
  });

  test("is counted on also where intervals are shorter than a probe takes to fail", async () => {
    const { look, answer } = asked({ intervalMs: 1_000 });
    look(0);
    await answer(false);
    look(1_000);
    expect(look(3_900)).toEqual({ failuresInARow: 1 });
    await answer(false);
    expect(look(4_000)).toEqual({ failuresInARow: 2 });
  });

  test("begins anew with another address, and when its object is gone", async () => {
    const { probes, look, answer, addresses } = asked();
    look(0);
    await answer(false);
    expect(look(1_000, [{ ...target, address: "203.0.113.2" }])).toBeUndefined();
    await answer(false);
    probes.forget("ns/name");
    expect(look(2_000)).toBeUndefined();
    expect(addresses).toEqual(["203.0.113.1", "203.0.113.2", "203.0.113.1"]);
  });
});
