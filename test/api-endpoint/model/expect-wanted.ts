// The world as the object asks for it: what the laws expect of the cloud once everything is at rest.

import { expect } from "vitest";
import { portsOf } from "../../../src/jobs/api-endpoint/core/model/intent.ts";
import { hasOwnerTag } from "../../../src/jobs/api-endpoint/core/model/ownership.ts";
import { isOn } from "../../../src/jobs/api-endpoint/core/model/port.ts";
import type { CloudModel } from "./cloud-model.ts";
import type { BalancerRow } from "./cloud-rows.ts";
import { legacyName, ownerId, zoneBalancerName } from "./endpoint-builders.ts";
import { userTags } from "./endpoint-events.ts";
import { foreignAddress } from "./endpoint-worlds.ts";

/** The world is what the object asks for: nothing missing, nothing left over. */
export function expectWanted(world: CloudModel): void {
  const { intent: wanted, machines } = world;
  const fallbacks = world.ours().filter(({ lb }) => lb.tags.includes("mainstay-role=fallback"));
  const names = wanted.mode === "zones" ? wanted.zones.map(({ zone }) => zoneBalancerName(zone)) : [legacyName];
  const rest = world.ours().filter((row) => !fallbacks.includes(row));
  expect(rest.map(({ lb }) => lb.name).toSorted()).toEqual(names.toSorted());
  expect(fallbacks.length).toBeLessThanOrEqual(1);
  for (const row of rest)
    expectBalancer(world, row.lb.name, row.lb.tags.find((tag) => tag.startsWith("mainstay-zone="))?.slice(14));
  for (const row of rest) expectTags(world, row);
  const ports = world.ours().map(({ lb }) => lb.vipPortId);
  const left = world.floatingIps.filter(
    ({ portId, address }) => address !== foreignAddress && (portId === undefined || !ports.includes(portId)),
  );
  expect(left, "floating IPs that hang on nothing").toEqual([]);
  expect(world.floatingIps.find(({ address }) => address === foreignAddress)?.tags).toEqual([]);
  expect(machines.length).toBeGreaterThan(0);
}

/** Whatever is to become of a balancer: as long as it is there, who belongs behind it stands there. */
export function expectMembersFollow(world: CloudModel): void {
  const { intent: wanted, machines } = world;
  const whole = world
    .ours()
    .filter(
      ({ lb, listeners }) => lb.provisioningStatus === "ACTIVE" && listeners.some(({ defaultPoolId }) => defaultPoolId),
    );
  for (const { lb, listeners, pools } of whole) {
    const zone = lb.tags.find((tag) => tag.startsWith("mainstay-zone="))?.slice(14);
    const theirs = machines.filter((one) => zone === undefined || wanted.crossZone || one.zone === zone);
    const poolId = listeners.find((listener) => isOn(listener, wanted.apiPort))?.defaultPoolId;
    const members = pools.find(({ id }) => id === poolId)?.members ?? [];
    expect(
      members.map(({ address }) => address),
      `who belongs behind ${lb.name}`,
    ).toEqual(expect.arrayContaining(theirs.filter(({ deleting }) => !deleting).flatMap(({ addresses }) => addresses)));
  }
}

/** The tags of the spec are on everything, members included, and none that left it. */
function expectTags({ intent, floatingIps }: CloudModel, { lb, listeners, pools, monitors }: BalancerRow): void {
  const ofUser = (tags: readonly string[]) => tags.filter((tag) => userTags.some((one) => one === tag)).toSorted();
  const attached = floatingIps.filter((one) => one.portId === lb.vipPortId && hasOwnerTag(one.tags, ownerId));
  const parts = [lb, ...listeners, ...pools, ...monitors, ...pools.flatMap(({ members }) => members), ...attached];
  for (const part of parts)
    expect(ofUser(part.tags), `tags of ${"name" in part ? part.name : part.address}`).toEqual(intent.tags.toSorted());
}

function expectBalancer(world: CloudModel, name: string, zone: string | undefined): void {
  const { intent: wanted, machines } = world;
  const theirs = machines.filter((one) => zone === undefined || wanted.crossZone || one.zone === zone);
  for (const { number: port } of portsOf(wanted)) {
    expect(world.members(name, port), `members of ${name} ${port}`).toEqual(
      theirs.flatMap(({ addresses }) => addresses).toSorted(),
    );
  }
  const row = world.row(name);
  expect(row.listeners.map((listener) => listener.port).toSorted()).toEqual(
    portsOf(wanted)
      .map(({ number }) => number)
      .toSorted(),
  );
  expect(row.pools).toHaveLength(1 + wanted.additionalPorts.length);
  expect(row.monitors.every((monitor) => row.pools.some(({ id }) => id === monitor.poolId))).toBe(true);
  for (const part of [...row.listeners, ...row.pools, ...row.monitors])
    expect(part.name).toMatch(new RegExp(`^${name}-\\d+$`));
}
