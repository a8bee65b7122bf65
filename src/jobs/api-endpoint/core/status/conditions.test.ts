import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  amphora,
  machine,
  placesOf,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";

function converged(): CloudModel {
  const zones = ["az1", "az2"];
  const world = new CloudModel(zonesIntent(zones));
  world.places = known(placesOf(zones));
  world.join(machine("az1", 1), machine("az2", 1));
  world.converge();
  return world;
}

function condition(world: CloudModel, type: string) {
  world.report();
  const found = world.status?.conditions.find((one) => one.type === type);
  return { status: found?.status, reason: found?.reason, message: found?.message };
}

describe("conditions", () => {
  test("a change that passes through PENDING_UPDATE turns nothing", () => {
    const world = converged();
    world.row(zoneBalancerName("az1")).lb.provisioningStatus = "PENDING_UPDATE";
    expect(condition(world, "LoadBalancersReady").status).toBe("True");
    expect(condition(world, "Ready").status).toBe("True");
  });

  test("a balancer that hangs in PENDING_UPDATE for a quarter of an hour does", () => {
    const world = converged();
    world.row(zoneBalancerName("az1")).lb.provisioningStatus = "PENDING_UPDATE";
    world.nowMs += 16 * 60_000;
    expect(condition(world, "LoadBalancersReady")).toMatchObject({ status: "False", reason: "LoadBalancerStuck" });
  });

  test("zones are rolled up by name: one condition says which are broken, and why each", () => {
    const world = converged();
    for (const zone of ["az1", "az2"]) world.row(zoneBalancerName(zone)).lb.provisioningStatus = "PENDING_CREATE";
    const { status, message } = condition(world, "LoadBalancersReady");
    expect(status).toBe("False");
    expect(message).toMatch(/az1: .*PENDING_CREATE\); az2: .*PENDING_CREATE/);
  });

  test("members that are down are told, and do not make the cluster unready", () => {
    const world = converged();
    world.up.delete("10.6.2.1");
    world.settle();
    expect(condition(world, "MembersHealthy")).toMatchObject({
      status: "False",
      reason: "MembersUnhealthy",
      message: "az2: 0 of 1 machine answers (cp-az2-1 does not)",
    });
    expect(condition(world, "Ready").status).toBe("True");
  });

  test.each([
    ["a zone without a mapping", machine("az9", 1), "zone az9 has no mapping"],
    ["a zone that nobody knows", machine("az7", 1, { zone: undefined }), "its zone is not known"],
  ])("a machine in %s is behind no balancer, which MembersHealthy says", (_, lost, words) => {
    const world = converged();
    world.join(lost);
    world.converge();
    const reported = condition(world, "MembersHealthy");
    expect(reported).toMatchObject({ status: "False", reason: "MachineZoneUnmapped" });
    expect(reported.message).toContain(`machine ${lost.name}: ${words}`);
    expect(condition(world, "Ready").status).toBe("True");
    world.intent = { ...world.intent, crossZone: true };
    world.converge();
    expect(condition(world, "MembersHealthy")).toMatchObject({ status: "True", reason: "AsExpected" });
  });

  test("that nothing watches the members is said where they count as healthy for want of a monitor", () => {
    const world = new CloudModel(zonesIntent(["az1"]));
    world.capabilities = known({ ...amphora, refused: [{ provider: "amphora", feature: "health-monitor" }] });
    world.join(machine("az1", 1));
    world.converge();
    expect(condition(world, "MembersHealthy")).toMatchObject({
      status: "True",
      reason: "MonitorUnsupported",
      message: `${zoneBalancerName("az1")}: provider amphora has no health monitors; every machine counts as healthy`,
    });
  });

  test("a legacy balancer has a condition only while there is one", () => {
    expect(condition(converged(), "LegacyLoadBalancerPresent").status).toBeUndefined();
  });
});
