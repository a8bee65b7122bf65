import { beforeEach, describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { machine, zoneBalancerName, zonesIntent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";

const az = ["az1", "az2"] as const;
let world: CloudModel;

beforeEach(() => {
  world = new CloudModel(zonesIntent(az));
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
  world.nowMs += 60_000;
});

const rounds = (count: number) => {
  for (let round = 0; round < count; round += 1) world.round();
};
const behind = (zone: string) => world.members(zoneBalancerName(zone));
const reported = () => world.plan().refusals.map(({ reason }) => reason);

describe("the last healthy member stays while its machine is being deleted", () => {
  test.each([
    ["while Neutron is away", () => (world.neutronAway = true)],
    ["while no balancer has its floating IP", () => (world.floatingIps = [])],
  ])("also %s", (_when, change) => {
    world.up.delete("10.6.2.1");
    world.setDeleting("cp-az1-1");
    change();
    expect(reported()).toContain("LastHealthyEndpoint");
    rounds(5);
    expect(behind("az1")).toEqual(["10.6.1.1"]);
    world.leave("cp-az1-1");
    rounds(5);
    expect(behind("az1")).toEqual([]);
  });

  test.each([
    ["", () => undefined],
    [", also while Neutron is away", () => (world.neutronAway = true)],
  ])("and so does the last one that people have an address of%s", (_when, change) => {
    const theirs = world.row(zoneBalancerName("az1")).lb.vipPortId;
    world.floatingIps = world.floatingIps.filter(({ portId }) => portId === theirs);
    world.recorded = {
      ...world.recorded,
      zones: world.recorded.zones.map((entry) => (entry.zone === "az2" ? { ...entry, address: undefined } : entry)),
    };
    change();
    world.setDeleting("cp-az1-1");
    expect(world.plan().actions.map(({ kind }) => kind)).not.toContain("remove-member");
    expect(reported()).toContain("LastHealthyEndpoint");
  });

  test("but with another way in it leaves, whether Neutron answers or not", () => {
    world.neutronAway = true;
    world.setDeleting("cp-az1-1");
    rounds(5);
    expect([behind("az1"), behind("az2")]).toEqual([[], ["10.6.2.1"]]);
  });
});

test("a repair does not wait for what else is done in its round: only another repair goes before it", () => {
  world.join(machine("az2", 2), machine("az1", 2));
  world.row(zoneBalancerName("az2")).lb.provisioningStatus = "ERROR";
  expect(world.plan().actions.map(({ kind, lane }) => [kind, lane?.part])).toEqual([
    ["merge-members", "az1"],
    ["delete-load-balancer", "az2"],
  ]);
  expect(reported()).not.toContain("LoadBalancerInError");
});

describe("what is not done for the sake of the last way in is named", () => {
  const said = () => world.plan().refusals.find(({ reason }) => reason === "LastHealthyEndpoint")?.message;

  test("what would be removed", () => {
    world.up.delete("10.6.2.1");
    world.setDeleting("cp-az1-1");
    expect(said()).toBe(
      `not removed: member ${zoneBalancerName("az1")}-6443-cp-az1-1 (10.6.1.1); nothing else is known to let people in`,
    );
  });
});

describe("the last healthy member that the DNS records lead to stays until they lead to another one", () => {
  beforeEach(() => {
    world = new CloudModel(zonesIntent(az, { publishDns: true }));
    world.join(...az.map((zone) => machine(zone, 1)));
    world.converge();
    world.up.delete("10.6.2.1");
    rounds(10);
  });

  test("which is a round later", () => {
    expect(world.object.dnsEndpoint?.addresses).toHaveLength(1);
    world.up.add("10.6.2.1");
    world.setDeleting("cp-az1-1");
    expect(world.plan().actions.map(({ kind }) => kind)).not.toContain("remove-member");
    world.round();
    expect([behind("az1"), world.object.dnsEndpoint?.addresses.length]).toEqual([["10.6.1.1"], 2]);
    rounds(5);
    expect(behind("az1")).toEqual([]);
  });

  test("and not where the records are somebody else's", () => {
    world.object = { ...world.object, foreignDnsEndpoint: { addresses: [] } };
    world.up.add("10.6.2.1");
    world.setDeleting("cp-az1-1");
    expect(world.plan().actions.map(({ kind }) => kind)).toContain("remove-member");
  });
});

describe("of two zones that each count on the other", () => {
  // In ERROR neither is known to serve: balancer/repair-ports.test.ts.
  test("one pool is made again after the other when both speak another protocol", () => {
    for (const zone of az) Object.assign(world.row(zoneBalancerName(zone)).pools[0] ?? {}, { protocol: "PROXY" });
    expect(world.plan().actions.map(({ kind, lane }) => [kind, lane?.part])).toEqual([["delete-pool", "az1"]]);
    expect(reported()).toContain("LastHealthyEndpoint");
    while (world.plan().actions.length > 0) {
      world.round();
      expect(world.waysIn()).toBeGreaterThan(0);
    }
    expect(world.rows.flatMap(({ pools }) => pools).map(({ protocol, status }) => [protocol, status])).toEqual([
      ["TCP", "ACTIVE"],
      ["TCP", "ACTIVE"],
    ]);
  });
});
