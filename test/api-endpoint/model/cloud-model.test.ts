// The model that planners are tested on is judged by the strict fake cloud: random changes end alike on both, and leave the same behind.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { floatingIpDescription } from "../../../src/jobs/api-endpoint/core/model/names.ts";
import { actionOf, type IdsByName } from "./action-by-name.ts";
import { type ComparedCloud, fakeCloud, type Inventory, modelledCloud, type Part, zones } from "./compared-clouds.ts";
import { ownerId, zoneBalancerName } from "./endpoint-builders.ts";
import { type CloudCall, cloudCalls } from "./random-cloud-calls.ts";

const nobody = "00000000-0000-4000-8000-000000000001";

describe("random changes", () => {
  test.each(["amphora", "ovn"])("end alike in the model and in the fake cloud, provider %s", async (provider) => {
    const law = fc.asyncProperty(cloudCalls(provider), async (calls) => {
      expect(await play(modelledCloud(provider), calls)).toEqual(await play(fakeCloud(provider), calls));
    });
    await fc.assert(law, { numRuns: 100 });
  });
});

/** One line for each call: what it was and how it ended; and at last what there is. */
async function play(cloud: ComparedCloud, calls: readonly CloudCall[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const call of calls) lines.push(`${JSON.stringify(call)}: ${await perform(cloud, call)}`);
  await cloud.pass();
  return [...lines, ...describeInventory(await cloud.inventory(), cloud.places)];
}

async function perform(cloud: ComparedCloud, call: CloudCall): Promise<string> {
  if (call.call === "pass") {
    await cloud.pass();
    return "time passed";
  }
  const inventory = await cloud.inventory();
  const ids = idsIn(inventory, cloud.places);
  const balancer = zoneBalancerName(call.zone);
  if (call.call === "break-pool" || call.call === "break-balancer") {
    await cloud.pass();
    cloud.breakPart(call.call === "break-pool" ? ids.pool(`${balancer}-${call.port}`) : ids.balancer(balancer));
    return "broken";
  }
  const neverAsked = whyNeverAsked(call, inventory);
  if (neverAsked !== undefined) return neverAsked;
  const outcome = await cloud.apply(actionOf(call, ids));
  // What is on its way out has a state of its own in the fake, and is gone at once in the model.
  if (/^(delete|remove)-/.test(call.call)) await cloud.pass();
  return outcome;
}

/** What a planner never asks for, which the model therefore calls a broken law, or which names alone cannot tell apart. */
function whyNeverAsked({ call, zone }: Exclude<CloudCall, { call: "pass" }>, inventory: Inventory): string | undefined {
  const { balancers, floatingIps, parts } = inventory;
  const balancer = balancers.find(({ name }) => name === zoneBalancerName(zone));
  const floatingIp = floatingIps.find(({ description }) => description === floatingIpDescription(ownerId, zone));
  const below = parts.filter((part) => part.below === balancer?.id);
  const isMonitored = parts.some(({ kind, below: pool }) => kind === "monitor" && below.some(({ id }) => id === pool));
  const isOvn = balancer?.provider === "ovn";
  const reasons: Partial<Record<CloudCall["call"], string | false>> = {
    "create-load-balancer": balancer !== undefined && "one of this name is there",
    "create-listener": isOvn && isMonitored && "OVN would hang",
    // Which of several pools OVN mistakes for the monitor's goes by their ids.
    "delete-monitor": isOvn && below.filter(({ kind }) => kind === "pool").length > 1 && "OVN would mistake the pool",
    "create-floating-ip":
      (floatingIp !== undefined || balancer === undefined) && "one is there, or nothing to put it on",
    "attach-floating-ip": (floatingIp?.portId !== undefined || balancer === undefined) && "it would be stolen",
    "delete-floating-ip": floatingIp?.portId !== undefined && "it is in use",
  };
  return reasons[call] || undefined;
}

function idsIn({ balancers, parts, floatingIps }: Inventory, places: ComparedCloud["places"]): IdsByName {
  const partId = (kind: Part["kind"], name: string, fits: (part: Part) => boolean = () => true) =>
    parts.find((part) => part.kind === kind && part.name === name && fits(part))?.id;
  const inUse = new Set(parts.map(({ fields }) => fields["defaultPoolId"]));
  // Of two pools of a name one has lost its listener.
  const pool = (name: string) => partId("pool", name, ({ id }) => inUse.has(id)) ?? partId("pool", name) ?? nobody;
  const balancer = (name: string) => balancers.find((one) => one.name === name);
  return {
    ...places,
    balancer: (name) => balancer(name)?.id ?? nobody,
    vipPort: (name) => balancer(name)?.vipPortId ?? nobody,
    listener: (name) => partId("listener", name) ?? nobody,
    pool,
    monitor: (name) => partId("monitor", name, ({ below }) => below === pool(name)) ?? nobody,
    member: (name, address) =>
      parts.find(
        ({ kind, below, fields }) => kind === "member" && below === pool(name) && fields["address"] === address,
      )?.id ?? nobody,
    floatingIp: (description) => floatingIps.find((one) => one.description === description)?.id ?? nobody,
    floatingIpSeen: (description) => floatingIps.find((one) => one.description === description) ?? {},
  };
}

/** In names instead of ids. */
function describeInventory(
  { balancers, parts, floatingIps }: Inventory,
  places: ComparedCloud["places"],
): readonly string[] {
  const subnets = new Map(zones.map((zone) => [places.subnet(zone), zone]));
  const names = new Map([...balancers, ...parts].map(({ id, name }) => [id, name]));
  const ports = new Map(balancers.map(({ vipPortId, name }) => [vipPortId, name]));
  return [
    ...balancers.map(({ vipSubnetId, ...balancer }) => {
      const { name, description, tags, adminStateUp, provider, provisioningStatus, availabilityZone } = balancer;
      const own = { name, description, tags, adminStateUp, provider, provisioningStatus, availabilityZone };
      return JSON.stringify({ ...own, subnet: subnets.get(vipSubnetId) });
    }),
    ...parts.map(({ kind, name, below, fields }) => {
      const pool = names.get(String(fields["defaultPoolId"]));
      const subnetId = subnets.get(String(fields["subnetId"]));
      return JSON.stringify({ kind, name, below: names.get(below), ...fields, defaultPoolId: pool, subnetId });
    }),
    ...floatingIps.map(({ description, tags, portId }) =>
      JSON.stringify({ description, tags, on: ports.get(portId ?? "") }),
    ),
  ].toSorted();
}
