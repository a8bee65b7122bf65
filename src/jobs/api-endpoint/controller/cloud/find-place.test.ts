// Every field of a selector narrows what is found, in Neutron's words for it.

import { describe, expect, test } from "vitest";
import { networkOf, subnetOf } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import type { NetworkId } from "../../../../core/openstack/ids.ts";
import { OpenStackError } from "../../../../core/openstack/openstack-error.ts";
import type { NeutronReader } from "../../../../ports/neutron.ts";
import type { SubnetFilter } from "../../core/model/intent.ts";
import { findNetwork, findSubnet } from "./find-place.ts";
import type { AskPlace } from "./place-answers.ts";

/** Rows as Neutron has them, with what it can be asked for. */
const subnets = [
  { ...subnetOf("az1"), projectId: "p", gatewayIp: "10.0.1.1", ipv6RaMode: "slaac" },
  { ...subnetOf("az2"), projectId: "q", gatewayIp: "10.0.2.1", ipv6RaMode: "dhcpv6-stateful", networkId: "other" },
];
const networks = [networkOf("net"), networkOf("public", { external: true, projectId: "q" })];

function fitting<T extends object>(rows: readonly T[], query: object): readonly T[] {
  return rows.filter((row) => Object.entries(query).every(([field, value]) => Reflect.get(row, field) === value));
}

function missing(operation: string): OpenStackError {
  return new OpenStackError({ code: "NotFound", service: "neutron", operation, message: "404" });
}

function refusing(operation: string): OpenStackError {
  return new OpenStackError({ code: "Forbidden", service: "neutron", operation, message: "403" });
}

const neutron = {
  listSubnets: async (query: object) => fitting(subnets, query),
  listNetworks: async (query: object) => fitting(networks, query),
  getSubnet: async (id: string) => {
    const [found] = fitting(subnets, { id });
    if (found === undefined) throw missing("get subnet");
    return found;
  },
  getNetwork: async () => {
    throw refusing("get network");
  },
} as unknown as NeutronReader;
const ask: AskPlace = (_, question) => question();
const resolver = { neutron, call: {}, ask };

describe("a subnet", () => {
  const filtered = async (filter: SubnetFilter, networkId?: string) => {
    const within = networkId === undefined ? undefined : { id: networkId as NetworkId, name: "" };
    const found = await findSubnet({ filter }, within, resolver);
    return found.found === "one" ? found.value.id : found.found;
  };

  test.each<readonly [SubnetFilter]>([
    [{ projectID: "q" }],
    [{ gatewayIP: "10.0.2.1" }],
    [{ ipv6RAMode: "dhcpv6-stateful" }],
    [{ name: "az2" }],
    [{ cidr: "10.0.2.0/24" }],
  ])("is the one that fits %j", async (filter) => {
    expect(await filtered(filter)).toBe("sub-az2");
    expect(await filtered(filter, "net")).toBe("none");
  });

  test("of which several fit is none, and they are named", async () => {
    expect(await filtered({})).toBe("many");
    expect(await filtered({}, "other")).toBe("sub-az2");
    expect(await findSubnet({ filter: {} }, undefined, resolver)).toEqual({
      found: "many",
      message: "2 subnets: sub-az1, sub-az2",
    });
  });

  test("that is not there is named as the user named it, with its network's name", async () => {
    const within = { id: "net" as NetworkId, name: "tenant" };
    const message = async (filter: SubnetFilter) => await findSubnet({ filter }, within, resolver);
    expect(await message({ name: "tenant-9" })).toEqual({
      found: "none",
      message: "no subnet named tenant-9 in network tenant",
    });
    expect(await message({ name: "a", cidr: "10.9.0.0/24", ipVersion: 4 })).toEqual({
      found: "none",
      message: "no subnet named a with cidr 10.9.0.0/24 and ipVersion 4 in network tenant",
    });
  });

  test("is found by its id, and said to be missing where the project cannot see it", async () => {
    expect(await findSubnet({ id: "sub-az1" }, undefined, resolver)).toMatchObject({ found: "one" });
    expect(await findSubnet({ id: "sub-az9" }, undefined, resolver)).toEqual({
      found: "none",
      message: "subnet sub-az9: the project can see no such subnet",
    });
  });
});

describe("a network", () => {
  const filtered = async (filter: { readonly projectID?: string }, extra: { readonly external?: boolean } = {}) => {
    const found = await findNetwork({ filter }, extra, resolver);
    return found.found === "one" ? found.value.id : found.found;
  };

  test("is the one that fits its filter and is external where that is asked for", async () => {
    expect([await filtered({ projectID: "q" }), await filtered({}, { external: true }), await filtered({})]).toEqual([
      "public",
      "public",
      "many",
    ]);
    expect(await filtered({ projectID: "q" }, { external: false })).toBe("none");
  });

  test("that may not be asked for is not said to be missing", async () => {
    await expect(findNetwork({ id: "net" }, {}, resolver)).rejects.toThrow("403");
  });
});
