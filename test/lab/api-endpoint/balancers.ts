// The balancers of the suite's project as Octavia shows them, with what hangs on them.

import { z } from "zod";
import type { OwnProject } from "../openstack/own-project.ts";
import { rowsOf, text } from "../openstack/rest.ts";
import { membersByPort } from "../openstack/status-tree.ts";

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

interface InProject {
  readonly project: OwnProject;
}

// A balancer that is being deleted loses its VIP before it goes itself: for a moment Octavia lists it without these fields.
const balancerSchema = z.object({
  id: z.string(),
  name: z.string(),
  vip_address: z.string().nullish(),
  vip_subnet_id: z.string().nullish(),
  vip_port_id: z.string().nullish(),
  availability_zone: z.string().nullish(),
  provisioning_status: z.string(),
});
/** Those whose names have this in them, by name. */
export async function seenBalancers({ project }: InProject, part: string): Promise<readonly SeenBalancer[]> {
  const rows = (await project.balancers()).filter(({ name = "" }) => name.includes(part));
  const floating = rowsOf(await project.rest("neutron", "GET", `/floatingips?project_id=${project.id}`), "floatingips");
  const found: SeenBalancer[] = [];
  for (const row of rows) {
    const one = balancerSchema.parse(row);
    found.push({
      id: one.id,
      name: one.name,
      vip: one.vip_address ?? "",
      vipSubnetId: one.vip_subnet_id ?? "",
      vipPortId: one.vip_port_id ?? "",
      zone: one.availability_zone ?? "",
      status: one.provisioning_status,
      floatingIp: text(
        floating.find((ip) => text(one, "vip_port_id") !== "" && ip["port_id"] === one.vip_port_id),
        "floating_ip_address",
      ),
      ports: await portsOf(project, one.id),
    });
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function portsOf({ rest }: OwnProject, id: string): Promise<SeenBalancer["ports"]> {
  return Object.fromEntries(
    Object.entries((await membersByPort(rest, id)) ?? {}).map(([port, members]) => [
      port,
      Object.fromEntries(members.map(({ address, operating }) => [address, operating])),
    ]),
  );
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
