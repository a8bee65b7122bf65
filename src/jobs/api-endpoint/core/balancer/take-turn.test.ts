// What a plan does while the cloud refuses something: the model refuses, as the engine would remember it.

import { beforeEach, describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  machine,
  ovnRefusals,
  refusing,
  tcpPorts,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";
import { backoffKey, laneKey } from "../../../../core/plan.ts";
import type { EndpointAction } from "../model/action.ts";

let world: CloudModel;
const name = zoneBalancerName("az1");

beforeEach(() => {
  world = new CloudModel(zonesIntent(["az1"]));
  world.join(machine("az1", 1));
  world.converge();
});

/** Rounds in which some actions are refused; gives those that were done. */
function rounds(count: number, isRefused: (action: EndpointAction) => boolean): readonly EndpointAction[] {
  return Array.from({ length: count }).flatMap(() => {
    const plan = world.plan();
    const done = plan.actions.filter((action) => !isRefused(action));
    for (const action of plan.actions.filter(isRefused)) world.failed.set(backoffKey(action), 60_000);
    for (const action of done) {
      world.apply(action);
      world.failed.delete(backoffKey(action));
    }
    world.report(plan);
    world.settle();
    return done;
  });
}

const isChanging = (field: string) => (action: EndpointAction) => "change" in action && field in action.change;

describe("a request of several parts that is refused", () => {
  test("is made part by part: a listener is switched on although its tags are not taken", () => {
    world.intent = { ...world.intent, tags: ["team=a"] };
    const [listener] = world.row(name).listeners;
    Object.assign(listener ?? {}, { adminStateUp: false });
    rounds(12, isChanging("tags"));
    expect(world.row(name).listeners[0]).toMatchObject({
      adminStateUp: true,
      tags: expect.not.arrayContaining(["team=a"]),
    });
  });

  test("is made part by part: a listener that drifted in two ways is put right in the one that is taken", () => {
    const [listener] = world.row(name).listeners;
    Object.assign(listener ?? {}, { adminStateUp: false, clientTimeoutMs: 1 });
    const [whole] = world.plan().actions;
    expect(whole !== undefined && "change" in whole ? Object.keys(whole.change).toSorted() : []).toEqual([
      "adminStateUp",
      "clientTimeoutMs",
    ]);
    rounds(12, isChanging("clientTimeoutMs"));
    expect(world.row(name).listeners[0]).toMatchObject({ adminStateUp: true, clientTimeoutMs: 1 });
  });

  test("lets in every machine but the one that is not taken", () => {
    world.join(machine("az1", 2), machine("az1", 3), machine("az1", 4));
    rounds(12, (action) => action.kind === "merge-members" && action.addresses.includes("10.6.1.3"));
    expect(world.members(name)).toEqual(["10.6.1.1", "10.6.1.2", "10.6.1.4"]);
  });

  test("is whole again when it asks for something else", () => {
    world.join(machine("az1", 2), machine("az1", 3));
    rounds(1, ({ kind }) => kind === "merge-members");
    world.join(machine("az1", 4));
    expect(world.plan().actions).toMatchObject([{ addresses: "10.6.1.2 10.6.1.3 10.6.1.4" }]);
  });
});

test("what was refused yields to everything else, also when its time has come", () => {
  world.row(name).monitors.length = 0;
  rounds(1, ({ kind }) => kind === "create-monitor");
  for (const lane of world.failed.keys()) world.failed.set(lane, 0);
  world.join(machine("az1", 2));
  expect(rounds(2, () => false).map(({ kind }) => kind)).toEqual(["merge-members", "create-monitor"]);
});

test("what was refused is asked for again when nothing else is due, the first whose time has come", () => {
  world.intent = { ...world.intent, tags: ["team=a"] };
  rounds(12, isChanging("tags"));
  const refused = [...world.failed.keys()];
  expect(refused.length).toBeGreaterThan(2);
  for (const lane of refused) {
    for (const other of refused) world.failed.set(other, other === lane ? 0 : 60_000);
    expect(world.plan().actions.map(backoffKey)).toEqual([lane]);
  }
  world.failed.clear();
  expect(rounds(12, () => false).length).toBeGreaterThan(0);
  expect(world.plan().actions).toEqual([]);
  expect(world.row(name).lb.tags).toContain("team=a");
});

test("one change a round and balancer, whatever is refused", () => {
  world = new CloudModel(zonesIntent(["az1", "az2"], { additionalPorts: tcpPorts(9345), tags: ["team=a"] }));
  world.join(machine("az1", 1), machine("az2", 1));
  for (const refused of ["create-listener", "create-pool", "create-monitor", "merge-members", "update-listener"]) {
    for (let round = 0; round < 10; round += 1) {
      rounds(1, ({ kind }) => kind === refused);
      const lanes = world
        .plan()
        .actions.flatMap(({ lane }) => (["az1", "az2"].includes(laneKey(lane)) ? [laneKey(lane)] : []));
      expect(new Set(lanes).size).toBe(lanes.length);
    }
    world.failed.clear();
  }
});

test("a removal that would take the last way in holds up nothing behind it", () => {
  world = new CloudModel(zonesIntent(["az1"], { additionalPorts: tcpPorts(9345) }));
  world.join(machine("az1", 1));
  world.converge();
  world.setDeleting(machine("az1", 1).name);
  world.intent = { ...world.intent, additionalPorts: [] };
  rounds(6, () => false);
  expect(world.members(name)).toEqual(["10.6.1.1"]);
  expect(world.row(name).listeners.map(({ port }) => port)).toEqual([6443]);
  expect(world.plan().refusals).toContainEqual(
    expect.objectContaining({ reason: "LastHealthyEndpoint", lane: { part: "az1" } }),
  );
});

describe("where a provider hangs on a listener that comes after a monitor", () => {
  const monitors = () => world.row(name).monitors.length;

  beforeEach(() => {
    world = new CloudModel(zonesIntent(["az1"]));
    world.defaultProvider = "ovn";
    world.capabilities = known(refusing(...ovnRefusals));
    world.join(machine("az1", 1));
    world.converge();
    world.intent = { ...world.intent, additionalPorts: tcpPorts(9345) };
  });

  test("monitors stay away for a listener that can be made, and come back while it is refused", () => {
    const refused = ({ kind }: EndpointAction) => kind === "create-listener";
    expect(rounds(2, refused).map(({ kind }) => kind)).toEqual(["delete-monitor"]);
    expect(rounds(3, refused).map(({ kind }) => kind)).toContain("create-monitor");
    expect(rounds(5, refused)).toEqual([]);
    expect(monitors()).toBe(1);
  });

  test("the listener comes when it is allowed, and every port gets its monitor", () => {
    rounds(8, ({ kind }) => kind === "create-listener");
    for (const lane of world.failed.keys()) world.failed.set(lane, 0);
    rounds(15, () => false);
    expect(world.row(name).listeners.map(({ port }) => port)).toEqual([6443, 9345]);
    expect(monitors()).toBe(2);
  });
});
