import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  dnsEndpoint,
  intent,
  machine,
  ownerId,
  placesOf,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";
import type { EndpointAction } from "../model/action.ts";
import { floatingIpDescription } from "../model/names.ts";

const az = ["az1", "az2"] as const;

/** The create of one balancer is on its way, and nobody hears of it again; everything else is as it should be. */
function asked(world: CloudModel, isLate: (action: EndpointAction) => boolean): EndpointAction {
  let late: EndpointAction | undefined;
  for (let round = 0; round < 40; round += 1) {
    const plan = world.plan();
    for (const action of plan.actions) {
      if (action.kind === "create-load-balancer" && isLate(action)) late = action;
      else world.apply(action);
    }
    world.report(plan);
    world.settle();
  }
  if (late === undefined) throw new Error("nothing was asked for");
  return late;
}

function remove(world: CloudModel): void {
  world.machines = [];
  world.intent = { ...world.intent, deleting: true };
}

function rounds(world: CloudModel, forMs: number): void {
  for (const endsMs = world.nowMs + forMs; world.nowMs < endsMs; ) world.round();
}

function zoned(): CloudModel {
  const world = new CloudModel(zonesIntent(az));
  world.join(...az.map((zone) => machine(zone, 1)));
  return world;
}

/** Nothing is there, and the object is held until it has come and gone. */
function isWaitedFor(world: CloudModel, late: EndpointAction): void {
  expect([world.rows, world.object.hasFinalizer]).toEqual([[], true]);
  world.apply(late);
  world.converge();
  expect(left(world)).toEqual([[], [], false]);
}

const left = ({ rows, floatingIps, object }: CloudModel) => [rows, floatingIps, object.hasFinalizer];

describe("a balancer that was asked for, and that the cloud makes when its object has long been deleted", () => {
  test.each([
    ["of the first zone", zoned, "az1"],
    ["of another zone", zoned, "az2"],
    ["the single one", () => new CloudModel(intent()), undefined],
  ])("is waited for, found and taken away: %s", (_which, begin, zone) => {
    const world = begin();
    const late = asked(world, ({ lane }) => zone === undefined || lane?.part === zone);
    remove(world);
    rounds(world, 60_000);
    expect(world.plan().waits.map(({ reason }) => reason)).toEqual(["LoadBalancerUnanswered"]);
    isWaitedFor(world, late);
  });

  test("also when it replaces one that somebody deleted", () => {
    const world = zoned();
    world.converge();
    world.rows = world.rows.filter(({ lb }) => lb.name !== zoneBalancerName("az2"));
    world.settle();
    const late = asked(world, () => true);
    remove(world);
    rounds(world, 60_000);
    isWaitedFor(world, late);
  });

  test("is asked for only after status has forgotten the one that somebody deleted", () => {
    const world = zoned();
    world.converge();
    world.rows = world.rows.filter(({ lb }) => lb.name !== zoneBalancerName("az2"));
    world.settle();
    const unreported = world.plan();
    expect(unreported.actions).toEqual([]);
    expect(unreported.waits.map(({ reason, lane }) => [reason, lane?.part])).toContainEqual(["PlaceUnrecorded", "az2"]);
    world.report(unreported);
    expect(world.plan().actions.map(({ kind, lane }) => [kind, lane?.part])).toEqual([["create-load-balancer", "az2"]]);
  });

  test("also when its object was moved in between, and its status left behind", () => {
    const world = zoned();
    const late = asked(world, ({ lane }) => lane?.part === "az2");
    world.object = { ...world.object, uid: "after-the-move" };
    world.recorded = { zones: [], single: undefined, networkId: undefined };
    remove(world);
    rounds(world, 60_000);
    isWaitedFor(world, late);
  });
});

describe("a balancer that was asked for, and that nobody wants any more when its object is deleted", () => {
  test.each([
    ["its zone was removed", zoned, "az2", zonesIntent(["az1"])],
    ["zones were disabled", zoned, "az2", intent({ endpoint: dnsEndpoint })],
    ["zones came instead of it", () => new CloudModel(intent({ endpoint: dnsEndpoint })), undefined, zonesIntent(az)],
  ])("is waited for, found and taken away: %s", (_how, begin, zone, after) => {
    const world = begin();
    const late = asked(world, ({ lane }) => zone === undefined || lane?.part === zone);
    world.places = known(placesOf(az));
    world.intent = after;
    rounds(world, 30_000);
    remove(world);
    rounds(world, 30_000);
    isWaitedFor(world, late);
  });

  test("is remembered no longer than it can take", () => {
    const world = zoned();
    asked(world, ({ lane }) => lane?.part === "az2");
    world.intent = zonesIntent(["az1"]);
    rounds(world, 60_000);
    expect(world.recorded.unansweredUntilMs).toBeGreaterThan(world.nowMs);
    rounds(world, 60_000);
    expect(world.recorded.unansweredUntilMs).toBeUndefined();
  });
});

test("a clock that was ahead as it was written down makes no wait longer", () => {
  const world = zoned();
  world.converge();
  world.recorded = { ...world.recorded, unansweredUntilMs: world.nowMs + 7_200_000 };
  remove(world);
  rounds(world, 120_000);
  expect(left(world)).toEqual([[], [], false]);
});

describe("nobody waits for a balancer", () => {
  const reasons = (world: CloudModel, most = 6) => {
    const said = new Set<string>();
    for (let round = 0; round < most && world.object.hasFinalizer; round += 1)
      for (const { reason } of world.round().waits) said.add(reason);
    return [...said];
  };

  test("that was seen", () => {
    const world = zoned();
    world.converge();
    remove(world);
    expect(reasons(world)).not.toContain("LoadBalancerUnanswered");
    expect(left(world)).toEqual([[], [], false]);
  });

  test("that was seen and is gone, while its floating IP is still there", () => {
    const world = zoned();
    world.converge();
    remove(world);
    for (let round = 0; round < 6; round += 1) {
      const plan = world.plan();
      for (const action of plan.actions) if (action.kind !== "delete-floating-ip") world.apply(action);
      world.report(plan);
      world.settle();
    }
    expect(world.rows).toEqual([]);
    expect(reasons(world)).toEqual([]);
    expect(left(world)).toEqual([[], [], false]);
  });

  test("before it was written down where it goes", () => {
    const world = zoned();
    remove(world);
    expect(reasons(world)).toEqual([]);
    expect(left(world)).toEqual([[], [], false]);
  });

  test("for longer than it can take, whatever the cloud makes of it", () => {
    const world = zoned();
    asked(world, () => true);
    remove(world);
    rounds(world, 100_000);
    expect(left(world)).toEqual([[], [], false]);
  });
});

describe("a floating IP for the machines that was asked for, and that the cloud makes later", () => {
  const description = floatingIpDescription(ownerId, undefined);

  /** Everything is as it should be but for the answer. */
  function unanswered(): CloudModel {
    const world = new CloudModel(intent({ mode: "none" }));
    for (let round = 0; round < 10; round += 1)
      for (const action of world.plan().actions) if (action.kind !== "create-floating-ip") world.apply(action);
    expect(world.plan().actions.map(({ kind }) => kind)).toEqual(["create-floating-ip"]);
    return world;
  }

  test.each([
    ["floating IPs", { floatingIp: { enabled: false, address: undefined } }],
    ["the external network", { externalNetworkDisabled: true }],
  ])("is released when %s was switched off before it came, and the endpoint is the fixed IP", (_what, off) => {
    const world = unanswered();
    world.intent = { ...world.intent, ...off, fixedIp: "10.6.0.5" };
    world.converge();
    world.addFloatingIp({ description });
    world.converge();
    expect([world.floatingIps, world.intent.endpoint?.host]).toEqual([[], "10.6.0.5"]);
  });

  test("stays when it is the endpoint, or a machine has it, whatever is switched off", () => {
    const world = new CloudModel(intent({ mode: "none" }));
    world.converge();
    const [endpoint] = world.floatingIps;
    const taken = world.addFloatingIp({ description, portId: "machine" });
    world.intent = { ...world.intent, floatingIp: { enabled: false, address: undefined } };
    world.converge();
    expect(world.floatingIps).toEqual([endpoint, taken]);
  });

  test("is waited for when the object is deleted before, found and released", () => {
    const world = unanswered();
    remove(world);
    rounds(world, 60_000);
    expect(world.plan().waits.map(({ reason }) => reason)).toEqual(["FloatingIpUnanswered"]);
    world.addFloatingIp({ description });
    world.converge();
    expect(left(world)).toEqual([[], [], false]);
  });

  test("is not waited for when the endpoint was made of it", () => {
    const world = new CloudModel(intent({ mode: "none" }));
    world.converge();
    remove(world);
    rounds(world, 10_000);
    expect(left(world)).toEqual([[], [], false]);
  });
});
