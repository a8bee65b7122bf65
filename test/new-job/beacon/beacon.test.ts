import { afterEach, beforeEach, expect, test } from "vitest";
import { cliWorld } from "../../../test/support/cli-world.ts";
import { JobWorld } from "../../../test/support/job-world.ts";
import type { TestManager } from "../../../test/support/test-manager.ts";
import { configMaps } from "../../apis/kube/builtin-kinds.ts";
import { apiVersionOf } from "../../apis/kube/kube-object.ts";
import { beaconCrd, beacons } from "./apis/beacon.ts";
import { beaconFeature } from "./controller/feature.ts";

class BeaconWorld extends JobWorld {
  features() {
    return [beaconFeature("say ")];
  }
}

const ref = { name: "north", namespace: "default" };
let world: BeaconWorld;
let running: TestManager;
beforeEach(async () => {
  world = new BeaconWorld();
  await world.define(beaconCrd);
  running = world.manager();
  await world.clock.advance(2_000);
});
afterEach(() => running.manager.stop());

test("a Beacon gets its ConfigMap on the fake API server, and people are shown it", async () => {
  const beacon = { apiVersion: apiVersionOf(beacons), kind: beacons.kind, metadata: ref, spec: { text: "hello" } };
  await world.kube.create(beacons, beacon);
  await world.clock.advance(2_000);
  expect(await world.kube.get(configMaps, ref)).toMatchObject({ data: { text: "say hello" } });
  const cli = cliWorld({ kube: world.kube, clock: world.clock });
  expect((await cli.run("status")).out).toContain("default/north");
  expect((await cli.run("explain", "beacon/north")).out).toContain("A text that is kept in a ConfigMap.");
  expect((await cli.run("plan", "beacon/north")).out).toContain("beacon");
});
