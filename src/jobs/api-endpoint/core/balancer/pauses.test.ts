// A balancer in ERROR is tried again after pauses that grow with how long it has lasted, by times that outlive a restart.

import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { intent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import type { EndpointAction } from "../model/action.ts";
import { situationOf } from "../situation/situation.ts";
import { restBeforeDeletionMs, restBeforeRebuild, resting } from "./pauses.ts";

const nowMs = Date.UTC(2026, 0, 1, 12);
/** As Octavia writes it, so many seconds ago. */
const ago = (seconds: number) => new Date(nowMs - seconds * 1_000).toISOString().slice(0, -1);

function at(facts: { readonly notReadySeconds?: number; readonly deletingSeconds?: number }) {
  const world = new CloudModel(intent());
  const observed = world.observe();
  const { notReadySeconds: notReady, deletingSeconds: deleting } = facts;
  const object = {
    ...observed.object,
    ...(notReady === undefined ? {} : { notReadySinceMs: nowMs - notReady * 1_000 }),
    ...(deleting === undefined ? {} : { deletingSinceMs: nowMs - deleting * 1_000 }),
  };
  return situationOf({ ...observed, object }, [], "owner", nowMs);
}

function balancer(times: { readonly createdAt?: string; readonly updatedAt?: string }) {
  const { createdAt: _created, updatedAt: _updated, ...lb } = new CloudModel(intent()).addBalancer({}).lb;
  return { ...lb, ...times } as Parameters<typeof restBeforeRebuild>[0];
}

describe("one that ended in ERROR as it was made", () => {
  test.each<readonly [string, string, number | undefined, number, boolean]>([
    ["rests for half a minute at first", ago(10), 10, 20, false],
    ["may go when that has passed", ago(30), 30, 0, false],
    ["rests for half as long as it had lasted when it was made", ago(10), 210, 90, true],
    ["rests for five minutes at most", ago(10), 36_010, 290, true],
    ["is met for the first time after just a minute", ago(10), 70, 20, false],
    ["and not after more", ago(10), 71, 20.5, true],
    ["counts from when it was made where nothing says since when", ago(10), undefined, 20, false],
    ["rests for five minutes where our clock was ahead as it was written down", ago(10), -61, 290, false],
    ["does not where it was ahead by no more than clocks differ", ago(10), -60, 20, false],
  ])("%s", (_what, createdAt, notReadySeconds, restSeconds, isRepeated) => {
    const rest = restBeforeRebuild(
      balancer({ createdAt }),
      at(notReadySeconds === undefined ? {} : { notReadySeconds }),
    );
    expect(rest).toEqual({ restMs: restSeconds * 1_000, isRepeated });
  });

  test("is left to the engine alone where the cloud tells no time, or one that lies ahead", () => {
    const free = { restMs: 0, isRepeated: false };
    expect(restBeforeRebuild(balancer({}), at({ notReadySeconds: 600 }))).toEqual(free);
    expect(restBeforeRebuild(balancer({ createdAt: ago(-61) }), at({ notReadySeconds: 600 }))).toEqual(free);
  });
});

describe("one that could not be deleted", () => {
  const rest = (triedSeconds: number, deletingSeconds: number) =>
    restBeforeDeletionMs(balancer({ createdAt: ago(9_000), updatedAt: ago(triedSeconds) }), at({ deletingSeconds }));

  test("is tried again at once in the first minute, and after half as long as it has lasted from then on", () => {
    expect([rest(5, 64), rest(5, 65), rest(5, 205), rest(100, 300)]).toEqual([0, 25_000, 95_000, 0]);
  });

  test("rests for five minutes at most", () => {
    expect(rest(5, 36_005)).toBe(295_000);
  });

  test("counts from when it was made where it was never changed", () => {
    expect(restBeforeDeletionMs(balancer({ createdAt: ago(5) }), at({ deletingSeconds: 205 }))).toBe(95_000);
  });

  test("is left to the engine alone where a time is missing or lies ahead", () => {
    expect(restBeforeDeletionMs(balancer({}), at({ deletingSeconds: 600 }))).toBe(0);
    expect(restBeforeDeletionMs(balancer({ createdAt: ago(5) }), at({}))).toBe(0);
    expect(restBeforeDeletionMs(balancer({ createdAt: ago(-61) }), at({ deletingSeconds: 600 }))).toBe(0);
  });
});

test("an action that has rested enough says nothing of a pause", () => {
  const action = { kind: "delete-load-balancer" } as EndpointAction;
  expect([resting(action, 1), resting(action, 0), resting(action, -1)]).toEqual([
    { ...action, restMs: 1 },
    action,
    action,
  ]);
});
