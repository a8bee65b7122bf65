// The zones that Nova calls available are asked for every ten minutes for each cloud, and the last answer stands meanwhile.

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
  const asked = (nova: Nova, sharingKey: string) => zones.get({ nova, sharingKey, nowMs: 0, call: {} });
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
    const found = await zones.get({ nova, sharingKey, call: {}, nowMs: minutes * minute });
    return found.known ? found.value : found.reason;
  };
  return { at, asked: () => asked };
}

test("those that are available are asked for once in ten minutes", async () => {
  const { at, asked } = countingNova();
  expect([await at(0), await at(9.9), asked()]).toEqual([["az1"], ["az1"], 1]);
  expect([await at(10), await at(19), asked()]).toEqual([["az2"], ["az2"], 2]);
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
