import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  intent,
  machine,
  ownerId,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { floatingIpDescription } from "../model/names.ts";

const az = ["az1", "az2"] as const;

function zoned(): CloudModel {
  const world = new CloudModel(zonesIntent(az));
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
  return world;
}

describe("a request that nobody heard the answer of, and that takes effect when it has long been made again", () => {
  test.each([
    ["while status knows the first", (_: CloudModel) => undefined],
    ["with a status that was lost", (world: CloudModel) => (world.recorded = { ...world.recorded, zones: [] })],
  ])("a second balancer goes again, and the first keeps its addresses and members: %s", (_when, change) => {
    const world = zoned();
    const name = zoneBalancerName("az1");
    const { id, tags, vipAddress } = world.row(name).lb;
    const addresses = world.floatingIps.map(({ address }) => address);
    world.nowMs += 60_000;
    const createdAt = new Date(world.nowMs).toISOString().slice(0, 19);
    world.addBalancer({ name, tags, description: world.row(name).lb.description, vipAddress: "10.0.1.77", createdAt });
    change(world);
    world.converge();
    expect(world.rows.filter(({ lb }) => lb.name === name).map(({ lb }) => [lb.id, lb.vipAddress])).toEqual([
      [id, vipAddress],
    ]);
    expect(world.members(name)).toEqual(["10.6.1.1"]);
    expect(world.floatingIps.map(({ address }) => address)).toEqual(addresses);
  });

  test("a second balancer goes, too, when no machine is behind either of them", () => {
    const world = new CloudModel(zonesIntent(az));
    world.converge();
    const name = zoneBalancerName("az1");
    const { id, tags, description } = world.row(name).lb;
    world.nowMs += 60_000;
    const createdAt = new Date(world.nowMs).toISOString().slice(0, 19);
    world.addBalancer({ name, tags, description, vipAddress: "10.0.1.77", createdAt });
    world.converge();
    expect(world.rows.filter(({ lb }) => lb.name === name).map(({ lb }) => lb.id)).toEqual([id]);
  });

  test("a second floating IP for machines goes again, and the endpoint stays", () => {
    const world = new CloudModel(intent({ mode: "none" }));
    world.converge();
    const host = world.intent.endpoint?.host;
    expect(world.floatingIps.map(({ address }) => address)).toEqual([host]);
    world.addFloatingIp({ address: "203.0.113.1", description: floatingIpDescription(ownerId, undefined) });
    world.converge();
    expect([world.floatingIps.map(({ address }) => address), world.intent.endpoint?.host]).toEqual([[host], host]);
  });
});
