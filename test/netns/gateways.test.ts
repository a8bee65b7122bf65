// Real agents, nft and keepalived on two gateways in network namespaces: what clients get, and what becomes of their connections when
// parts die. Waits are for states; nothing is asserted of how long anything took.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeLab, labGateway } from "../lab.ts";
import { forwarding, GatewayWorld, usual, usualWith, vip, vip6 } from "./gateway-world.ts";
import { clients, endpoints, gatewayPort } from "./topology.ts";

describeLab("two gateways", labGateway, () => {
  let world: GatewayWorld;
  const gateways = () => world.topology.gateways;
  beforeAll(async () => {
    world = await GatewayWorld.make();
    await Promise.all(gateways().map((gateway) => gateway.start()));
    await world.carry();
  });
  afterAll(() => world?.topology.remove());

  describe("clients", () => {
    test.each([vip, vip6])("reach endpoints by TCP and UDP through %s", async (address) => {
      expect(await world.reach({ address })).toMatch(/^b[12]$/);
      expect(await world.reachByUdp({ address })).toMatch(/^b[12]$/);
    });

    test("are spread over the endpoints", async () => {
      const met = new Set<unknown>();
      // Of 40 connections with ports of their own none meets the other endpoint once in 10¹².
      for (let count = 0; count < 40; count += 1) met.add(await world.reach());
      expect(met).toEqual(new Set(["b1", "b2"]));
    });

    test.each([vip, vip6])("never reach a program of the gateway through %s", async (address) => {
      const own = address === vip ? "198.18.0.1" : "fd00:e::1";
      await expect.poll(() => world.connect({ address: own, port: gatewayPort })).toBe("gateway");
      await expect.poll(() => world.ask({ address: own, port: gatewayPort })).toBe("gateway");
      for (let count = 0; count < 3; count += 1) {
        expect(await world.connect({ address, port: gatewayPort })).not.toBe("gateway");
        expect(await world.ask({ address, port: gatewayPort })).toBe("silent");
      }
      await expect.poll(() => world.connect({ address, port: gatewayPort })).toBe("refused");
    });

    test("whose address is not allowed are not answered", async () => {
      await world.carry(usualWith(forwarding({ allowedSources: [`${clients[0]}/32`] })));
      expect(await world.reach({}, clients[0])).toMatch(/^b[12]$/);
      expect(await world.connect({}, clients[1])).toBe("silent");
      expect(await world.reachByUdp({}, clients[1])).toMatch(/^b[12]$/);
    });

    test("are refused where a Service has no endpoint, and not answered where it shall be silent", async () => {
      const none = { endpoints: [], buckets: [] };
      await world.carry(usualWith(forwarding(none), forwarding({ ...none, protocol: "UDP" })));
      await expect.poll(() => world.connect()).toBe("refused");
      await expect.poll(() => world.ask()).toBe("refused");
      await world.carry(usualWith(forwarding({ ...none, whenEmpty: "drop" })));
      expect(await world.connect()).toBe("silent");
      expect(await world.reach({ address: vip6 })).toMatch(/^b[12]$/);
    });
  });

  describe("connections survive", () => {
    beforeAll(async () => {
      await world.carry(usual);
      await world.open(12);
    });

    test("a ruleset that somebody flushed, which is repaired", async () => {
      const [{ space }] = gateways();
      await space.run("nft", "flush", "ruleset");
      await expect.poll(() => space.run("nft", "list", "tables")).toBe("table ip mainstay\ntable ip6 mainstay\n");
      expect(await world.heard()).toEqual(world.allHeard);
      expect(await world.reach()).toMatch(/^b[12]$/);
    });

    test("the death of the agent; the next one takes over the same keepalived", async () => {
      const [gateway] = gateways();
      const before = await gateway.keepalivedPid();
      await gateway.killAgent();
      expect(await world.reach()).toMatch(/^b[12]$/);
      expect(await world.heard()).toEqual(world.allHeard);
      await world.owned("gw1");
      await world.startAgain(gateway);
      expect(await gateway.keepalivedPid()).toBe(before);
      await expect
        .poll(() => gateway.status())
        .toMatchObject({
          keepalived: "running",
          groups: [{ name: "a", role: "master" }],
        });
      expect(await world.heard()).toEqual(world.allHeard);
    });

    test("the loss of both links, and their return", async () => {
      const [gateway] = gateways();
      await gateway.cut(true);
      await world.owned("gw2");
      expect(await world.heard()).toEqual(world.allHeard);
      expect(await world.reach()).toMatch(/^b[12]$/);
      await gateway.cut(false);
      await world.owned("gw1");
      expect(await world.heard()).toEqual(world.allHeard);
      expect(await world.reach()).toMatch(/^b[12]$/);
    });

    test("the death of keepalived, which is started again", async () => {
      const [gateway] = gateways();
      const before = await gateway.keepalivedPid();
      await gateway.killKeepalived();
      await expect.poll(() => gateway.keepalivedPid().catch(() => before)).not.toBe(before);
      await world.owned("gw1");
      expect(await world.heard()).toEqual(world.allHeard);
    });

    test("the death of agent and keepalived together, and their return", async () => {
      const [gateway, other] = gateways();
      await gateway.killAgent();
      await gateway.killKeepalived();
      await expect.poll(async () => (await other.status()).groups).toMatchObject([{ role: "master" }]);
      expect(await world.heard()).toEqual(world.allHeard);
      expect(await world.reach()).toMatch(/^b[12]$/);
      await world.startAgain(gateway);
      await world.owned("gw1");
      expect(await world.heard()).toEqual(world.allHeard);
    });
  });

  describe("gateways whose documents differ", () => {
    const added = "198.18.0.101";

    test("have one master between them, whichever of them is ahead", async () => {
      await world.carry();
      const next = world.document([...usual, forwarding({ address: added })]);
      const [first, second] = gateways();
      expect(await second.put(next)).toMatchObject({ status: 200 });
      await expect.poll(async () => (await second.status()).groups).toMatchObject([{ role: "backup" }]);
      await world.owned("gw1");
      await expect.poll(() => world.topology.owners(added)).toEqual([]);
      await first.cut(true);
      await world.owned("gw2");
      await world.owned("gw2", added);
      await first.cut(false);
      await world.owned("gw1");
      await expect.poll(() => world.topology.owners(added)).toEqual([]);
      // Each would lead beside the other if it did not take the other's adverts.
      expect([await first.foreignAdverts(), await second.foreignAdverts()]).toEqual([0, 0]);
      expect(await first.put(next)).toMatchObject({ status: 200 });
      await world.owned("gw1", added);
      expect(await world.reach({ address: added })).toMatch(/^b[12]$/);
    });

    test("one that returns with an old journal serves what it knew, takes the newest document and refuses older ones", async () => {
      const old = await world.carry();
      const [gateway, other] = gateways();
      await gateway.killAgent();
      await gateway.killKeepalived();
      const next = world.document(usualWith(forwarding({ endpoints: [endpoints.four[1]], buckets: [0] })));
      expect(await other.put(next)).toMatchObject({ status: 200 });
      await world.startAgain(gateway);
      expect((await gateway.status()).carries).toEqual(old.version);
      await world.owned("gw1");
      expect(await gateway.put(next)).toMatchObject({ status: 200 });
      expect(await gateway.put(old)).toMatchObject({ status: 409 });
      for (let count = 0; count < 10; count += 1) expect(await world.reach()).toBe("b2");
    });
  });
});
