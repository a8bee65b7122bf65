// What hangs on a balancer, in one call to Octavia. Its tree tells no ports; CAPO and we have them in the names of listeners.

import { z } from "zod";
import type { Rest } from "./rest.ts";

export interface SeenMember {
  readonly address: string;
  readonly operating: string;
  readonly provisioning: string;
}

const memberSchema = z.object({ address: z.string(), operating_status: z.string(), provisioning_status: z.string() });
const treeSchema = z.object({
  loadbalancer: z.object({
    listeners: z.array(z.object({ name: z.string(), pools: z.array(z.object({ members: z.array(memberSchema) })) })),
  }),
});

/** By port of its listeners; undefined when the balancer went while we looked. */
export async function membersByPort(
  rest: Rest,
  balancerId: string,
): Promise<Readonly<Record<string, readonly SeenMember[]>> | undefined> {
  try {
    const { statuses } = await rest("octavia", "GET", `/loadbalancers/${balancerId}/status`);
    const { listeners } = treeSchema.parse(statuses).loadbalancer;
    return Object.fromEntries(
      listeners.map(({ name, pools }) => [name.slice(name.lastIndexOf("-") + 1), pools.flatMap(membersOf)]),
    );
  } catch (error) {
    if (String(error).includes(" 404 ")) return undefined;
    throw error;
  }
}

function membersOf({ members }: { readonly members: readonly z.infer<typeof memberSchema>[] }): readonly SeenMember[] {
  return members.map(({ address, operating_status, provisioning_status }) => ({
    address,
    operating: operating_status,
    provisioning: provisioning_status,
  }));
}
