import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  amphora,
  capoDescription,
  dnsEndpoint,
  legacyName,
  machine,
  networkOf,
  one,
  ownerId,
  placesOf,
  subnetOf,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";
import type { Subnet } from "../../../../core/openstack/neutron-objects.ts";
import { factsOf } from "../../../../core/reasons.ts";
import type { BalancerObserved, EndpointObserved, Found } from "../model/observed.ts";
import { planEndpoint } from "../plan.ts";
import { type MigrationInput, migrationCheck } from "./migration-check.ts";

const nowMs = 1_000_000;
const zones = ["az1", "az2", "az3"];

function legacyIn(subnetId: string): BalancerObserved {
  const status = { provisioningStatus: "ACTIVE", operatingStatus: "ONLINE" } as const;
  return {
    balancer: {
      id: "legacy",
      name: legacyName,
      ...status,
      description: capoDescription,
      adminStateUp: true,
      projectId: "p",
      provider: "amphora",
      vipAddress: "10.0.1.5",
      vipPortId: "vip-legacy",
      vipSubnetId: subnetId,
      vipNetworkId: "net",
      tags: [],
      createdAt: "2026-01-01T00:00:00",
    },
    listeners: [],
    monitors: [],
    tree: known({ id: "legacy", name: legacyName, ...status, listeners: [], pools: [] }),
  };
}

/** Everything that may or may not stand in the way. */
const worlds = fc.record({
  host: fc.constantFrom(dnsEndpoint.host, "203.0.113.9", "2001:db8::1"),
  subnets: fc.array(fc.constantFrom("there", "there", "there", "elsewhere", "missing", "duplicate"), {
    minLength: 3,
    maxLength: 3,
  }),
  external: fc.boolean(),
  floating: fc.boolean(),
  legacy: fc.option(fc.constantFrom("sub-az1", "sub-az3", "sub-nodes"), { nil: undefined }),
  recorded: fc.boolean(),
});

type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

function observedIn({ host, subnets, external, floating, legacy, recorded }: World): EndpointObserved {
  const found = (zone: string, state: string | undefined): Found<Subnet> => {
    if (state === "missing") return { found: "none", message: `subnet of ${zone}: no such subnet` };
    if (state === "duplicate") return one(subnetOf("az1"));
    return one(subnetOf(zone, state === "elsewhere" ? { networkId: "other" } : {}));
  };
  const single = {
    id: "legacy",
    name: legacyName,
    address: undefined,
    internalAddress: "10.0.1.5",
    networkId: undefined,
    subnetId: undefined,
  };
  return {
    intent: zonesIntent(zones, {
      endpoint: { host, port: 6443 },
      floatingIp: { enabled: floating, address: undefined },
    }),
    standing: { is: "ours", ownerId },
    recorded: { zones: [], single: legacy !== undefined && recorded ? single : undefined, networkId: undefined },
    capabilities: known(amphora),
    places: known(
      placesOf(zones, {
        zoneSubnets: new Map(zones.map((zone, index) => [zone, found(zone, subnets[index])])),
        externalNetwork: external
          ? one(networkOf("public", { external: true }))
          : { found: "none", message: "no network fits" },
      }),
    ),
    balancers: known(legacy === undefined ? [] : [legacyIn(legacy)]),
    floatingIps: known([]),
    machines: zones.map((zone) => machine(zone, 1)),
    object: { uid: "u", resourceVersion: "1", hasFinalizer: true, paused: false, provisioned: true, handOff: "none" },
  };
}

function inputOf(observed: EndpointObserved): MigrationInput {
  return {
    observed,
    definition: "ours",
    infrastructure: undefined,
    isClaimed: true,
    servesApiEndpoint: true,
    isProposed: true,
    updateProblems: [],
    nowMs,
  };
}

/** As it is after the first round: where each balancer goes is written down. */
function placed(observed: EndpointObserved): EndpointObserved {
  const subnets = observed.places.known ? observed.places.value.zoneSubnets : new Map<string, Found<Subnet>>();
  const entries = zones.flatMap((zone) => {
    const found = subnets.get(zone);
    if (found?.found !== "one") return [];
    const nothing = { id: undefined, name: undefined, address: undefined, internalAddress: undefined };
    return [{ zone, ...nothing, networkId: "net", subnetId: found.value.id }];
  });
  return { ...observed, recorded: { ...observed.recorded, zones: entries } };
}

describe("whether a cluster can move", () => {
  test("is said as the planner would decide, over random worlds", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const observed = observedIn(world);
        const { answer } = migrationCheck(inputOf(observed));
        const refused = planEndpoint(observed, nowMs).refusals.some(
          ({ reason }) => factsOf(reason).severity === "error",
        );
        // Without an external network the planner says so only when a balancer is there to be given an address.
        const isStranded = world.floating && !world.external;
        expect(answer).toBe(refused || isStranded ? "cannot" : "can");
      }),
      { numRuns: 300 },
    );
  });

  test("as many balancers are announced as the planner then makes", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const observed = observedIn(world);
        const { answer, needs } = migrationCheck(inputOf(observed));
        fc.pre(answer === "can");
        const made = planEndpoint(placed(observed), nowMs).actions.filter(
          ({ kind }) => kind === "create-load-balancer",
        );
        expect(needs?.loadBalancers).toBe(made.length);
      }),
      { numRuns: 60 },
    );
  });

  test("the order of what was seen changes nothing", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const observed = observedIn(world);
        const turned = { ...observed, machines: observed.machines.toReversed() };
        expect(migrationCheck(inputOf(turned))).toEqual(migrationCheck(inputOf(observed)));
      }),
      { numRuns: 50 },
    );
  });

  test("nobody can tell while the cloud cannot be seen, unless something else stands in the way", () => {
    const observed = observedIn({
      host: dnsEndpoint.host,
      subnets: ["there", "there", "there"],
      external: true,
      floating: true,
      legacy: undefined,
      recorded: false,
    });
    const blind = { known: false, reason: "OpenStackUnreachable", message: "no connection" } as const;
    const unseen = { ...observed, balancers: blind, places: blind, capabilities: blind, floatingIps: blind };
    expect(migrationCheck(inputOf(unseen))).toMatchObject({ answer: "unknown", steps: [] });
    expect(migrationCheck({ ...inputOf(unseen), definition: "foreign" }).answer).toBe("cannot");
    // A Neutron that is away alone leaves the zones open.
    expect(migrationCheck(inputOf({ ...observed, places: blind })).answer).toBe("unknown");
  });
});
