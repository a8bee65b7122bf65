import { describe, expect, test } from "vitest";
import type { ApiServerLoadBalancer } from "./api-server-load-balancer.ts";
import { blockUpdateWarnings } from "./api-server-load-balancer-update-warnings.ts";

const mapped = (...zones: readonly string[]): ApiServerLoadBalancer => ({
  enabled: true,
  availabilityZoneSubnets: zones.map((zone) => ({ availabilityZone: zone, subnet: { id: zone } })),
});
const warn = (before: ApiServerLoadBalancer, after: ApiServerLoadBalancer | undefined) => {
  const zones = ["az1", "az2", "az3"].map((zone, i) => ({ availabilityZone: zone, ip: `203.0.113.${i + 1}` }));
  const recorded = { isReported: true, zones, single: undefined };
  // The longer of the two places: no sentence may be cut by the API server.
  const said = blockUpdateWarnings({ before, after, recorded, at: "spec.apiServer.managedLoadBalancer" });
  expect(said.filter((text) => text.length > 256)).toEqual([]);
  return said.join("\n");
};

describe("a change of the block is warned of", () => {
  test("when a zone goes: its balancer, its address, and machines that nobody reaches then", () => {
    const said = warn(mapped("az1", "az2", "az3"), mapped("az1", "az2"));
    expect(said).toContain(
      "az3 goes: its balancer leaves the DNS records, then it is deleted with its addresses (203.0.113.3)",
    );
    expect(said).toContain("machines in az3 stay, and will be behind no balancer");
    expect(said).not.toContain("is left");
  });

  test("when one zone is left", () => {
    expect(warn(mapped("az1", "az2"), mapped("az2"))).toContain(
      "only az2 is left: when it fails, nobody reaches the API",
    );
  });

  test("not of machines, when every balancer serves all of them", () => {
    const after = { ...mapped("az1", "az2"), allowCrossAZLoadBalancerMembers: true };
    expect(warn(mapped("az1", "az2", "az3"), after)).not.toContain("machines");
  });

  test("when no zone is mapped any more", () => {
    expect(warn(mapped("az1", "az2"), { enabled: true })).toContain(
      "one balancer keeps its address and gets all machines",
    );
  });

  test.each([{ enabled: false }, { ...mapped("az1", "az2", "az3"), enabled: false }])(
    "when balancers are switched off: %j",
    (after) => {
      const said = warn(mapped("az1", "az2", "az3"), after);
      expect(said).toContain("they are deleted with their addresses (203.0.113.1, 203.0.113.2, 203.0.113.3)");
      expect(said).toContain("until the annotation mainstay.dev/remove-legacy agrees");
    },
  );
});

test("what costs nothing is not warned of", () => {
  const zones = mapped("az1", "az2");
  for (const after of [mapped("az2", "az1"), mapped("az1", "az2", "az3"), { ...zones, additionalPorts: [9345] }])
    expect(warn(zones, after)).toBe("");
  expect(warn({ enabled: false }, zones)).toBe("");
});
