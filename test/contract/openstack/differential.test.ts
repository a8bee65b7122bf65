// Random calls have the same outcomes on every cloud, one after the other, and leave the same behind.

import { randomBytes } from "node:crypto";
import { assert, asyncProperty, sample } from "fast-check";
import { describe, expect, test } from "vitest";
import { describeLab, labOpenStack } from "../../lab.ts";
import { type RandomCall, randomCalls, transcript } from "./random-calls.ts";
import { realTarget } from "./real-target.ts";
import { patienceMs, setStage } from "./stage.ts";
import type { OpenStackTarget } from "./target.ts";
import { fakeHttp } from "./targets/fake-http.ts";
import { fakeInProcess } from "./targets/fake-in-process.ts";

async function play(target: OpenStackTarget, calls: readonly RandomCall[]): Promise<readonly string[]> {
  const session = await target.open();
  try {
    const unique = (prefix: string) => `${prefix}-${randomBytes(4).toString("hex")}`;
    return await transcript(setStage(session, unique), calls);
  } finally {
    await session.cleanUp();
  }
}

/** One that comes after a health monitor never ends there: see octavia-ovn.ts. */
function withoutLateListeners(calls: readonly RandomCall[]): readonly RandomCall[] {
  const monitored = calls.findIndex(({ kind }) => kind === "create-monitor");
  return calls.filter(({ kind }, index) => monitored < 0 || index < monitored || kind !== "create-listener");
}

describe("random calls", () => {
  test.each(["amphora", "ovn"] as const)(
    "end alike in-process and over HTTP, provider %s",
    async (provider) => {
      const law = asyncProperty(randomCalls(25), async (random) => {
        const calls = provider === "ovn" ? withoutLateListeners(random) : random;
        expect(await play(fakeHttp(provider), calls)).toEqual(await play(fakeInProcess(provider), calls));
      });
      await assert(law, { numRuns: 10 });
    },
    120_000,
  );
});

describeLab("random calls on the real services", labOpenStack, (lab) => {
  test("end as on the fake", { timeout: patienceMs }, async () => {
    const [calls = []] = sample(randomCalls(12), { numRuns: 1, seed: 5 });
    expect(await play(realTarget(lab), calls)).toEqual(await play(fakeInProcess("amphora"), calls));
  });
});
