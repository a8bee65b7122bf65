import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { location, machine, networkOf, zonesIntent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";
import { elsewhere, locationOf } from "./location.ts";

const az = ["az1", "az2"] as const;
const otherLocation = "q/RegionOne";

function zoned(written?: string): CloudModel {
  const world = new CloudModel(zonesIntent(az, { location: written }));
  world.join(...az.map((zone) => machine(zone, 1)));
  return world;
}

const kinds = (world: CloudModel) => world.plan().actions.map(({ kind }) => kind);

describe("where an object's things are", () => {
  test("is written to it before anything is made, and nothing else happens in that round", () => {
    const world = zoned();
    expect(world.round().actions).toEqual([{ kind: "record-location", location, because: "ProjectUnrecorded" }]);
    expect([world.intent.location, world.rows]).toEqual([location, []]);
    world.converge();
    expect(world.ours()).toHaveLength(2);
    expect(world.status?.location).toBe(location);
  });

  test("is written down for one that was built before anybody did so, although nothing is to be done", () => {
    const world = zoned(location);
    world.converge();
    world.intent = { ...world.intent, location: undefined };
    expect(world.converge().map(({ kind }) => kind)).toEqual(["record-location"]);
  });

  test("is not fixed while nothing can be made there: whoever named the wrong project corrects it freely", () => {
    const world = zoned();
    const { places } = world;
    if (!places.known) throw new Error("the model begins with places");
    const none = { found: "none", message: "no such network" } as const;
    world.places = known({ ...places.value, network: none, clusterNetwork: none, zoneSubnets: new Map() });
    world.location = otherLocation;
    for (let round = 0; round < 3; round += 1) expect(world.round().actions).toEqual([]);
    world.places = known({ ...places.value, network: { found: "one", value: networkOf("net") } });
    world.location = location;
    world.converge();
    expect(world.intent.location).toBe(location);
    expect(world.ours()).toHaveLength(2);
  });

  test("is written down before the first removal too", () => {
    const world = zoned(location);
    world.converge();
    world.machines = [];
    world.intent = { ...world.intent, location: undefined, deleting: true };
    expect(kinds(world)).toEqual(["record-location"]);
    world.converge();
    expect([world.rows, world.object.hasFinalizer]).toEqual([[], false]);
  });

  test("is not asked of an object that is deleted before it has anything", () => {
    const world = zoned();
    world.machines = [];
    world.intent = { ...world.intent, deleting: true };
    expect(kinds(world)).toEqual(["remove-finalizer"]);
  });
});

describe("credentials that lead elsewhere", () => {
  test.each([false, true])("stop everything, and what status remembers stays (while it is deleted: %s)", (deleting) => {
    const world = zoned();
    world.converge();
    // What Octavia says of them now is not remembered.
    const { provisioningStatus: _now, ...single } = world.recorded.single ?? {};
    const zones = world.recorded.zones.map(({ provisioningStatus: _then, ...zone }) => zone);
    if (deleting) world.machines = [];
    world.location = otherLocation;
    world.intent = { ...world.intent, deleting };
    const { actions, refusals } = world.round();
    expect(actions).toEqual([]);
    expect(refusals).toMatchObject([{ reason: "ProjectChanged" }]);
    expect(world.recorded).toMatchObject({ zones, single, location });
    expect(world.object.hasFinalizer).toBe(true);
    const conditions = world.status?.conditions ?? [];
    expect(conditions.find(({ type }) => type === "Ready")).toMatchObject({
      status: "False",
      reason: "ProjectChanged",
    });
    expect(conditions.find(({ type }) => type === "OpenStackAuthenticationSucceeded")?.status).toBe("True");
    world.location = location;
    world.converge();
    expect(world.ours()).toHaveLength(deleting ? 0 : 2);
  });

  test.each([
    ["the same project", location, location, false],
    ["another project", location, "q/RegionOne", true],
    ["another region of the same project", location, "p/RegionTwo", true],
    ["nothing written down", undefined, location, false],
    ["an emptied annotation", "", location, true],
    ["a project without a region", "p", location, true],
  ])("%s", (_which, written, present, isAstray) => {
    const said = elsewhere(zonesIntent(az, { location: written }), present);
    expect(said?.reason).toBe(isAstray ? "ProjectChanged" : undefined);
  });

  test("are told with the object, both places and what to do", () => {
    const { message } = elsewhere(zonesIntent(az), "q/Region/Two") ?? {};
    expect(message).toContain("OpenStackCluster default/demo: what it has is in project p in region RegionOne");
    expect(message).toContain("its credentials lead to project q in region Region/Two");
    expect(message).toContain("kubectl annotate openstackcluster -n default demo mainstay.dev/project-id-");
  });

  test("a value that names no project is told with what to write", () => {
    const { message } = elsewhere(zonesIntent(az, { location: "p" }), location) ?? {};
    expect(message).toContain('mainstay.dev/project-id is "p", which names no project');
    expect(message).toContain(location);
  });
});

test("a location is the project's id and the region in use", () => {
  expect(locationOf({ projectId: "p", region: "RegionOne" })).toBe(location);
});
