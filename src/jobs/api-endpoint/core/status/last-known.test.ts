import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { machine, zoneBalancerName, zonesIntent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";

function serving(): CloudModel {
  const world = new CloudModel(zonesIntent(["az1", "az2"]));
  world.join(machine("az1", 1), machine("az2", 1));
  world.converge();
  world.report();
  return world;
}

const said = (world: CloudModel, wanted: string) => world.status?.conditions.find(({ type }) => type === wanted);
const away = (world: CloudModel, octaviaAway = true) => {
  world.octaviaAway = octaviaAway;
  world.report();
};

describe("what is not known", () => {
  test("is Unknown: no condition goes away, whatever is away", () => {
    const world = serving();
    const before = world.status?.conditions.map(({ type }) => type);
    away(world);
    expect(world.status?.conditions.map(({ type }) => type).toSorted()).toEqual(before?.toSorted());
  });

  test("is told with the cause first and then what was last known, true or false", () => {
    const world = serving();
    world.up.delete("10.6.2.1");
    world.settle();
    world.report();
    away(world);
    const cause = "the cloud does not answer (Octavia): load balancers: 503; when last seen, ";
    expect(said(world, "LoadBalancersReady")).toMatchObject({
      status: "Unknown",
      message: `${cause}every load balancer was complete`,
    });
    expect(said(world, "MembersHealthy")?.message).toBe(
      `${cause}it was False: az2: 0 of 1 machine answers (cp-az2-1 does not)`,
    );
  });

  test("is told in the same words however long it lasts, and what it was is forgotten when it is known again", () => {
    const world = serving();
    away(world);
    const first = world.status?.conditions;
    for (let round = 0; round < 3; round += 1) {
      world.nowMs += 3_600_000;
      world.report();
      expect(world.status?.conditions).toEqual(first);
    }
    expect(world.status?.lastKnown).toHaveLength(5);
    away(world, false);
    expect(world.status?.lastKnown).toEqual([]);
    expect(said(world, "Ready")).toMatchObject({ status: "True", message: "" });
  });

  test("is told and kept in one order, whatever the order in which it was kept", () => {
    const world = serving();
    away(world);
    const { lastKnown = [] } = world.recorded;
    const first = world.status;
    world.recorded = { ...world.recorded, lastKnown: lastKnown.toReversed() };
    world.report();
    expect(world.status).toEqual(first);
  });

  test("names Octavia where others may answer, and the cloud where nobody could be asked", () => {
    const world = serving();
    away(world);
    world.places = { known: false, reason: "OpenStackServerError", message: "networks: 503" };
    world.report();
    expect(said(world, "Ready")?.message).toMatch(/^the cloud does not answer \(Octavia\): load balancers: 503; /);
    world.unreachable = { known: false, reason: "OpenStackTimeout", message: "token: no answer" };
    world.report();
    expect(said(world, "Ready")?.message).toMatch(/^the cloud does not answer: token: no answer; /);
  });

  test("of an object that nothing was known of says only why", () => {
    const world = new CloudModel(zonesIntent(["az1"]));
    away(world);
    const message =
      "the cloud does not answer (Octavia): load balancers: 503. Mainstay waits and goes on by itself (mainstay runbook OpenStackServerError)";
    expect(said(world, "Ready")?.message).toBe(message);
  });

  test("what was asked of the reader before is not asked again while nobody can look", () => {
    const world = serving();
    world.up.clear();
    world.settle();
    world.report();
    expect(said(world, "Ready")?.message).toMatch(/\. You have to act: mainstay runbook MembersUnhealthy says how$/);
    away(world);
    expect(said(world, "Ready")?.message).toMatch(/it was False: no machine answers .*\. Mainstay waits and goes on/);
    expect(said(world, "Ready")?.message).not.toContain("You have to act");
  });

  test("whether credentials are accepted is not known either, where no connection comes about", () => {
    const world = serving();
    const { places } = world;
    world.unreachable = { known: false, reason: "OpenStackUnreachable", message: "list load balancers: no connection" };
    world.places = places;
    world.report();
    expect(said(world, "OpenStackAuthenticationSucceeded")).toMatchObject({
      status: "Unknown",
      reason: "OpenStackUnreachable",
      message: expect.stringMatching(/; when last seen, the credentials were accepted$/),
    });
  });

  test("a condition that is there only at times stays until it is known that its time is over", () => {
    const world = serving();
    const { lastKnown = [] } = world.recorded;
    const kept = { type: "LoadBalancerKept", status: "True", message: "the last way in" } as const;
    world.recorded = { ...world.recorded, lastKnown: [...lastKnown, kept] };
    away(world);
    expect(said(world, "LoadBalancerKept")).toMatchObject({ status: "Unknown" });
    expect(said(world, "LegacyLoadBalancerPresent")).toBeUndefined();
    away(world, false);
    expect(said(world, "LoadBalancerKept")).toBeUndefined();
  });

  test("a balancer that Octavia does not show is neither broken nor whole, and others still count", () => {
    const world = serving();
    world.row(zoneBalancerName("az2")).hidden = true;
    world.report();
    expect(said(world, "LoadBalancersReady")).toMatchObject({
      status: "Unknown",
      message:
        "az2: the cloud does not answer (Octavia): status tree: 503; when last seen, every load balancer was complete",
    });
    expect(said(world, "Ready")?.status).toBe("True");
    expect(said(world, "MembersHealthy")).toMatchObject({
      status: "Unknown",
      reason: "EndpointNotReady",
      message: expect.stringMatching(/^az2: could not be seen; when last seen/),
    });
    world.row(zoneBalancerName("az1")).hidden = true;
    world.report();
    expect(said(world, "Ready")?.status).toBe("Unknown");
    expect(said(world, "APIEndpointReady")?.status).toBe("Unknown");
  });
});
