// The zones that Nova calls available are asked for every ten minutes for each cloud, and the last answer stands meanwhile. A failure is
// tried again much sooner, and later and later while it lasts.

import { expect, test } from "vitest";
import { OpenStackError } from "../../../../core/openstack/openstack-error.ts";
import type { Nova } from "../../../../ports/nova.ts";
import { ComputeZones } from "./compute-zones.ts";

const operation = "list availability zones";

function novaThat(listAvailabilityZones: Nova["listAvailabilityZones"]): Nova {
  return { listAvailabilityZones } as Nova;
}

const forbidding = novaThat(() =>
  Promise.reject(new OpenStackError({ code: "Forbidden", service: "nova", operation, message: "forbidden" })),
);
const showing = novaThat(async () => [{ name: "az1", available: true }]);

test("what Nova refuses to some credentials is asked for with others, in the same project", async () => {
  const zones = new ComputeZones();
  const asked = (nova: Nova, sharingKey: string) => zones.get({ nova, sharingKey, monotonicMs: 0, call: {} });
  expect(await asked(forbidding, "few roles")).toMatchObject({ known: false, reason: "OpenStackForbidden" });
  expect(await asked(showing, "more roles")).toEqual({ known: true, value: ["az1"] });
  expect(await asked(showing, "few roles")).toMatchObject({ known: false });
});

const minute = 60_000;

/** A Nova whose zones are named after how often they were asked for. */
function countingNova() {
  let asked = 0;
  const listAvailabilityZones: Nova["listAvailabilityZones"] = async () => {
    asked += 1;
    return [
      { name: `az${asked}`, available: true },
      { name: "closed", available: false },
    ];
  };
  const zones = new ComputeZones();
  const nova = { listAvailabilityZones } as Nova;
  const at = async (minutes: number, sharingKey = "cloud") => {
    const found = await zones.get({ nova, sharingKey, call: {}, monotonicMs: minutes * minute });
    return found.known ? found.value : found.reason;
  };
  return { at, asked: () => asked };
}

test("those that are available are asked for once in ten minutes", async () => {
  const { at, asked } = countingNova();
  expect([await at(0), await at(9.9), asked()]).toEqual([["az1"], ["az1"], 1]);
  expect([await at(10), await at(19), asked()]).toEqual([["az2"], ["az2"], 2]);
});

/** A Nova that fails until then. */
function failingNova(untilMs: number) {
  const askedAt: number[] = [];
  const zones = new ComputeZones();
  const at = async (monotonicMs: number) => {
    const nova = novaThat(async () => {
      askedAt.push(monotonicMs);
      if (monotonicMs >= untilMs) return [{ name: "az1", available: true }];
      throw new OpenStackError({ code: "ServerError", service: "nova", operation, message: "503" });
    });
    return (await zones.get({ nova, sharingKey: "cloud", call: {}, monotonicMs })).known;
  };
  return { at, askedAt };
}

test("a failure is not believed for ten minutes: the next look asks again", async () => {
  const { at, askedAt } = failingNova(20_000);
  expect([await at(0), await at(1_000), await at(30_000), await at(60_000)]).toEqual([false, false, true, true]);
  expect(askedAt).toEqual([0, 30_000]);
});

test("while it fails for an hour it is asked for later and later, and answers at last", async () => {
  const { at, askedAt } = failingNova(60 * minute);
  for (let monotonicMs = 0; monotonicMs < 60 * minute; monotonicMs += 5_000) expect(await at(monotonicMs)).toBe(false);
  const pauses = askedAt.slice(1).map((askedMs, index) => askedMs - (askedAt[index] ?? 0));
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(askedAt.length).toBeLessThanOrEqual(12);
  expect(await at(70 * minute)).toBe(true);
});

test("a new failure after an answer is tried again soon, however long an earlier one lasted", async () => {
  const zones = new ComputeZones();
  const asked = async (nova: Nova, monotonicMs: number) =>
    (await zones.get({ nova, sharingKey: "cloud", call: {}, monotonicMs })).known;
  for (let monotonicMs = 0; monotonicMs < 20 * minute; monotonicMs += 5_000) await asked(forbidding, monotonicMs);
  expect(await asked(showing, 30 * minute)).toBe(true);
  expect([await asked(forbidding, 41 * minute), await asked(showing, 41.25 * minute)]).toEqual([false, true]);
});

test("each cloud is asked for its own, and none counts for another", async () => {
  const { at, asked } = countingNova();
  expect([await at(0, "one"), await at(0, "other"), await at(1, "one"), asked()]).toEqual([
    ["az1"],
    ["az2"],
    ["az1"],
    2,
  ]);
});
