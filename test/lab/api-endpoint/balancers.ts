// The balancers of the suite's project as Octavia shows them, with what hangs on them.

import { z } from "zod";
import type { EndpointLab } from "./endpoint-lab.ts";
import { rowsOf, text } from "./rest.ts";

export interface SeenBalancer {
  readonly id: string;
  readonly name: string;
  readonly vip: string;
  readonly vipSubnetId: string;
  readonly vipPortId: string;
  readonly zone: string;
  readonly status: string;
  readonly floatingIp: string;
  /** By port: addresses of members, and how each fares. */
  readonly ports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const balancerSchema = z.object({
  id: z.string(),
  name: z.string(),
  vip_address: z.string(),
  vip_subnet_id: z.string(),
  vip_port_id: z.string().nullable(),
  availability_zone: z.string().nullish(),
  provisioning_status: z.string(),
});
const listenerSchema = z.object({ id: z.string(), protocol_port: z.number() });
const treeSchema = z.object({
  listeners: z.array(
    z.object({
      id: z.string(),
      pools: z.array(z.object({ members: z.array(z.object({ address: z.string(), operating_status: z.string() })) })),
    }),
  ),
});

/** Those whose names have this in them, by name. */
export async function seenBalancers({ project }: EndpointLab, part: string): Promise<readonly SeenBalancer[]> {
  const rows = (await project.balancers()).filter(({ name = "" }) => name.includes(part));
  const floating = rowsOf(await project.rest("neutron", "GET", `/floatingips?project_id=${project.id}`), "floatingips");
  const found: SeenBalancer[] = [];
  for (const row of rows) {
    const one = balancerSchema.parse(row);
    found.push({
      id: one.id,
      name: one.name,
      vip: one.vip_address,
      vipSubnetId: one.vip_subnet_id,
      vipPortId: one.vip_port_id ?? "",
      zone: one.availability_zone ?? "",
      status: one.provisioning_status,
      floatingIp: text(
        floating.find((ip) => ip["port_id"] === one.vip_port_id),
        "floating_ip_address",
      ),
      ports: await portsOf(project, one.id),
    });
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function portsOf({ rest }: EndpointLab["project"], id: string): Promise<SeenBalancer["ports"]> {
  try {
    const listeners = z
      .array(listenerSchema)
      .parse((await rest("octavia", "GET", `/listeners?loadbalancer_id=${id}`))["listeners"]);
    const { statuses } = await rest("octavia", "GET", `/loadbalancers/${id}/status`);
    const tree = z.object({ loadbalancer: treeSchema }).parse(statuses).loadbalancer;
    return Object.fromEntries(
      listeners.map(({ id: listener, protocol_port }) => {
        const pools = tree.listeners.find((one) => one.id === listener)?.pools ?? [];
        const members = pools.flatMap((pool) => pool.members);
        return [protocol_port, Object.fromEntries(members.map((one) => [one.address, one.operating_status]))];
      }),
    );
  } catch (error) {
    // Gone while we looked.
    if (String(error).includes(" 404 ")) return {};
    throw error;
  }
}

/** Addresses behind a port, by the end of the balancer's name. */
export function membersBehind(
  balancers: readonly SeenBalancer[],
  port = 6443,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    balancers.map(({ name, ports }) => [
      name.replace(/^.*-(az\d)-kubeapi$/, "$1"),
      Object.keys(ports[port] ?? {}).toSorted(),
    ]),
  );
}
