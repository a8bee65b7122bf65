// What users, machines and the cloud do to a cluster between two rounds of its planner.

import fc from "fast-check";
import type { LoadBalancer } from "../../../src/core/openstack/octavia-objects.ts";
import { present } from "../../../src/core/present.ts";
import { hasOwnerTag, isFloatingIpMade } from "../../../src/jobs/api-endpoint/core/model/ownership.ts";
import type { CloudModel } from "./cloud-model.ts";
import { location, machine, ownerId, single, tcpPorts, withMode, zonesIntent } from "./endpoint-builders.ts";

export const allZones = ["az1", "az2", "az3"] as const;

/** Those that users put into the spec and take out of it. */
export const userTags = ["red", "green"] as const;

export type EndpointEvent =
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
  | { readonly do: "tags"; readonly tags: readonly string[] }
  | { readonly do: "error"; readonly pick: number }
  | { readonly do: "hidden"; readonly pick: number; readonly on: boolean }
  | { readonly do: "neutron"; readonly away: boolean }
  /** The Secret leads to another project, and back. */
  | { readonly do: "credentials"; readonly astray: boolean }
  | { readonly do: "deleted-by-hand"; readonly pick: number }
  /** Somebody clears the tags of a balancer, and of all that is below it. */
  | { readonly do: "untag"; readonly pick: number }
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
export const losses: fc.Arbitrary<EndpointEvent> = fc.oneof(machineEvents, blindEvents);

export const endpointEvents: fc.Arbitrary<EndpointEvent> = fc.oneof(
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
  fc.record({ do: fc.constant("tags" as const), tags: fc.shuffledSubarray([...userTags]) }),
  fc.record({ do: fc.constantFrom("error" as const, "deleted-by-hand" as const, "untag" as const), pick }),
  blindEvents,
  fc.record({ do: fc.constant("credentials" as const), astray: fc.boolean() }),
  fc.constant({ do: "forget-status" } as const),
);

// oxlint-disable-next-line complexity -- one case for each kind of event
export function happen(world: CloudModel, event: EndpointEvent): void {
  const chosen = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];
  switch (event.do) {
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
      const { additionalPorts, crossZone, location: written, publishDns, tags, tagRecord } = world.intent;
      const kept = { additionalPorts, crossZone, location: written, publishDns, tags, ...present({ tagRecord }) };
      world.intent = zonesIntent(event.zones, kept);
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
      world.intent = { ...world.intent, additionalPorts: tcpPorts(...event.ports.toSorted((a, b) => a - b)) };
      return;
    case "tags":
      world.intent = { ...world.intent, tags: event.tags };
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
    case "untag": {
      // One that status does not name, or that bears another name now, is nobody's without its tags.
      const known = [world.recorded.single, ...world.recorded.zones];
      const row = chosen(
        world
          .ours()
          .filter(({ lb }) => isMutable(lb) && known.some((one) => one?.id === lb.id && one.name === lb.name)),
        event.pick,
      );
      if (row === undefined) return;
      for (const part of [row.lb, ...row.listeners, ...row.pools, ...row.monitors]) part.tags = [];
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
        forgetStatus(world);
      return;
  }
}

function forgetStatus(world: CloudModel): void {
  world.recorded = { zones: [], single: undefined, networkId: undefined };
  world.object.provisioned = false;
}

function isMutable({ provisioningStatus }: LoadBalancer): boolean {
  return provisioningStatus === "ACTIVE";
}

/** The balancer, and the floating IP on it: nothing else would say whose that was. */
function isMarked({ floatingIps }: CloudModel, { tags, vipPortId }: LoadBalancer): boolean {
  const attached = floatingIps.filter(({ portId }) => portId === vipPortId);
  return hasOwnerTag(tags, ownerId) && attached.every((one) => isFloatingIpMade(one, ownerId));
}
