// A project that a suite has for itself in the lab's cloud: user, application credential, a network with three subnets, a second network
// behind the same router. What is in it can be listed to the last object, since nobody else works there.

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { OpenStackLab } from "../../lab.ts";
import { type Rest, type Row, restAs, restFor, rowOf, rowsOf } from "./rest.ts";

export interface OwnProject {
  readonly id: string;
  /** A clouds.yaml with `openstack` (password) and `appcred` (application credential). */
  readonly cloudsYaml: string;
  readonly name: string;
  readonly password: string;
  readonly networkId: string;
  /** Of the zones az1 to az3. */
  readonly subnetIds: readonly string[];
  readonly nodes: { readonly networkId: string; readonly subnetId: string };
  /** An address that nobody has, in one of the three subnets or among the nodes. */
  address(where: 1 | 2 | 3 | "nodes"): string;
  readonly rest: Rest;
  readonly admin: Rest;
  balancers(): Promise<readonly Row[]>;
  /** Everything in the project, one line each. */
  census(): Promise<readonly string[]>;
  /** What Octavia keeps for balancers in a project of its own, of balancers that were ever seen here and are gone. */
  leftovers(): Promise<readonly string[]>;
  remove(): Promise<void>;
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
  const name = `endpoint-${randomBytes(4).toString("hex")}`;
  const password = randomBytes(12).toString("hex");
  const admin = await restAs(lab, "admin");
  const { projectId, userId } = await enrol(admin, name, password);
  const rest = await restFor(lab, name, password, name);
  const credential = await credentialOf(rest, userId, name);
  // Health is faked by address for the whole lab: ours shall be nobody else's.
  const second = 100 + ((randomBytes(1)[0] ?? 0) % 100);
  const places = await furnish(rest, second);
  const seen = new Set<string>();
  let hosts = 20;
  const balancers = async () => {
    const found = rowsOf(await rest("octavia", "GET", `/loadbalancers?project_id=${projectId}`), "loadbalancers");
    for (const { id } of found) seen.add(id);
    return found;
  };
  const census = () => censusOf(rest, projectId);
  return {
    id: projectId,
    name,
    password,
    cloudsYaml: cloudsYamlOf(lab, name, password, credential),
    ...places,
    rest,
    admin,
    balancers,
    census,
    address: (where) => `10.${second}.${where === "nodes" ? 100 : where}.${(hosts += 1)}`,
    leftovers: () => leftoversOf(admin, seen),
    async remove() {
      await empty(rest, projectId, balancers);
      await removePlaces(rest, projectId, places.routerId);
      await admin("keystone", "DELETE", `/users/${userId}`);
      await admin("keystone", "DELETE", `/projects/${projectId}`);
    },
  };
}

async function enrol(admin: Rest, name: string, password: string) {
  const project = rowOf(
    await admin("keystone", "POST", "/projects", { project: { name, domain_id: "default" } }),
    "project",
  );
  const user = rowOf(
    await admin("keystone", "POST", "/users", { user: { name, password, domain_id: "default" } }),
    "user",
  );
  const roles = rowsOf(await admin("keystone", "GET", "/roles"), "roles");
  for (const { id } of roles.filter((role) => ["member", "load-balancer_member"].includes(role.name ?? "")))
    await admin("keystone", "PUT", `/projects/${project.id}/users/${user.id}/roles/${id}`);
  return { projectId: project.id, userId: user.id };
}

async function credentialOf(rest: Rest, userId: string, name: string): Promise<Row> {
  const body = { application_credential: { name } };
  return rowOf(
    await rest("keystone", "POST", `/users/${userId}/application_credentials`, body),
    "application_credential",
  );
}

async function furnish(rest: Rest, second: number) {
  const external = rowsOf(await rest("neutron", "GET", "/networks?router:external=true"), "networks")[0]?.id;
  const router = rowOf(
    await rest("neutron", "POST", "/routers", {
      router: { name: "r", external_gateway_info: { network_id: external } },
    }),
    "router",
  );
  const network = async (name: string) =>
    rowOf(await rest("neutron", "POST", "/networks", { network: { name } }), "network").id;
  const subnet = async (networkId: string, name: string, third: number) => {
    const cidr = `10.${second}.${third}.0/24`;
    const body = { subnet: { network_id: networkId, name, ip_version: 4, cidr } };
    const { id } = rowOf(await rest("neutron", "POST", "/subnets", body), "subnet");
    await rest("neutron", "PUT", `/routers/${router.id}/add_router_interface`, { subnet_id: id });
    return id;
  };
  const networkId = await network("tenant");
  const subnetIds = [];
  for (const zone of [1, 2, 3]) subnetIds.push(await subnet(networkId, `tenant-${zone}`, zone));
  const nodesId = await network("nodes");
  return {
    networkId,
    subnetIds,
    routerId: router.id,
    nodes: { networkId: nodesId, subnetId: await subnet(nodesId, "nodes-1", 100) },
  };
}

function cloudsYamlOf(lab: OpenStackLab, name: string, password: string, credential: Row): string {
  const auth_url = lab.keystone;
  const domains = { user_domain_name: "Default", project_domain_name: "Default" };
  const secret = { application_credential_id: credential.id, application_credential_secret: credential["secret"] };
  const clouds = {
    openstack: {
      auth: { auth_url, username: name, password, project_name: name, ...domains },
      region_name: "RegionOne",
    },
    appcred: { auth_type: "v3applicationcredential", auth: { auth_url, ...secret }, region_name: "RegionOne" },
  };
  return JSON.stringify({ clouds });
}

async function censusOf(rest: Rest, projectId: string): Promise<readonly string[]> {
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

/** Whatever a failed test left behind. */
async function empty(rest: Rest, projectId: string, balancers: OwnProject["balancers"]): Promise<void> {
  for (let tries = 0; tries < 90; tries += 1) {
    const left = await balancers();
    if (left.length === 0) break;
    for (const { id, ...status } of left) {
      if (String(status["provisioning_status"]).startsWith("PENDING")) continue;
      await rest("octavia", "DELETE", `/loadbalancers/${id}?cascade=true`).catch(() => undefined);
    }
    await sleep(2_000);
  }
  const addresses = rowsOf(await rest("neutron", "GET", `/floatingips?project_id=${projectId}`), "floatingips");
  for (const { id } of addresses) await rest("neutron", "DELETE", `/floatingips/${id}`);
}

async function removePlaces(rest: Rest, projectId: string, routerId: string): Promise<void> {
  const of = async (path: string): Promise<readonly Row[]> =>
    rowsOf(await rest("neutron", "GET", `/${path}?project_id=${projectId}`), path);
  for (const { id } of await of("subnets"))
    await rest("neutron", "PUT", `/routers/${routerId}/remove_router_interface`, { subnet_id: id });
  await rest("neutron", "DELETE", `/routers/${routerId}`);
  for (const { id } of await of("networks")) await rest("neutron", "DELETE", `/networks/${id}`);
}
