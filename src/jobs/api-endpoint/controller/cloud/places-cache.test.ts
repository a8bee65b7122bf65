// What a spec's selectors mean is asked for once in minutes; what was not found, which somebody may be creating, much sooner.

import { expect, test } from "vitest";
import { intent, networkOf, nodeSubnet } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import type { NeutronReader } from "../../../../ports/neutron.ts";
import { PlacesCache } from "./places-cache.ts";

/** A Neutron that counts how often it was asked for the external network, and has one or not. */
function countingNeutron(external: readonly string[]) {
  let asked = 0;
  const neutron = {
    getNetwork: async (id: string) => networkOf(id),
    listNetworks: async () => {
      asked += 1;
      return external.map((id) => networkOf(id, { external: true }));
    },
    listSubnets: async () => [nodeSubnet],
    listRouters: async () => [],
    listPorts: async () => [],
  } as unknown as NeutronReader;
  const places = new PlacesCache();
  const at = async (seconds: number, over: Parameters<typeof intent>[0] = {}) => {
    const asking = {
      key: "a",
      endpointKey: "cloud",
      version: "1",
      isAtRest: false,
      call: {},
      monotonicMs: seconds * 1_000,
    };
    await places.get({ ...asking, intent: intent({ externalNetwork: { filter: {} }, ...over }), neutron });
    return asked;
  };
  return { at };
}

test("what was found is asked for again after minutes, or when the selectors change", async () => {
  const { at } = countingNeutron(["public"]);
  expect([await at(0), await at(60), await at(61, { clusterNetwork: { id: "other" } })]).toEqual([1, 1, 2]);
});

test.each([
  ["none", []],
  ["many", ["public", "other"]],
])(
  "a selector that leads to %s is followed again after 15 seconds, whatever the others lead to",
  async (_, external) => {
    const { at } = countingNeutron(external);
    expect([await at(0), await at(14.9), await at(15)]).toEqual([1, 1, 2]);
  },
);
