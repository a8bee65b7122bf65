// What Services promise beyond being reached, on real gateways: affinity, draining, the client's own address, clients inside the cluster,
// endpoints on some nodes only, and packets other than those of TCP and UDP.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { EndpointSlice, NetworkPolicy, Node, Pod, Service } from "../../src/jobs/gateway/apis/kube-objects.ts";
import { bucketTable } from "../../src/jobs/gateway/core/buckets/bucket-table.ts";
import { gatewayDocument } from "../../src/jobs/gateway/core/document/gateway-document.ts";
import type { Forwarding } from "../../src/jobs/gateway/core/model/document.ts";
import { serviceAsk } from "../../src/jobs/gateway/core/services/service-ask.ts";
import { describeLab, labGateway } from "../lab.ts";
import { forwarding, GatewayWorld, usual, usualWith, vip, vip6 } from "./gateway-world.ts";
import { answerRaw, askRaw, echoRequest, hasGoodChecksum, initChunk, sctpPacket, sctpTag } from "./raw-packets.ts";
import { clients, endpointPort, endpoints, manyClients } from "./topology.ts";

describeLab("Services through two gateways", labGateway, () => {
  let world: GatewayWorld;
  beforeAll(async () => {
    world = await GatewayWorld.make();
    await Promise.all(world.topology.gateways.map((gateway) => gateway.start()));
    await world.carry();
  });
  beforeEach(() => world.closeAll());
  afterAll(() => world?.topology.remove());

  describe("with session affinity", () => {
    const both = bucketTable(endpoints.four);
    const affine = (table: Pick<Forwarding, "endpoints" | "buckets">) =>
      usualWith(forwarding({ ...table, affinity: "client" }));
    const homes = async () => {
      const found = new Map<string, ReadonlySet<string>>();
      for (const client of manyClients) {
        const met = new Set<string>();
        for (let count = 0; count < 5; count += 1) met.add(await world.reach({}, client));
        found.set(client, met);
      }
      return found;
    };

    test("a client meets one endpoint, also through the other gateway, and keeps it when another one goes", async () => {
      await world.carry(affine(both));
      const before = await homes();
      expect([...before.values()].map(({ size }) => size)).toEqual(manyClients.map(() => 1));
      const [gateway] = world.topology.gateways;
      await gateway.cut(true);
      await world.owned("gw2");
      expect(await homes()).toEqual(before);
      await gateway.cut(false);
      await world.owned("gw1");

      await world.carry(affine(bucketTable([endpoints.four[1]], both)));
      expect([...(await homes()).values()]).toEqual(manyClients.map(() => new Set(["b2"])));
      // Otherwise nothing of this says anything.
      const met = new Set([...before.values()].flatMap((one) => [...one]));
      expect(met).toEqual(new Set(["b1", "b2"]));
    });
  });

  describe("with an endpoint that drains", () => {
    const draining = { buckets: Array.from({ length: 16 }, () => 1) };

    test("its connections go on, and new ones go elsewhere", async () => {
      await world.carry(usual);
      const met = await world.open(12, [vip]);
      expect(new Set(met)).toEqual(new Set(["b1", "b2"]));
      const fromPort = await portTo("b1");
      await world.carry(usualWith(forwarding(draining), forwarding({ ...draining, protocol: "UDP" })));
      expect(await world.heard()).toEqual(world.allHeard);
      for (let count = 0; count < 10; count += 1) expect(await world.reach()).toBe("b2");
      for (let count = 0; count < 10; count += 1) expect(await world.reachByUdp()).toBe("b2");
      expect(await world.ask({}, clients[0], { fromPort })).toBe("b1");

      const gone = { endpoints: [endpoints.four[1]], buckets: [0] };
      await world.carry(usualWith(forwarding(gone), forwarding({ ...gone, protocol: "UDP" })));
      expect(await world.ask({}, clients[0], { fromPort })).toBe("b2");
      expect(await world.heard()).toEqual(world.allHeard);
    });

    /** Of the client, from which UDP comes to this endpoint. */
    async function portTo(endpoint: string): Promise<number> {
      for (let fromPort = 41_000; ; fromPort += 1)
        if ((await world.ask({}, clients[0], { fromPort })) === endpoint) return fromPort;
    }
  });

  describe("for clients inside the cluster", () => {
    test.each(["group", "client"] as const)("an endpoint reaches itself and others (source: %s)", async (source) => {
      await world.carry([vip, vip6].map((address) => forwarding({ address, source })));
      const [server] = world.topology.servers;
      for (const address of [vip, vip6]) {
        const met = new Set<unknown>();
        await expect
          .poll(async () => met.add(await server.ask({ do: "connect", to: { address, port: 80 } })))
          .toEqual(new Set(["b1", "b2"]));
      }
    });
  });

  describe("with the client's own address", () => {
    const kept = usual.map((one): Forwarding => ({ ...one, source: "client" }));
    const seen = async () => {
      const lists = await Promise.all(world.topology.servers.map((server) => server.ask({ do: "seen" })));
      return new Set(lists.flat());
    };

    test("endpoints see it, and connections in which they speak first survive a fail-over and the way back", async () => {
      const client = "198.18.0.38";
      expect(await seen()).not.toContain(client);
      await world.carry(kept);
      await world.reach({}, client);
      expect(await seen()).toContain(client);
      expect(await world.reachByUdp({}, client)).toMatch(/^b[12]$/);

      const [gateway] = world.topology.gateways;
      await world.open(8);
      expect(await world.pushed()).toEqual(world.allHeard);
      await gateway.cut(true);
      await world.owned("gw2");
      expect(await world.pushed()).toEqual(world.allHeard);
      expect(await world.heard()).toEqual(world.allHeard);
      await gateway.cut(false);
      await world.owned("gw1");
      expect(await world.pushed()).toEqual(world.allHeard);
    });
  });

  describe("with local traffic only", () => {
    const node = (name: string, address: string): Node => ({
      apiVersion: "v1",
      kind: "Node",
      metadata: { name },
      status: { addresses: [{ type: "InternalIP", address }], conditions: [{ type: "Ready", status: "True" }] },
    });
    const slice = (nodeName: string): EndpointSlice => ({
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name: "web-1" },
      addressType: "IPv4",
      endpoints: [{ addresses: ["10.1.0.1"], nodeName }],
      ports: [{ name: "", port: 8_080 }],
    });
    const service: Service = {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web", namespace: "default", uid: "web" },
      spec: { ports: [{ port: 80, nodePort: endpointPort }], externalTrafficPolicy: "Local" },
    };
    const forwardings = (nodeName: string) =>
      gatewayDocument({
        pool: "public",
        spec: { gateways: [], vrrp: { virtualRouterIDBase: 51, groups: [] } },
        epoch: 1,
        services: [{ ask: serviceAsk(service), addresses: [vip], leaves: [], slices: [slice(nodeName)] }],
        nodes: [node("b1", endpoints.four[0].address), node("b2", endpoints.four[1].address)],
        check: () => undefined,
      }).document.forwardings;

    test.each(["b1", "b2"])("only the node that has a Pod is met: %s", async (nodeName) => {
      await world.carry(forwardings(nodeName));
      for (let count = 0; count < 10; count += 1) expect(await world.reach()).toBe(nodeName);
    });
  });

  describe("with NetworkPolicies of its Pods", () => {
    const metadata = { name: "web", namespace: "default", uid: "web" };
    const service: Service = { apiVersion: "v1", kind: "Service", metadata, spec: { ports: [{ port: 80 }] } };
    const slice: EndpointSlice = {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name: "web-1" },
      addressType: "IPv4",
      endpoints: [{ addresses: [endpoints.four[0].address] }],
      ports: [{ name: "", port: endpointPort }],
    };
    const pod: Pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { ...metadata, labels: { app: "web" } },
      status: { podIPs: [{ ip: endpoints.four[0].address }] },
    };
    const policy: NetworkPolicy = {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata,
      spec: {
        podSelector: {},
        ingress: [{ from: [{ ipBlock: { cidr: "198.18.0.0/24", except: [`${clients[1]}/32`] } }] }],
      },
    };

    test("a client that they leave out is not answered, also where Pods would not know it", async () => {
      const { document } = gatewayDocument({
        pool: "public",
        spec: { gateways: [], backendLayer: "Pod", vrrp: { virtualRouterIDBase: 51, groups: [] } },
        epoch: 1,
        services: [{ ask: serviceAsk(service), addresses: [vip], leaves: [], slices: [slice] }],
        nodes: [],
        check: () => undefined,
        policed: { policies: [policy], pods: [pod] },
      });
      await world.carry(document.forwardings);
      expect(await world.reach({}, clients[0])).toBe("b1");
      expect(await world.connect({}, clients[1])).toBe("silent");
    });
  });

  describe("beside TCP and UDP", () => {
    beforeEach(() => world.carry());

    test("a ping to an address is answered, in both families", async () => {
      const { client } = world.topology;
      const [bytes, bytes6] = [echoRequest("icmp", 0x4d53), echoRequest("icmp6", 0x4d53)];
      expect(await askRaw(client, { protocol: "icmp", to: vip, bytes, expected: /^0000....4d53/ })).not.toBe("");
      expect(await askRaw(client, { protocol: "icmp6", to: vip6, bytes: bytes6, expected: /^8100....4d53/ })).not.toBe(
        "",
      );
    });

    test.each([vip, vip6])("datagrams in fragments arrive whole through %s", async (address) => {
      for (const bytes of [4_000, 20_000])
        await expect.poll(() => world.ask({ address }, undefined, { bytes })).toMatch(/^b[12]$/);
    });

    test("a smaller link on the way is told to both sides, and nothing stalls", async () => {
      for (const { space } of world.topology.gateways)
        for (const [place, net, net6] of [
          ["int0", "198.19.0.0/24", "fd00:c::/64"],
          ["ext0", "198.18.0.0/24", "fd00:e::/64"],
        ])
          await space.ip([
            `route change ${net} dev ${place} proto kernel scope link mtu 1400`,
            `-6 route change ${net6} dev ${place} proto kernel metric 256 mtu 1400`,
          ]);
      const { client } = world.topology;
      for (const address of [vip, vip6]) {
        await client.ask({ do: "open", id: `long-${address}`, to: { address, port: 80 } });
        expect(await client.ask({ do: "say", id: `long-${address}`, text: "x".repeat(300_000) })).toBe("heard");
        expect(await client.run("ip", "route", "get", address)).toContain("mtu 1400");
      }
    });

    test("SCTP is sent on to an endpoint, and its answer comes back from the address", async () => {
      await world.carry([...usual, forwarding({ protocol: "SCTP" })]);
      const [fromPort, toPort] = [41_999, 80];
      const reply = sctpPacket(endpointPort, fromPort, initChunk(2), sctpTag);
      const hexPort = (port: number) => port.toString(16).padStart(4, "0");
      const atEndpoint = new RegExp(`^${hexPort(fromPort)}${hexPort(endpointPort)}.{16}01`);
      const heard = Promise.race(
        world.topology.servers.map((server) =>
          answerRaw(server, { protocol: "sctp", bytes: reply, expected: atEndpoint }),
        ),
      );
      const answer = await askRaw(world.topology.client, {
        protocol: "sctp",
        to: vip,
        bytes: sctpPacket(fromPort, toPort, initChunk(1)),
        expected: new RegExp(`^${hexPort(toPort)}${hexPort(fromPort)}.{16}02`),
      });
      expect(hasGoodChecksum(Buffer.from(answer, "hex"))).toBe(true);
      expect(hasGoodChecksum(Buffer.from(await heard, "hex"))).toBe(true);
    });
  });
});
