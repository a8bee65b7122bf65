// An account with places: a network with a subnet for each of three zones and one for nodes, all behind one router, and a network that no
// router knows. What is in it can be listed to the last object, since nobody else works there.

import type { OpenStackLab } from "../../lab.ts";
import { type Account, openAccount } from "./account.ts";
import { type CloudFaults, cloudFaults } from "./faults.ts";
import { type Rest, type Row, rowOf, rowsOf } from "./rest.ts";

export interface OwnProject extends Account, Places {
  readonly faults: CloudFaults;
  /** An address that nobody has, in one of the three subnets or among the nodes. */
  address(where: 1 | 2 | 3 | "nodes"): string;
  /** Everything in the project, one line each. */
  census(): Promise<readonly string[]>;
  /** What Octavia keeps for balancers in a project of its own, of balancers that were ever seen here and are gone. */
  leftovers(): Promise<readonly string[]>;
}

export interface Place {
  readonly networkId: string;
  readonly subnetId: string;
}

/** Names and addresses as in the lab's project demo. */
interface Places {
  readonly externalNetworkId: string;
  readonly routerId: string;
  /** `tenant`, with tenant-1 to tenant-3: 10.0.N.0/24, of the zones az1 to az3. */
  readonly networkId: string;
  readonly subnetIds: readonly [string, string, string];
  readonly nodes: Place;
  readonly isolated: Place;
}

const lists: readonly (readonly ["neutron" | "octavia", string, string])[] = [
  ["octavia", "loadbalancers", "loadbalancers"],
  ["octavia", "listeners", "listeners"],
  ["octavia", "pools", "pools"],
  ["octavia", "healthmonitors", "healthmonitors"],
  ["neutron", "floatingips", "floatingips"],
  ["neutron", "ports", "ports"],
  ["neutron", "security-groups", "security_groups"],
  ["neutron", "networks", "networks"],
  ["neutron", "subnets", "subnets"],
  ["neutron", "routers", "routers"],
];

export async function openProject(lab: OpenStackLab): Promise<OwnProject> {
  const account = await openAccount(lab);
  const faults = cloudFaults(lab, account.id);
  const remove = async () => {
    await faults.clear();
    await account.remove();
  };
  try {
    const places = await furnish(account.rest);
    const seen = new Set<string>();
    let hosts = 20;
    return {
      ...account,
      ...places,
      faults,
      remove,
      async balancers() {
        const found = await account.balancers();
        for (const { id } of found) seen.add(id);
        return found;
      },
      address: (where) => `${where === "nodes" ? "10.1.1" : `10.0.${where}`}.${(hosts += 1)}`,
      census: () => censusOf(account),
      leftovers: () => leftoversOf(account.admin, seen),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function furnish(rest: Rest): Promise<Places> {
  const create = async (key: string, body: object) =>
    rowOf(await rest("neutron", "POST", `/${key}s`, { [key]: body }), key).id;
  const [external] = rowsOf(await rest("neutron", "GET", "/networks?router:external=true"), "networks");
  const externalNetworkId = external?.id ?? "";
  const routerId = await create("router", { name: "r1", external_gateway_info: { network_id: externalNetworkId } });
  const subnet = async (networkId: string, name: string, cidr: string) =>
    await create("subnet", { network_id: networkId, name, ip_version: 4, cidr });
  const routed = async (networkId: string, name: string, cidr: string) => {
    const id = await subnet(networkId, name, cidr);
    await rest("neutron", "PUT", `/routers/${routerId}/add_router_interface`, { subnet_id: id });
    return id;
  };
  const networkId = await create("network", { name: "tenant" });
  const zone = (number: number) => routed(networkId, `tenant-${number}`, `10.0.${number}.0/24`);
  const subnetIds = [await zone(1), await zone(2), await zone(3)] as const;
  const nodes = await create("network", { name: "nodes" });
  const isolated = await create("network", { name: "isolated" });
  return {
    externalNetworkId,
    routerId,
    networkId,
    subnetIds,
    nodes: { networkId: nodes, subnetId: await routed(nodes, "nodes-1", "10.1.1.0/24") },
    isolated: { networkId: isolated, subnetId: await subnet(isolated, "isolated-1", "10.9.1.0/24") },
  };
}

async function censusOf({ rest, id: projectId }: Account): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [service, path, key] of lists) {
    const rows = rowsOf(await rest(service, "GET", `/${path}?project_id=${projectId}`), key);
    found.push(...rows.map(({ id, name = "" }) => `${path} ${id} ${name}`));
  }
  return found.toSorted();
}

async function leftoversOf(admin: Rest, seen: ReadonlySet<string>): Promise<readonly string[]> {
  const isOurs = ({ name = "" }: Row) => [...seen].some((id) => name.includes(id));
  const groups = rowsOf(await admin("neutron", "GET", "/security-groups"), "security_groups").filter(isOurs);
  const ports = rowsOf(await admin("neutron", "GET", "/ports"), "ports").filter(isOurs);
  return [...groups, ...ports].map(({ id, name = "" }) => `${id} ${name}`);
}
