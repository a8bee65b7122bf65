import { describe, expect, it, test } from "vitest";
import { parseIdleTimeout, parseMinZones } from "../annotations.ts";
import type { OpenStackCluster, OpenStackClusterSpec } from "./openstack-cluster.ts";
import { toV1beta1, toV1beta2 } from "./openstack-cluster-conversion.ts";
import { openStackClusterProblems, openStackClusterWarnings } from "./openstack-cluster-validation.ts";

const network = { id: "6c90b532-7ba0-418a-a276-5ae55060b5b0" };
const one = { id: "cad5a91a-36de-4388-823b-b0cc82cadfdc" };
const two = { id: "e2407c18-c4e7-4d3d-befa-8eec5d8756f2" };
const block = {
  network,
  availabilityZoneSubnets: [
    { availabilityZone: "az1", subnet: one },
    { availabilityZone: "az2", subnet: two },
  ],
};
const valid: OpenStackClusterSpec = {
  identityRef: { name: "creds", cloudName: "openstack" },
  controlPlaneEndpoint: { host: "api.mycluster.example.com", port: 6443 },
  apiServerLoadBalancer: block,
};
const lb = "spec.apiServerLoadBalancer";

function object(spec: object, annotations?: Readonly<Record<string, string>>): OpenStackCluster {
  const metadata = { name: "c", namespace: "n", ...(annotations === undefined ? {} : { annotations }) };
  return { apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1", kind: "OpenStackCluster", metadata, spec };
}

const places = (spec: object, annotations?: Readonly<Record<string, string>>) =>
  openStackClusterProblems(object(spec, annotations)).map(({ where }) => where);
const withHost = (host: string | undefined) => ({
  ...valid,
  controlPlaneEndpoint: { ...(host === undefined ? {} : { host }), port: 6443 },
});
const withBlock = (change: object) => ({ ...valid, apiServerLoadBalancer: { ...block, ...change } });

describe("validation of an OpenStackCluster, for a controller without webhooks", () => {
  it("finds nothing wrong with the example", () => {
    expect(places(valid)).toEqual([]);
    expect(openStackClusterWarnings(object(valid))).toEqual([]);
  });

  it("finds fields under the name of the other version in either version, and says the right one", () => {
    const written = object({
      ...valid,
      apiServer: { port: 8443, enableFloatingIP: false },
      enableExternalNetwork: true,
      managedSecurityGroups: { clusterNodesSecurityGroupRules: [] },
    });
    const expected = [
      ["spec.apiServer.port", "Write spec.apiServerPort instead, and remove this field."],
      [
        "spec.apiServer.enableFloatingIP",
        "Write spec.disableAPIServerFloatingIP: true instead, and remove this field.",
      ],
      ["spec.enableExternalNetwork", "Write spec.disableExternalNetwork: false instead, and remove this field."],
      [
        "spec.managedSecurityGroups.clusterNodesSecurityGroupRules",
        "Write spec.managedSecurityGroups.allNodesSecurityGroupRules instead, and remove this field.",
      ],
    ];
    for (const one of [written, toV1beta1(toV1beta2(written))])
      expect(openStackClusterProblems(one).map(({ where, hint }) => [where, hint])).toEqual(expected);
    const later = {
      ...toV1beta2(object(valid)),
      spec: { ...toV1beta2(object(valid)).spec, disableExternalNetwork: true },
    };
    expect(
      openStackClusterProblems(toV1beta1(later)).map(({ where, message, hint }) => [where, message, hint]),
    ).toEqual([
      [
        "spec.disableExternalNetwork",
        "it is the name of v1beta1, and has no effect in v1beta2, the version that it was written in",
        "Write spec.enableExternalNetwork: false instead, and remove this field.",
      ],
    ]);
    expect(places({ ...valid, apiServer: {}, managedNetwork: {} })).toEqual([]);
  });

  it("refuses what could not stand in a tag: of zones, of owners and of users", () => {
    const zoned = (availabilityZone: string) =>
      withBlock({ availabilityZoneSubnets: [{ availabilityZone, subnet: one }] });
    const at = `${lb}.availabilityZoneSubnets[0].availabilityZone`;
    expect(places(zoned(" az1"))).toEqual([at]);
    expect(places(zoned("z".repeat(241)))).toEqual([at]);
    expect(places(zoned("z".repeat(240)))).toEqual([]);
    expect(places(zoned("az-😀"))).toEqual([at]);
    const owner = "metadata.annotations[mainstay.dev/owner-id]";
    expect(places(valid, { "mainstay.dev/owner-id": "team,blue" })).toEqual([owner]);
    expect(places(valid, { "mainstay.dev/owner-id": "x".repeat(101) })).toEqual([owner]);
    expect(places(valid, { "mainstay.dev/owner-id": "0a1b2c3d-0000-4000-8000-000000000000" })).toEqual([]);
    expect(places({ ...valid, tags: ["", "t".repeat(256), "fine"] })).toEqual(["spec.tags[0]", "spec.tags[1]"]);
    expect(places({ ...valid, tags: ["team-😀", "Team", "team"] })).toEqual(["spec.tags[0]", "spec.tags[2]"]);
  });

  it("wants the written down project whole, or not at all", () => {
    const project = "mainstay.dev/project-id";
    for (const said of ["", "p1", "/RegionOne", "p1/", "p 1/RegionOne"])
      expect(places(valid, { [project]: said })).toEqual([`metadata.annotations[${project}]`]);
    expect(places(valid, { [project]: "8f3c/Region One/b" })).toEqual([]);
  });

  it("refuses a zone that is mapped twice", () => {
    const availabilityZoneSubnets = [
      { availabilityZone: "az1", subnet: one },
      { availabilityZone: "az1", subnet: two },
    ];
    expect(places(withBlock({ availabilityZoneSubnets }))).toEqual([
      `${lb}.availabilityZoneSubnets[1].availabilityZone`,
    ]);
  });

  it("refuses a subnet that is mapped twice, by id or by the same filter", () => {
    const both = (subnet: object) =>
      withBlock({
        availabilityZoneSubnets: [
          { availabilityZone: "a", subnet },
          { availabilityZone: "b", subnet },
        ],
      });
    expect(places(both(one))).toEqual([`${lb}.availabilityZoneSubnets[1].subnet`]);
    expect(places(both({ filter: { name: "s" } }))).toEqual([`${lb}.availabilityZoneSubnets[1].subnet`]);
  });

  it("refuses a mapping without a network", () => {
    expect(places({ ...valid, apiServerLoadBalancer: { ...block, network: undefined } })).toEqual([`${lb}.network`]);
  });

  it("refuses a mapping when the host is missing", () => {
    expect(places(withHost(undefined))).toEqual(["spec.controlPlaneEndpoint.host"]);
    expect(places({ ...valid, controlPlaneEndpoint: undefined })).toEqual(["spec.controlPlaneEndpoint.host"]);
  });

  it.each(["203.0.113.7", "2001:db8::7", "[2001:db8::7]", "fe80::1%eth0"])(
    "refuses a mapping when the host is the IP literal %s",
    (host) => {
      const [problem] = openStackClusterProblems(object(withHost(host)));
      expect(problem).toMatchObject({
        where: "spec.controlPlaneEndpoint.host",
        message: `"${host}" is an address, not a DNS name`,
      });
    },
  );

  it("takes an IP literal without a mapping", () => {
    expect(places({ ...withHost("203.0.113.7"), apiServerLoadBalancer: {} })).toEqual([]);
  });

  it("names every problem, not just the first", () => {
    const spec = {
      apiServerLoadBalancer: {
        availabilityZoneSubnets: [{ availabilityZone: "", subnet: {} }],
        additionalPorts: [0],
        monitor: { delay: -1, maxRetries: 11 },
      },
    };
    expect(places(spec)).toEqual([
      "spec.identityRef",
      "spec.controlPlaneEndpoint.host",
      `${lb}.network`,
      `${lb}.availabilityZoneSubnets[0].availabilityZone`,
      `${lb}.availabilityZoneSubnets[0].subnet`,
      `${lb}.additionalPorts[0]`,
      `${lb}.monitor.delay`,
      `${lb}.monitor.maxRetries`,
    ]);
  });

  it("refuses seconds that Octavia could not keep", () => {
    const most = 2_147_483_647;
    expect(places(withBlock({ monitor: { delay: most, timeout: most } }))).toEqual([]);
    expect(places(withBlock({ monitor: { delay: most + 1, timeout: most + 1 } }))).toEqual([
      `${lb}.monitor.delay`,
      `${lb}.monitor.timeout`,
    ]);
  });

  it("refuses an access list without one good entry, which would admit everybody, and warns of a bad one among good ones", () => {
    expect(places(withBlock({ allowedCIDRs: ["all"] }))).toEqual([`${lb}.allowedCIDRs`]);
    const mixed = withBlock({ allowedCIDRs: ["all", "192.0.2.0/24"] });
    expect(places(mixed)).toEqual([]);
    expect(openStackClusterWarnings(object(mixed))).toEqual([
      `${lb}.allowedCIDRs: "all" is neither an address nor a range and is left out`,
    ]);
  });

  it("refuses tags that look like ours, and annotations that mean nothing", () => {
    expect(places({ ...valid, tags: ["mainstay-owner=x", "fine"] })).toEqual(["spec.tags[0]"]);
    expect(places(valid, { "mainstay.dev/min-zones": "3" })).toEqual(["metadata.annotations[mainstay.dev/min-zones]"]);
    expect(places(valid, { "mainstay.dev/min-zones": "2", "mainstay.dev/idle-timeout": "1h" })).toEqual([]);
    expect(places(valid, { "mainstay.dev/idle-timeout": "1 hour" })).toEqual([
      "metadata.annotations[mainstay.dev/idle-timeout]",
    ]);
  });

  it("warns of a mapping that has no effect because balancers are off", () => {
    expect(openStackClusterWarnings(object(withBlock({ enabled: false })))).toEqual([
      `${lb}.availabilityZoneSubnets: no zone gets a balancer, because ${lb}.enabled is false`,
    ]);
  });
});

describe("annotations", () => {
  test.each([
    ["30m", 1_800_000],
    ["90s", 90_000],
    ["1h", 3_600_000],
    ["8760h", 31_536_000_000],
  ])("an idle timeout of %s is %i ms", (text, ms) => {
    expect(parseIdleTimeout(text)).toBe(ms);
  });

  test.each(["", "0s", "30", "m", "-1m", "1.5h", "8761h", "999999999h"])("%j is no idle timeout", (text) => {
    expect(parseIdleTimeout(text)).toBeUndefined();
  });

  test("so many zones are a whole number from one", () => {
    expect(["1", "12", "0", "-1", "1.5", "", undefined].map(parseMinZones)).toEqual([
      1,
      12,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
