// What Octavia does with members: known by address and port, merged in a batch that removes nothing, removed one by one.

import type { CreateMember } from "../../../src/core/openstack/octavia-objects.ts";
import type { Changes, OctaviaContext } from "./change-octavia.ts";
import { type BalancerRow, memberRow } from "./cloud-rows.ts";
import { must, refuseUnless } from "./model-refusal.ts";
import { checkPoolMutable, partOf, rulesOf } from "./octavia-rules.ts";

export const memberChanges: Changes<"merge-members" | "remove-member"> = {
  "merge-members": (row, { poolId, members }, context) => {
    const pool = partOf(row.pools, poolId);
    checkPoolMutable(pool);
    const fresh = members.filter((member) => !pool.members.some((there) => isSame(there, member)));
    checkNoneTwice(fresh);
    checkSubnets(row, members, context);
    for (const wanted of members) {
      const { name, tags, weight = 1, backup = false, adminStateUp = true } = wanted;
      const there = pool.members.find((member) => isSame(member, wanted));
      // A batch sets what it does not name back to its default, leaves the subnet as it was, and sets up anew what is in ERROR.
      const isSetUp = { provisioningStatus: "ACTIVE" } as const;
      if (there !== undefined) Object.assign(there, { name, tags, weight, backup, adminStateUp, ...isSetUp });
      else pool.members.push(memberRow(context.ids, wanted));
    }
  },
  "remove-member": ({ pools }, { poolId, id }) => {
    const pool = partOf(pools, poolId);
    checkPoolMutable(pool);
    const member = partOf(pool.members, id);
    must(member.name.startsWith("k8s-clusterapi-cluster-default-demo-"), "a foreign member was removed");
    pool.members = pool.members.filter((one) => one !== member);
  },
};

/** A member that is gone already is not missed. */
export function hasMember({ pools }: BalancerRow, { poolId, id }: { readonly poolId: string; readonly id: string }) {
  return partOf(pools, poolId).members.some((member) => member.id === id);
}

function isSame(a: Pick<CreateMember, "address" | "port">, b: typeof a): boolean {
  return a.address === b.address && a.port === b.port;
}

function checkNoneTwice(fresh: readonly CreateMember[]): void {
  const twice = fresh.find((member, index) => fresh.findIndex((other) => isSame(member, other)) < index);
  refuseUnless(twice === undefined, "Conflict", `${twice?.address} twice`);
}

function checkSubnets({ lb }: BalancerRow, members: readonly CreateMember[], { isIn }: OctaviaContext): void {
  if (!rulesOf(lb).memberSubnets) return;
  const astray = members.find(({ subnetId, address }) => subnetId === undefined && !isIn(lb.vipSubnetId, address));
  refuseUnless(astray === undefined, "Unsupported", `${astray?.address}: elsewhere, without its subnet`);
}
