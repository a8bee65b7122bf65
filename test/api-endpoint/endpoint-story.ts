// Random stories of a cluster: what users, machines and the cloud do between two rounds, and rounds that end in the middle. Every
// round is checked against the laws while it runs.

import fc from "fast-check";
import { expect } from "vitest";
import { known } from "../../src/core/known.ts";
import type { LoadBalancer } from "../../src/core/openstack/octavia-objects.ts";
import type { EndpointAction } from "../../src/jobs/api-endpoint/core/model/action.ts";
import { zonesOf } from "../../src/jobs/api-endpoint/core/model/intent.ts";
import { hasOwnerTag, isFloatingIpMade } from "../../src/jobs/api-endpoint/core/model/ownership.ts";
import { balancerTarget, CloudModel } from "./cloud-model.ts";
import {
  capoDescription,
  dnsEndpoint,
  intent,
  legacyName,
  location,
  machine,
  ownerId,
  placesOf,
  single,
  withMode,
  zoneBalancerName,
  zonesIntent,
} from "./endpoint-builders.ts";

export const allZones = ["az1", "az2", "az3"] as const;

export type Event =
  | { readonly do: "round" }
  /** The round ends after so many actions; the reply of the last one is lost, and nothing is reported. */
  | { readonly do: "crash"; readonly after: number }
  | { readonly do: "join"; readonly zone: string; readonly n: number }
  | { readonly do: "delete-machine"; readonly pick: number }
  | { readonly do: "machine-gone"; readonly pick: number }
  | { readonly do: "down"; readonly pick: number }
  | { readonly do: "up"; readonly pick: number }
  | { readonly do: "map"; readonly zones: readonly string[] }
  | { readonly do: "disable" }
  /** Balancers are switched off altogether. */
  | { readonly do: "off" }
  /** The object says something that cannot be, or no longer does. */
  | { readonly do: "problem"; readonly on: boolean }
  /** Somebody deletes a balancer's monitors. */
  | { readonly do: "unwatch"; readonly pick: number }
  | { readonly do: "cross-zone"; readonly on: boolean }
  | { readonly do: "ports"; readonly ports: readonly number[] }
  | { readonly do: "error"; readonly pick: number }
  | { readonly do: "hidden"; readonly pick: number; readonly on: boolean }
  | { readonly do: "neutron"; readonly away: boolean }
  /** The Secret leads to another project, and back. */
  | { readonly do: "credentials"; readonly astray: boolean }
  | { readonly do: "deleted-by-hand"; readonly pick: number }
  | { readonly do: "forget-status" };

const pick = fc.nat({ max: 5 });
const zones = fc.shuffledSubarray([...allZones], { minLength: 1 });

const machineEvents = fc.record({
  do: fc.constantFrom("delete-machine" as const, "machine-gone" as const, "down" as const, "up" as const),
  pick,
});
const neutronEvents = fc.record({ do: fc.constant("neutron" as const), away: fc.boolean() });

const blindEvents = fc.oneof(
  neutronEvents,
  fc.record({ do: fc.constant("hidden" as const), pick, on: fc.boolean() }),
  fc.record({ do: fc.constant("unwatch" as const), pick }),
  fc.record({ do: fc.constant("problem" as const), on: fc.boolean() }),
);

/** Nobody asks for anything else: machines come to an end, and now and then something cannot be seen, or must not be touched. */
export const quietEvents: fc.Arbitrary<Event> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ do: "round" } as const) },
  machineEvents,
  blindEvents,
);

export const events: fc.Arbitrary<Event> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ do: "round" } as const) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("crash" as const), after: fc.nat({ max: 4 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("join" as const),
      zone: fc.constantFrom(...allZones, "az9"),
      n: fc.integer({ min: 1, max: 3 }),
    }),
  },
  machineEvents,
  fc.record({ do: fc.constant("map" as const), zones }),
  fc.constantFrom({ do: "disable" } as const, { do: "off" } as const),
  fc.record({ do: fc.constant("cross-zone" as const), on: fc.boolean() }),
  fc.record({ do: fc.constant("ports" as const), ports: fc.shuffledSubarray([9345, 8132]) }),
  fc.record({ do: fc.constantFrom("error" as const, "deleted-by-hand" as const), pick }),
  blindEvents,
  fc.record({ do: fc.constant("credentials" as const), astray: fc.boolean() }),
  fc.constant({ do: "forget-status" } as const),
);

/** With zones, or as CAPO left it: a legacy balancer that only status knows, and a foreign one of our name. */
export function beginning(legacy: boolean, provider = "amphora", publishDns = false): CloudModel {
  const unclaimed = { location: undefined, publishDns };
  const world = new CloudModel(
    legacy ? intent({ endpoint: dnsEndpoint, ...unclaimed }) : zonesIntent(allZones, unclaimed),
  );
  world.places = known(placesOf(allZones));
  world.defaultProvider = provider;
  world.join(machine("az1", 1), machine("az2", 1), machine("az3", 1));
  if (legacy) {
    const row = world.addBalancer(
      { name: legacyName, description: capoDescription, vipSubnetId: "sub-az2", vipAddress: "10.0.2.9" },
      6443,
    );
    world.addMember(row, `${legacyName}-6443-cp-az1-1`, "10.6.1.1");
    const { address } = world.addFloatingIp({ portId: row.lb.vipPortId, description: capoDescription });
    world.recorded = {
      ...world.recorded,
      single: {
        id: row.lb.id,
        name: legacyName,
        address,
        internalAddress: "10.0.2.9",
        networkId: "net",
        subnetId: "sub-az2",
      },
    };
    world.object.provisioned = true;
  }
  const foreign = world.addBalancer(
    {
      name: zoneBalancerName("az1"),
      description: "somebody's",
      vipAddress: "10.9.9.9",
      tags: ["mainstay-owner=another"],
    },
    6443,
  );
  foreign.foreign = true;
  world.addFloatingIp({ address: "203.0.113.250", description: "somebody's" });
  return world;
}

// oxlint-disable-next-line complexity -- one case for each kind of event
export function happen(world: CloudModel, event: Event): void {
  const chosen = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];
  switch (event.do) {
    case "round":
      return checkedRound(world);
    case "crash":
      return checkedRound(world, event.after);
    case "join":
      if (!world.machines.some(({ name }) => name === machine(event.zone, event.n).name))
        world.join(machine(event.zone, event.n));
      return;
    case "delete-machine":
      return world.setDeleting(chosen(world.machines, event.pick)?.name ?? "");
    case "machine-gone":
      return world.leave(
        chosen(
          world.machines.filter(({ deleting }) => deleting),
          event.pick,
        )?.name ?? "",
      );
    case "down":
      return void world.up.delete(chosen(world.machines, event.pick)?.addresses[0] ?? "");
    case "up":
      return void world.up.add(chosen(world.machines, event.pick)?.addresses[0] ?? "");
    case "map": {
      const { additionalPorts, crossZone, location: written, publishDns } = world.intent;
      world.intent = zonesIntent(event.zones, { additionalPorts, crossZone, location: written, publishDns });
      return;
    }
    case "disable":
      world.intent = { ...withMode(world.intent, single), network: undefined };
      return;
    case "off":
      world.intent = { ...withMode(world.intent, { mode: "none" }), network: undefined };
      return;
    case "problem":
      world.problems = event.on ? [{ where: "spec", message: "it cannot be", hint: "Correct it." }] : [];
      return;
    case "unwatch": {
      const row = chosen(world.ours(), event.pick);
      if (row !== undefined) row.monitors = [];
      return;
    }
    case "cross-zone":
      world.intent = { ...world.intent, crossZone: event.on };
      return;
    case "ports":
      world.intent = { ...world.intent, additionalPorts: event.ports.toSorted() };
      return;
    case "error": {
      const row = chosen(world.ours(), event.pick);
      if (row?.lb.provisioningStatus === "ACTIVE") row.lb.provisioningStatus = "ERROR";
      return;
    }
    case "hidden": {
      const row = chosen(world.ours(), event.pick);
      if (row !== undefined) row.hidden = event.on;
      return;
    }
    case "neutron":
      world.neutronAway = event.away;
      return;
    case "credentials":
      // This model is one project: what would be built elsewhere before anything was written down is not in it.
      if (world.intent.location !== undefined) world.location = event.astray ? "q/RegionOne" : location;
      return;
    case "deleted-by-hand": {
      const row = chosen(
        world.ours().filter(({ lb }) => isMarked(world, lb)),
        event.pick,
      );
      world.rows = world.rows.filter((other) => other !== row);
      world.settle();
      return;
    }
    case "forget-status":
      // Only what is marked can be found again; a move happens to a cluster that is claimed.
      if (
        [
          ...world.ours().map(({ lb }) => lb),
          ...world.floatingIps.filter(({ description }) => description !== "somebody's"),
        ].every(({ tags }) => hasOwnerTag(tags, ownerId))
      )
        world.recorded = { zones: [], single: undefined, networkId: undefined };
      return;
  }
}

/** The balancer, and the floating IP on it: nothing else would say whose that was. */
function isMarked({ floatingIps }: CloudModel, { tags, vipPortId }: LoadBalancer): boolean {
  const attached = floatingIps.filter(({ portId }) => portId === vipPortId);
  return hasOwnerTag(tags, ownerId) && attached.every((one) => isFloatingIpMade(one, ownerId));
}

/** One round, checked; with `stopAfter` it ends there and nothing is reported. */
export function checkedRound(world: CloudModel, stopAfter = Number.POSITIVE_INFINITY): void {
  const plan = world.plan();
  const targets = plan.actions.flatMap((action) => balancerTarget(action) ?? []);
  expect(new Set(targets).size, "one change for each part").toBe(targets.length);
  for (const action of plan.actions.slice(0, stopAfter)) checkedApply(world, action);
  if (stopAfter === Number.POSITIVE_INFINITY) world.report(plan);
  world.settle();
}

function checkedApply(world: CloudModel, action: EndpointAction): void {
  const before = world.waysIn();
  const ledBefore = world.waysPublished();
  world.apply(action);
  const exempt = world.intent.deleting;
  if (action.kind === "apply-dns-endpoint" && ledBefore > 0)
    expect(world.waysPublished(), `records that lead to nobody: ${action.addresses.join(" ")}`).toBeGreaterThan(0);
  if (before > 0 && !exempt)
    expect(world.waysIn(), `never last: ${action.kind} ${"name" in action ? action.name : ""}`).toBeGreaterThan(0);
}

/** Everything that is broken is whole again; machines that were on their way out are gone. */
export function heal(world: CloudModel): void {
  world.machines = world.machines.filter(({ deleting }) => !deleting);
  const { mode } = world.intent;
  const home = zonesOf(world.intent)[0]?.zone ?? "az1";
  // Without a machine in a mapped zone the last way in is rightly kept elsewhere.
  if (!world.machines.some(({ zone }) => zone === home)) world.join(machine(home, 3));
  for (const { addresses } of world.machines) for (const address of addresses) world.up.add(address);
  if (mode === "none") world.intent = withMode(world.intent, single);
  world.neutronAway = false;
  world.problems = [];
  world.location = location;
  for (const row of world.rows) {
    row.hidden = false;
    if (row.lb.provisioningStatus === "ERROR") row.lb.provisioningStatus = "ACTIVE";
  }
}

/** The world is what the object asks for: nothing missing, nothing left over. */
export function expectAsWanted(world: CloudModel): void {
  const { intent: wanted, machines } = world;
  const fallbacks = world.ours().filter(({ lb }) => lb.tags.includes("mainstay-role=fallback"));
  const names = wanted.mode === "zones" ? wanted.zones.map(({ zone }) => zoneBalancerName(zone)) : [legacyName];
  const rest = world.ours().filter((row) => !fallbacks.includes(row));
  expect(rest.map(({ lb }) => lb.name).toSorted()).toEqual(names.toSorted());
  expect(fallbacks.length).toBeLessThanOrEqual(1);
  for (const row of rest)
    expectBalancer(world, row.lb.name, row.lb.tags.find((tag) => tag.startsWith("mainstay-zone="))?.slice(14));
  const ports = world.ours().map(({ lb }) => lb.vipPortId);
  const left = world.floatingIps.filter(
    ({ portId, address }) => address !== "203.0.113.250" && (portId === undefined || !ports.includes(portId)),
  );
  expect(left, "floating IPs that hang on nothing").toEqual([]);
  expect(world.floatingIps.find(({ address }) => address === "203.0.113.250")?.tags).toEqual([]);
  expect(machines.length).toBeGreaterThan(0);
}

/** Whatever is to become of a balancer: as long as it is there, who belongs behind it stands there. */
export function expectFollowing(world: CloudModel): void {
  const { intent: wanted, machines } = world;
  const whole = world
    .ours()
    .filter(
      ({ lb, listeners }) => lb.provisioningStatus === "ACTIVE" && listeners.some(({ defaultPoolId }) => defaultPoolId),
    );
  for (const { lb, listeners, pools } of whole) {
    const zone = lb.tags.find((tag) => tag.startsWith("mainstay-zone="))?.slice(14);
    const theirs = machines.filter((one) => zone === undefined || wanted.crossZone || one.zone === zone);
    const poolId = listeners.find(({ port }) => port === wanted.apiPort)?.defaultPoolId;
    const members = pools.find(({ id }) => id === poolId)?.members ?? [];
    expect(
      members.map(({ address }) => address),
      `who belongs behind ${lb.name}`,
    ).toEqual(expect.arrayContaining(theirs.filter(({ deleting }) => !deleting).flatMap(({ addresses }) => addresses)));
  }
}

function expectBalancer(world: CloudModel, name: string, zone: string | undefined): void {
  const { intent: wanted, machines } = world;
  const theirs = machines.filter((one) => zone === undefined || wanted.crossZone || one.zone === zone);
  for (const port of [wanted.apiPort, ...wanted.additionalPorts]) {
    expect(world.members(name, port), `members of ${name} ${port}`).toEqual(
      theirs.flatMap(({ addresses }) => addresses).toSorted(),
    );
  }
  const row = world.row(name);
  expect(row.listeners.map((listener) => listener.port).toSorted()).toEqual(
    [wanted.apiPort, ...wanted.additionalPorts].toSorted(),
  );
  expect(row.pools).toHaveLength(1 + wanted.additionalPorts.length);
  expect(row.monitors.every((monitor) => row.pools.some(({ id }) => id === monitor.poolId))).toBe(true);
  for (const part of [...row.listeners, ...row.pools, ...row.monitors])
    expect(part.name).toMatch(new RegExp(`^${name}-\\d+$`));
}
