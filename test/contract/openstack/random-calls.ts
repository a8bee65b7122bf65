// Random calls below one balancer, and what became of each, in words that hold for every cloud: ids are left out, names stand for them.

import { type Arbitrary, array, constant, constantFrom, integer, oneof, record, subarray } from "fast-check";
import type { OpenStackProject } from "../../../src/ports/openstack.ts";
import { outcome, type Stage } from "./stage.ts";

const port = constantFrom(443, 6443, 8443, 0);
const hosts = subarray([11, 12, 13]);

export type RandomCall =
  | { readonly kind: "create-listener"; readonly port: number; readonly cidr: string }
  | { readonly kind: "allow"; readonly port: number; readonly cidr: string }
  | { readonly kind: "delete-listener"; readonly port: number }
  | { readonly kind: "create-pool"; readonly port: number }
  | { readonly kind: "delete-pool"; readonly port: number }
  | { readonly kind: "create-monitor"; readonly port: number; readonly retries: number }
  | { readonly kind: "merge-members"; readonly port: number; readonly hosts: readonly number[] }
  | { readonly kind: "delete-member"; readonly port: number; readonly host: number };

const cidr = constantFrom("", "192.0.2.9/24", "2001:db8::/32");

export const randomCalls: (length: number) => Arbitrary<readonly RandomCall[]> = (length) =>
  array(
    oneof(
      { weight: 4, arbitrary: record({ kind: constant("create-listener" as const), port, cidr }) },
      { weight: 1, arbitrary: record({ kind: constant("allow" as const), port, cidr }) },
      { weight: 1, arbitrary: record({ kind: constant("delete-listener" as const), port }) },
      { weight: 4, arbitrary: record({ kind: constant("create-pool" as const), port }) },
      { weight: 1, arbitrary: record({ kind: constant("delete-pool" as const), port }) },
      {
        weight: 2,
        arbitrary: record({ kind: constant("create-monitor" as const), port, retries: integer({ min: 0, max: 11 }) }),
      },
      { weight: 3, arbitrary: record({ kind: constant("merge-members" as const), port, hosts }) },
      { weight: 1, arbitrary: record({ kind: constant("delete-member" as const), port, host: constantFrom(11, 12) }) },
    ),
    { minLength: length, maxLength: length },
  );

/** One line for each call: what it was and how it ended; and at last what there is. */
export async function transcript(stage: Stage, calls: readonly RandomCall[]): Promise<readonly string[]> {
  const { member, made, unique, settled } = stage;
  const wanted = { name: unique("random"), description: "", tags: [], vipSubnetId: made.subnetIds[2] };
  const { id } = await member.octavia.createLoadBalancer(wanted);
  await settled(id);
  const lines: string[] = [];
  for (const call of calls) {
    lines.push(`${JSON.stringify(call)}: ${await perform(stage, id, call)}`);
    await settled(id);
  }
  lines.push(...(await inventory(member, id)));
  await member.octavia.deleteLoadBalancer(id);
  return lines;
}

async function perform({ member, algorithm, made }: Stage, id: string, call: RandomCall): Promise<string> {
  const { octavia } = member;
  const listener = (await octavia.listListeners({ loadBalancerId: id })).find((each) => each.port === call.port);
  const pool = (await octavia.listPools({ loadBalancerId: id })).find(({ name }) => name === `p${call.port}`);
  const memberOf = (host: number) => ({
    name: `m${host}`,
    address: `10.0.3.${host}`,
    port: 6443,
    subnetId: made.subnetIds[2],
    tags: [],
  });
  switch (call.kind) {
    case "create-listener": {
      const allowed = call.cidr === "" ? {} : { allowedCidrs: [call.cidr] };
      const fields = {
        loadBalancerId: id,
        name: `l${call.port}`,
        protocol: "TCP",
        port: call.port,
        tags: [],
        ...allowed,
      };
      return outcome(octavia.createListener(fields));
    }
    case "allow":
      if (listener === undefined) return "no listener";
      return outcome(octavia.updateListener(listener.id, { allowedCidrs: call.cidr === "" ? [] : [call.cidr] }));
    case "delete-listener":
      return listener === undefined ? "no listener" : outcome(octavia.deleteListener(listener.id));
    case "create-pool":
      if (listener === undefined) return "no listener";
      return outcome(
        octavia.createPool({ listenerId: listener.id, name: `p${call.port}`, protocol: "TCP", algorithm, tags: [] }),
      );
    case "delete-pool":
      return pool === undefined ? "no pool" : outcome(octavia.deletePool(pool.id));
    case "create-monitor": {
      if (pool === undefined) return "no pool";
      const timings = { delaySeconds: 5, timeoutSeconds: 3, maxRetries: call.retries, maxRetriesDown: 3 };
      return outcome(
        octavia.createHealthMonitor({ poolId: pool.id, name: `h${call.port}`, type: "TCP", tags: [], ...timings }),
      );
    }
    case "merge-members":
      return pool === undefined ? "no pool" : outcome(octavia.mergeMembers(pool.id, call.hosts.map(memberOf)));
    case "delete-member": {
      if (pool === undefined) return "no pool";
      const found = (await octavia.listMembers(pool.id)).find(({ address }) => address === `10.0.3.${call.host}`);
      return found === undefined ? "no member" : outcome(octavia.deleteMember(pool.id, found.id));
    }
  }
}

async function inventory({ octavia }: OpenStackProject, id: string): Promise<readonly string[]> {
  const listeners = await octavia.listListeners({ loadBalancerId: id });
  const pools = await octavia.listPools({ loadBalancerId: id });
  const names = new Map([...listeners, ...pools].map((each) => [each.id, each.name]));
  const poolLines = await Promise.all(
    pools.map(async (pool) => {
      const members = (await octavia.listMembers(pool.id)).map(({ address }) => address).toSorted();
      const behind = pool.listenerIds.map((listenerId) => names.get(listenerId)).toSorted();
      const monitor = pool.healthMonitorId === undefined ? "unwatched" : "watched";
      return `pool ${pool.name} behind ${behind.join()} has ${members.join()}, ${monitor}, ${pool.provisioningStatus}`;
    }),
  );
  const listenerLines = listeners.map(
    ({ name, allowedCidrs, defaultPoolId, provisioningStatus }) =>
      `listener ${name} to ${names.get(defaultPoolId ?? "") ?? "nothing"} for ${allowedCidrs.join()}, ${provisioningStatus}`,
  );
  return [...listenerLines, ...poolLines].toSorted();
}
