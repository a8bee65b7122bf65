import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
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
import { capoFinalizer } from "../../apis/openstack-cluster/openstack-cluster.ts";
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
    monotonicMs: 0,
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

/** Nothing stands in the way, and nothing is there. */
const free: World = {
  host: dnsEndpoint.host,
  subnets: ["there", "there", "there"],
  external: true,
  floating: true,
  legacy: undefined,
  recorded: false,
};

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
    const observed = observedIn(free);
    const blind = { known: false, reason: "OpenStackUnreachable", message: "no connection" } as const;
    const unseen = { ...observed, balancers: blind, places: blind, capabilities: blind, floatingIps: blind };
    expect(migrationCheck(inputOf(unseen))).toMatchObject({ answer: "unknown", steps: [] });
    expect(migrationCheck({ ...inputOf(unseen), definition: "foreign" }).answer).toBe("cannot");
    // A Neutron that is away alone leaves the zones open.
    expect(migrationCheck(inputOf({ ...observed, places: blind })).answer).toBe("unknown");
  });
});

describe("what is found", () => {
  const found = (check: string, observed: EndpointObserved, over: Partial<MigrationInput> = {}) =>
    migrationCheck({ ...inputOf(observed), ...over }).findings.flatMap((one) =>
      one.check === check ? [one.says] : [],
    );
  const withIntent = (over: Partial<EndpointObserved["intent"]>): EndpointObserved => {
    const observed = observedIn(free);
    return { ...observed, intent: { ...observed.intent, ...over } as EndpointObserved["intent"] };
  };
  const clusters = { host: "api.example.com", port: 6443 };

  test.each<readonly [string, Partial<EndpointObserved["intent"]>]>([
    ["the cluster has no endpoint yet", { endpoint: undefined }],
    [
      "the Cluster's is api.example.com, and the OpenStackCluster names none",
      { endpoint: undefined, clusterEndpoint: clusters },
    ],
    [
      "the Cluster's is api.example.com, but the OpenStackCluster holds 203.0.113.9, which cannot change",
      { endpoint: { host: "203.0.113.9", port: 6443 }, clusterEndpoint: clusters },
    ],
    [
      "the Cluster's is api.example.com, the APIEndpoint names 203.0.113.9: records are made for 203.0.113.9",
      { door: "APIEndpoint", endpoint: { host: "203.0.113.9", port: 6443 }, clusterEndpoint: clusters },
    ],
  ])("of the endpoint: %s", (says, over) => {
    expect(found("endpoint", withIntent(over))).toEqual([says]);
  });

  test("of a finalizer of CAPO's, which stays only on an OpenStackCluster that CAPO lets go", () => {
    const observed = observedIn(free);
    const bearing = { ...observed, object: { ...observed.object, foreignFinalizers: [capoFinalizer] } };
    expect(found("finalizer", bearing)).toHaveLength(1);
    expect(found("finalizer", observed)).toEqual([]);
    expect(found("finalizer", { ...bearing, intent: { ...bearing.intent, door: "APIEndpoint" } })).toEqual([]);
  });

  test("of managed subnets, which stand in the way of an OpenStackCluster alone", () => {
    const infrastructure = { hasManagedSubnets: true, hasBalancers: false };
    const answer = (door: "OpenStackCluster" | "APIEndpoint") =>
      migrationCheck({ ...inputOf(withIntent({ door })), infrastructure }).answer;
    expect([answer("OpenStackCluster"), answer("APIEndpoint")]).toEqual(["cannot", "can"]);
  });

  test("of balancers and floating IPs: which are there, and which are to be made", () => {
    const taken = observedIn({ ...free, legacy: "sub-az1", recorded: true });
    const said = (observed: EndpointObserved) => found("floating IPs", observed)[0];
    const only = { ...taken, intent: zonesIntent(["az1"]) };
    const address = { id: "fip-1", address: "203.0.113.9", floatingNetworkId: "public", description: "somebody's" };
    const floatingIps = known([{ ...address, tags: [], projectId: "p", portId: "vip-legacy" }]);
    expect(said(observedIn(free))).toBe("new ones come from network public");
    expect(said(only)).toBe("new ones come from network public");
    expect(said({ ...only, floatingIps })).toBe("every zone has its own already");
    expect(said({ ...taken, floatingIps })).toBe("new ones come from network public");
    expect(migrationCheck(inputOf({ ...only, floatingIps })).needs).toMatchObject({ loadBalancers: 0, floatingIps: 0 });
    expect(migrationCheck(inputOf(observedIn(free))).needs).toMatchObject({ loadBalancers: 3, floatingIps: 3 });
  });

  test("of the legacy balancer's floating IP: who made it, and what becomes of it", () => {
    const taken = observedIn({ ...free, legacy: "sub-az1", recorded: true });
    const said = (description: string) => {
      const row = { id: "fip-1", address: "203.0.113.9", floatingNetworkId: "public", description, tags: [] };
      const floatingIps = known([{ ...row, projectId: "p", portId: "vip-legacy" }]);
      return found("floating IPs", { ...taken, floatingIps }).filter((one) => one.includes("legacy"));
    };
    expect(said(capoDescription)).toEqual([
      "203.0.113.9, on the legacy balancer: CAPO or Mainstay made it, so it stays on the balancer and goes with it when it is deleted",
    ]);
    expect(said("somebody's")).toEqual([
      "203.0.113.9, on the legacy balancer: somebody else made it, so it stays on the balancer and is never deleted",
    ]);
  });

  test("of zones with IPv6, which need no floating IP", () => {
    const observed = observedIn(free);
    const six = { cidr: "2001:db8:1::/64", ipVersion: 6 } as const;
    const zoneSubnets = new Map(zones.map((zone) => [zone, one(subnetOf(zone, zone === "az2" ? six : {}))]));
    const needs = migrationCheck(inputOf({ ...observed, places: known(placesOf(zones, { zoneSubnets })) })).needs;
    expect(needs).toMatchObject({ loadBalancers: 3, floatingIps: 2 });
  });
});

describe("of a cluster that has moved", () => {
  const moved = (asked: readonly string[]) => {
    const world = new CloudModel(zonesIntent(["az1", "az2"]));
    world.join(machine("az1", 1), machine("az2", 1));
    world.converge();
    world.places = known(placesOf(zones));
    world.intent = zonesIntent(asked);
    return migrationCheck({ ...inputOf(world.observe()), nowMs: world.nowMs });
  };
  const steps = (asked: readonly string[]) => moved(asked).steps.map(({ does }) => does);
  const apply = "apply the OpenStackCluster as proposed";

  test("nothing is to be applied while it is as it is mapped, and something where a zone comes or goes", () => {
    expect(moved(["az1", "az2"]).answer).toBe("moved");
    expect(steps(["az1", "az2"])).not.toContain(apply);
    expect(steps(["az1", "az2", "az3"])).toContain(apply);
    expect(steps(["az1"])).toContain(apply);
  });

  test("addresses are to be published while a zone has none yet, and not again when all have", () => {
    const publishes = (all: readonly string[]) =>
      all.some((does) => does.startsWith("publish the address of each zone"));
    expect(publishes(steps(["az1", "az2"]))).toBe(false);
    expect(publishes(steps(["az1", "az2", "az3"]))).toBe(true);
    const only = { ...observedIn({ ...free, legacy: "sub-az1", recorded: true }), intent: zonesIntent(["az1"]) };
    expect(publishes(migrationCheck(inputOf(only)).steps.map(({ does }) => does))).toBe(true);
  });

  test("it is said which zones get a balancer", () => {
    const says = (asked: readonly string[]) =>
      moved(asked)
        .findings.map((one) => one.says)
        .join("; ");
    expect(says(["az1", "az2"])).toContain("every zone has its own already");
    expect(says(["az1", "az2", "az3"])).toContain("a new one is made for az3");
  });
});
