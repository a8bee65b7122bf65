// While a step is repeated on a balancer, status keeps what that balancer last came to, and what any other is busy with is shown.

import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { zoneBalancerName, zonesIntent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import type { Wait } from "../../../../core/plan.ts";
import { planOf } from "../model/endpoint-plan.ts";
import { situationOf } from "../situation/situation.ts";
import { settling } from "./settled-status.ts";

/** What status then shows of az1 and az2, whose balancers are PENDING_UPDATE and were last shown so. */
function shown(wait: Pick<Wait, "reason"> & { readonly zone: string }, before = "ERROR"): readonly unknown[] {
  const world = new CloudModel(zonesIntent(["az1", "az2"]));
  world.converge();
  for (const zone of ["az1", "az2"]) world.row(zoneBalancerName(zone)).lb.provisioningStatus = "PENDING_UPDATE";
  const observed = world.observe();
  const zones = observed.recorded.zones.map((entry) => ({ ...entry, provisioningStatus: before }));
  const balancers = observed.balancers.known ? observed.balancers.value : [];
  const recorded = { ...observed.recorded, zones };
  const situation = situationOf({ ...observed, recorded }, balancers, world.intent.ownerId ?? "", world.nowMs);
  const plan = planOf({ waits: [{ reason: wait.reason, recheckAfterMs: 1_000, lane: { part: wait.zone } }] });
  const settle = settling(situation, { plan, failures: [] });
  return zones.map(({ id }) => settle({ id: id ?? "", provisioningStatus: "PENDING_UPDATE" }).provisioningStatus);
}

describe("a balancer that is PENDING", () => {
  test("is shown as before while the same step is tried on it again and again, and no other is", () => {
    expect(shown({ reason: "StepRepeated", zone: "az1" })).toEqual(["ERROR", "PENDING_UPDATE"]);
    expect(shown({ reason: "StepRepeated", zone: "az2" }, "ACTIVE")).toEqual(["PENDING_UPDATE", "ACTIVE"]);
  });

  test("is shown as it is while anything else is waited for", () => {
    expect(shown({ reason: "LoadBalancerPending", zone: "az1" })).toEqual(["PENDING_UPDATE", "PENDING_UPDATE"]);
  });

  test("is shown as it is where nothing else was ever known of it", () => {
    expect(shown({ reason: "StepRepeated", zone: "az1" }, "PENDING_CREATE")).toEqual([
      "PENDING_UPDATE",
      "PENDING_UPDATE",
    ]);
  });
});
