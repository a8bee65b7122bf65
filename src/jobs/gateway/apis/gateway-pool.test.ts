import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fakeTokens, fakeUsers } from "../../../../test/contract/targets/fake-users.ts";
import { apiVersionOf, type Kind, type KubeObject } from "../../../apis/kube/kube-object.ts";
import { formatProblem } from "../../../apis/text/problem.ts";
import { installCrds } from "../../../cli/install-crds.ts";
import { isKubeError } from "../../../core/kube-error.ts";
import { kubeClient } from "../../../drivers/kube/client.ts";
import { systemClock } from "../../../drivers/system/system-clock.ts";
import { createFakeKubeApi, type FakeKubeApi } from "../../../sim/fakes/kube/api-server.ts";
import { seededRandom } from "../../../sim/time/seeded-random.ts";
import { type GatewayPool, gatewayPools } from "./gateway-pool.ts";
import { gatewayPoolCrd } from "./gateway-pool-crd.ts";
import { gatewayPoolProblems, gatewayPoolUpdateProblems } from "./gateway-pool-validation.ts";

type Spec = Readonly<Record<string, unknown>>;

const ids = { one: "cad5a91a-36de-4388-823b-b0cc82cadfdc", two: "e2407c18-c4e7-4d3d-befa-8eec5d8756f2" };
const gateways = [
  { name: "gw1", url: "https://gw1.example.com:8443", externalPortID: ids.one },
  { name: "gw2", url: "https://gw2.example.com:8443", externalPortID: ids.two },
];
const group = { name: "a", sourceAddresses: ["10.0.0.10", "10.0.0.11"] };
const vrrp = { virtualRouterIDBase: 50, groups: [group] };
const listed: Spec = { gateways, addresses: { static: { ipv4: ["192.0.2.10-192.0.2.20", "192.0.2.7"] } }, vrrp };
const identityRef = { namespace: "kube-system", name: "cloud", cloudName: "openstack" };
const neutron = { identityRef, subnets: { ipv4: { id: ids.one } }, floatingIPs: { networkID: ids.two } };
const inCloud: Spec = { ...listed, addresses: { neutron } };

const right: readonly (readonly [name: string, spec: Spec])[] = [
  ["static addresses", listed],
  ["addresses from Neutron", inCloud],
  [
    "several groups over three gateways, in two families",
    {
      gateways: [...gateways, { name: "gw3", url: "http://10.0.0.3:15203/agent" }],
      addresses: { static: { ipv4: ["192.0.2.32/28"], ipv6: ["2001:db8::100-2001:db8::1ff"] } },
      vrrp: {
        virtualRouterIDBase: 50,
        advertIntervalMs: 50,
        groups: [
          { name: "a", sourceAddresses: ["10.0.0.10", "fd00::10"], order: ["gw1", "gw3"] },
          { name: "b", virtualRouterID: 77, sourceAddresses: ["10.0.0.20", "fd00::20"] },
        ],
      },
      sharing: "ByKey",
      backendLayer: "Pod",
      loadBalancerClass: "example.com/internal",
      isDefault: true,
      limits: { addresses: 10, servicesPerNamespace: 50 },
    },
  ],
  ["a pair with ch-k8s-lbaas", { ...listed, vrrp: { ...vrrp, mode: "Compat", advertIntervalMs: 1000 } }],
];

const withGateway = (change: object) => ({ ...listed, gateways: [{ ...gateways[0], ...change }] });
const withVrrp = (change: object) => ({ ...listed, vrrp: { ...vrrp, ...change } });
const withGroup = (change: object) => withVrrp({ groups: [{ ...group, ...change }] });
const withNeutron = (change: object) => ({ ...listed, addresses: { neutron: { ...neutron, ...change } } });
const withIdentity = (change: object) => withNeutron({ identityRef: { ...identityRef, ...change } });
const twoGroups = [group, { name: "b", sourceAddresses: ["10.0.0.20"] }];
const v6 = { ...listed, addresses: { static: { ipv6: ["2001:db8::1"] } } };

/** `alone`: a schema cannot say it, only validation does. */
type Wrong = readonly [name: string, spec: Spec, field: string, alone?: "alone"];
const wrong: readonly Wrong[] = [
  ["no gateway", { ...listed, gateways: [] }, "spec.gateways"],
  ["a gateway's name that is none", withGateway({ name: "GW_1" }), "spec.gateways[0].name"],
  ["a URL that is none", withGateway({ url: "gw1:8443" }), "spec.gateways[0].url"],
  ["a port id that is none", withGateway({ externalPortID: "port-1" }), "spec.gateways[0].externalPortID"],
  [
    "a VRRP address that is none",
    withGateway({ vrrpAddress: "gw1.example.com" }),
    "spec.gateways[0].vrrpAddress",
    "alone",
  ],
  [
    "two gateways of one name",
    { ...listed, gateways: [gateways[0], { ...gateways[1], name: "gw1" }] },
    "spec.gateways[1]",
  ],
  [
    "two gateways with one port",
    { ...listed, gateways: [gateways[0], { ...gateways[1], externalPortID: ids.one }] },
    "spec.gateways[1].externalPortID",
    "alone",
  ],
  [
    "a VRRP address on one of two",
    { ...listed, gateways: [{ ...gateways[0], vrrpAddress: "10.0.0.1" }, gateways[1]] },
    "spec.gateways",
  ],
  ["no source of addresses", { ...listed, addresses: {} }, "spec.addresses"],
  [
    "two sources of addresses",
    { ...listed, addresses: { neutron, static: { ipv4: ["192.0.2.1"] } } },
    "spec.addresses",
  ],
  ["an empty list", { ...listed, addresses: { static: { ipv4: [] } } }, "spec.addresses.static", "alone"],
  [
    "an address that is none",
    { ...listed, addresses: { static: { ipv4: ["192.0.2.300"] } } },
    "spec.addresses.static.ipv4[0]",
    "alone",
  ],
  [
    "IPv6 among IPv4",
    { ...listed, addresses: { static: { ipv4: ["192.0.2.1", "2001:db8::1"] } } },
    "spec.addresses.static.ipv4[1]",
    "alone",
  ],
  [
    "a range with three ends",
    { ...listed, addresses: { static: { ipv4: ["192.0.2.1-192.0.2.2-192.0.2.3"] } } },
    "spec.addresses.static.ipv4[0]",
    "alone",
  ],
  ["no subnet", withNeutron({ subnets: {} }), "spec.addresses.neutron.subnets"],
  [
    "a subnet's id that is none",
    withNeutron({ subnets: { ipv4: { id: "public" } } }),
    "spec.addresses.neutron.subnets.ipv4.id",
  ],
  [
    "floating IPs without IPv4",
    withNeutron({ subnets: { ipv6: { id: ids.one } } }),
    "spec.addresses.neutron.floatingIPs",
    "alone",
  ],
  [
    "a Secret without a namespace",
    withIdentity({ namespace: undefined }),
    "spec.addresses.neutron.identityRef.namespace",
  ],
  [
    "a ClusterIdentity with one",
    withIdentity({ type: "ClusterIdentity" }),
    "spec.addresses.neutron.identityRef.namespace",
  ],
  ["an unknown kind of identity", withIdentity({ type: "Vault" }), "spec.addresses.neutron.identityRef.type"],
  ["an unknown layer", { ...listed, backendLayer: "Service" }, "spec.backendLayer"],
  ["an unknown policy of sharing", { ...listed, sharing: "Always" }, "spec.sharing"],
  ["no VRRP settings", { ...listed, vrrp: undefined }, "spec.vrrp"],
  ["no group", withVrrp({ groups: [] }), "spec.vrrp.groups"],
  [
    "two groups of one name",
    withVrrp({ groups: [group, { ...group, sourceAddresses: ["10.0.0.20"] }] }),
    "spec.vrrp.groups[1]",
  ],
  ["a router id out of range", withVrrp({ virtualRouterIDBase: 256 }), "spec.vrrp.virtualRouterIDBase"],
  [
    "a base too high for its groups",
    withVrrp({ virtualRouterIDBase: 255, groups: twoGroups }),
    "spec.vrrp.virtualRouterIDBase",
    "alone",
  ],
  [
    "one router id for two groups",
    withVrrp({ groups: [group, { ...twoGroups[1], virtualRouterID: 50 }] }),
    "spec.vrrp.groups[1].virtualRouterID",
    "alone",
  ],
  ["an interval that VRRP cannot say", withVrrp({ advertIntervalMs: 55 }), "spec.vrrp.advertIntervalMs"],
  ["an interval out of range", withVrrp({ advertIntervalMs: 50_000 }), "spec.vrrp.advertIntervalMs"],
  ["half a second with Compat", withVrrp({ mode: "Compat", advertIntervalMs: 500 }), "spec.vrrp.advertIntervalMs"],
  ["two groups with Compat", withVrrp({ mode: "Compat", groups: twoGroups }), "spec.vrrp.groups"],
  [
    "two groups with a preserved client address",
    { ...withVrrp({ groups: twoGroups }), clientAddress: "Preserved" },
    "spec.vrrp.groups",
  ],
  ["a group's name that is none", withGroup({ name: "Group A" }), "spec.vrrp.groups[0].name"],
  [
    "a source address that is none",
    withGroup({ sourceAddresses: ["10.0.0.10", "inside"] }),
    "spec.vrrp.groups[0].sourceAddresses[1]",
    "alone",
  ],
  [
    "a source address in two groups",
    withVrrp({ groups: [group, { ...group, name: "b" }] }),
    "spec.vrrp.groups[1].sourceAddresses",
    "alone",
  ],
  [
    "no IPv4 source address",
    withGroup({ sourceAddresses: ["fd00::1"] }),
    "spec.vrrp.groups[0].sourceAddresses",
    "alone",
  ],
  ["IPv6 without an IPv6 source address", v6, "spec.vrrp.groups[0].sourceAddresses", "alone"],
  ["an order with a stranger", withGroup({ order: ["gw9"] }), "spec.vrrp.groups[0].order[0]", "alone"],
  ["a class that is none", { ...listed, loadBalancerClass: "my class" }, "spec.loadBalancerClass", "alone"],
  ["a limit of nothing", { ...listed, limits: { addresses: 0 } }, "spec.limits.addresses"],
  ["a cluster id that is none", { ...listed, clusterID: "a b" }, "spec.clusterID"],
];

function pool(spec: Spec): GatewayPool {
  const metadata = { name: "public" };
  // Tests write what people write, right or wrong.
  return { apiVersion: apiVersionOf(gatewayPools), kind: "GatewayPool", metadata, spec };
}

describe("a GatewayPool", () => {
  let api: FakeKubeApi;
  const loose: Kind<KubeObject & { spec?: unknown }> = { ...gatewayPools };
  const client = () => kubeClient({ transport: api.transport(fakeTokens.admin), clock: systemClock });
  beforeAll(async () => {
    api = createFakeKubeApi({ clock: systemClock, random: seededRandom(5), users: fakeUsers });
    await installCrds(client(), systemClock, [{ crd: gatewayPoolCrd }]);
  });
  afterAll(() => api.close());

  async function refusalOf(call: Promise<unknown>): Promise<string> {
    const outcome: unknown = await call.catch((error: unknown) => error);
    return isKubeError(outcome) ? outcome.message : "";
  }

  test.each(right)("with %s is taken", async (name, spec) => {
    expect(gatewayPoolProblems(pool(spec)).map(formatProblem)).toEqual([]);
    const metadata = { name: name.replaceAll(/[^a-z0-9]+/gi, "-").toLowerCase() };
    await client().create(loose, { ...pool(spec), metadata });
    await client().delete(loose, metadata);
  });

  const refused = wrong.map(([name, spec, field, alone]) => ({ name, spec, field, alone }));
  test.each(refused)("with $name is refused, and the field is named", ({ spec, field }) => {
    expect(gatewayPoolProblems(pool(spec)).filter(({ where }) => where.startsWith(field))).not.toEqual([]);
  });

  test.each(refused.filter(({ alone }) => alone === undefined))(
    "with $name is refused by the API server itself",
    async ({ spec, field }) => {
      expect(await refusalOf(client().create(loose, pool(spec)))).toContain(field);
    },
  );

  test("that is wrong in many places names all of them", () => {
    const spec = { gateways: [{ name: "GW", url: "gw" }], addresses: {}, vrrp: { ...vrrp, virtualRouterIDBase: 0 } };
    const places = gatewayPoolProblems(pool(spec)).map(({ where }) => where);
    expect(places).toEqual([
      "spec.gateways[0].name",
      "spec.gateways[0].url",
      "spec.addresses",
      "spec.vrrp.virtualRouterIDBase",
    ]);
  });

  test("that lacks everything names what it lacks", () => {
    const places = gatewayPoolProblems({ ...pool({}), spec: {} }).map(({ where }) => where);
    expect(places).toEqual(["spec.gateways", "spec.addresses", "spec.vrrp"]);
  });

  test("has defaults that say how ch-k8s-lbaas does it", async () => {
    const made = await client().create(loose, { ...pool(listed), metadata: { name: "defaults" } });
    expect(made.spec).toMatchObject({
      backendLayer: "NodePort",
      sharing: "ByPort",
      clientAddress: "Replaced",
      withoutEndpoints: "Reject",
      isDefault: false,
      vrrp: { mode: "VRRP3" },
    });
  });

  test("keeps the mark of its cluster and the region of its cloud", async () => {
    const before = { ...inCloud, clusterID: "blue" };
    const region = { ...withIdentity({ region: "east" }), clusterID: "blue" };
    const at = (after: Spec) => gatewayPoolUpdateProblems(pool(before), pool(after)).map(({ where }) => where);
    expect(at({ ...before, clusterID: "green" })).toEqual(["spec.clusterID"]);
    expect(at(region)).toEqual(["spec.addresses.neutron.identityRef.region"]);
    expect(at({ ...before, isDefault: true })).toEqual([]);
    const metadata = { name: "immutable" };
    await client().create(loose, { ...pool(before), metadata });
    const update = (spec: Spec) => client().patch(loose, metadata, { type: "merge", body: { spec } });
    expect(await refusalOf(update({ ...before, clusterID: "green" }))).toContain("clusterID");
    expect(await refusalOf(update(region))).toContain("region");
  });

  test("never changes the router id of a group that gateways speak", () => {
    const three = {
      ...listed,
      vrrp: { ...vrrp, groups: [...twoGroups, { name: "c", sourceAddresses: ["10.0.0.30"] }] },
    };
    const shifted = { ...listed, vrrp: { ...vrrp, groups: three.vrrp.groups.slice(1) } };
    const kept = { ...listed, vrrp: { virtualRouterIDBase: 51, groups: three.vrrp.groups.slice(1) } };
    const problems = (after: Spec) => gatewayPoolUpdateProblems(pool(three), pool(after));
    expect(problems(shifted).map(({ message }) => message)).toEqual([
      'the group "b" would change its virtual router id from 51 to 50',
      'the group "c" would change its virtual router id from 52 to 51',
    ]);
    expect(problems(kept)).toEqual([]);
  });
});
