// Three gateways and two groups of addresses: each has its own master, and what happens to one gateway concerns its group alone. Gateways
// that come, are replaced and go.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { GatewayDocument } from "../../src/jobs/gateway/core/model/document.ts";
import { sampleGroup } from "../../src/jobs/gateway/sim/sample-document.ts";
import { until } from "../lab/until.ts";
import { describeLab, labGateway } from "../lab.ts";
import type { GatewayNode } from "./gateway-node.ts";
import { forwarding, GatewayWorld, vip } from "./gateway-world.ts";

const other = "198.18.0.110";
const sources = (group: number) => [1, 2, 3, 4].map((slot) => `198.19.0.${group * 10 + 90 + slot}`);
const spread = [
  ["gw1", "gw3", "gw2"],
  ["gw2", "gw3", "gw1"],
] as const;

describeLab("three gateways with two groups", labGateway, () => {
  let world: GatewayWorld;
  const named = (name: string): GatewayNode => {
    const found = world.topology.gateways.find((gateway) => gateway.name === name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  };
  const document = (orders: readonly (readonly string[])[]): GatewayDocument =>
    world.document([forwarding({ address: vip }), forwarding({ address: other })], {
      groups: orders.map((order, place) =>
        sampleGroup({
          name: place === 0 ? "a" : "b",
          virtualRouterId: 51 + place,
          order,
          sourceAddresses: sources(place + 1),
        }),
      ),
      addresses: [
        { address: vip, group: "a" },
        { address: other, group: "b" },
      ],
    });
  const allAnswer = async () => {
    expect(await world.heard()).toEqual(world.allHeard);
    for (const address of [vip, other]) expect(await world.reach({ address })).toMatch(/^b[12]$/);
  };

  beforeAll(async () => {
    world = await GatewayWorld.make();
    await world.topology.addGateway();
    await Promise.all(world.topology.gateways.map((gateway) => gateway.start()));
    await world.tell(document(spread));
    await world.owned("gw1");
    await world.owned("gw2", other);
    await world.open(12, [vip, other]);
  });
  afterAll(() => world?.topology.remove());

  test("each group has a master of its own, and the third takes over what the first had", async () => {
    await allAnswer();
    await named("gw1").cut(true);
    await world.owned("gw3");
    expect(await world.topology.owners(other)).toEqual(["gw2"]);
    await allAnswer();
  });

  test("the last one carries both groups", async () => {
    await named("gw2").cut(true);
    await world.owned("gw3", other);
    await allAnswer();
    await named("gw2").cut(false);
    await world.owned("gw2", other);
    await named("gw1").cut(false);
    await world.owned("gw1");
    await allAnswer();
  });

  describe("that come and go", () => {
    test("one that joins takes over its group once it is ready, and no connection is lost", async () => {
      const added = await world.topology.addGateway();
      await added.start();
      const next = document([
        ["gw4", "gw1", "gw3", "gw2"],
        ["gw2", "gw3", "gw1", "gw4"],
      ]);
      // The others first: they know their places before the new one claims its own.
      await world.tell(next, [named("gw1"), named("gw2"), named("gw3")]);
      await world.owned("gw1");
      await world.tell(next, [added]);
      await world.owned("gw4");
      await allAnswer();
    });

    test("one that is replaced by an empty one serves again when it was told", async () => {
      const gateway = named("gw4");
      await gateway.killAgent();
      await gateway.killKeepalived();
      await gateway.forgetAll();
      await world.owned("gw1");
      await allAnswer();
      await gateway.start();
      expect(await gateway.status()).toMatchObject({ ready: false });
      await world.tell(document([["gw4", "gw1", "gw3", "gw2"], spread[1]]));
      await world.owned("gw4");
      await allAnswer();
    });

    test("one that leaves hands over when it is told that nothing is its to carry", async () => {
      const leaving = named("gw4");
      const last = document(spread);
      await world.tell({ ...last, groups: [], addresses: [], forwardings: [] }, [leaving]);
      await until("gw4 to hold no address", async () => !(await leaving.addresses()).includes(vip));
      await world.tell(last, [named("gw1"), named("gw2"), named("gw3")]);
      await world.owned("gw1");
      expect(await leaving.status()).toMatchObject({ groups: [], problems: [] });
      await allAnswer();
    });
  });
});
