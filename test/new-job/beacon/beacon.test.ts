import { afterEach, beforeEach, expect, test } from "vitest";
import { EngineWorld, type TestManager } from "../../../test/support/engine-world.ts";
import { cliWorld } from "../../../test/topology/cli-world.ts";
import { configMaps, customResourceDefinitions } from "../../apis/kube/builtin-kinds.ts";
import { apiVersionOf } from "../../apis/kube/kube-object.ts";
import { beaconCrd, beacons } from "./apis/beacon.ts";
import { beaconFeature } from "./controller/feature.ts";

const ref = { name: "north", namespace: "default" };
let world: EngineWorld;
let running: TestManager;
beforeEach(async () => {
  world = new EngineWorld();
  await world.kube.create(customResourceDefinitions, beaconCrd);
  running = world.manager({ features: [beaconFeature("say ")] });
  await world.clock.advance(2_000);
});
afterEach(() => running.manager.stop());

test("a Beacon gets its ConfigMap on the fake API server, and people are told", async () => {
  const beacon = { apiVersion: apiVersionOf(beacons), kind: beacons.kind, metadata: ref, spec: { text: "hello" } };
  await world.kube.create(beacons, beacon);
  await world.clock.advance(2_000);
  expect(await world.kube.get(configMaps, ref)).toMatchObject({ data: { text: "say hello" } });
  const cli = cliWorld({ kube: world.kube, clock: world.clock });
  expect((await cli.run("status")).out).toContain("Beacon default/north");
  expect((await cli.run("explain", "beacon/north")).out).toContain("A text that is kept in a ConfigMap.");
  expect((await cli.run("plan", "beacon/north")).out).toContain("beacon");
});
