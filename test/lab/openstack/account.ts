// A project and its user, of a suite's own in the lab's cloud: two suites at once, or two checkouts, never meet there. It goes with
// everything that is in it.

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { OpenStackLab } from "../../lab.ts";
import { cloudFaults } from "./faults.ts";
import { loginOf, type Rest, type Row, restFor, rowOf, rowsOf } from "./rest.ts";

export interface Account {
  /** The project's. */
  readonly id: string;
  /** A clouds.yaml with `openstack` (password), `appcred` (application credential) and `admin` (an administrator in this project). */
  readonly cloudsYaml: string;
  readonly rest: Rest;
  /** An administrator of the whole cloud. */
  readonly admin: Rest;
  readonly balancers: () => Promise<readonly Row[]>;
  /** Limits of the project; undefined: those of everybody. */
  setQuota(resource: "load_balancer" | "floatingip" | "port", limit: number | undefined): Promise<void>;
  remove(): Promise<void>;
}

/** While accounts come and go beside this one, Keystone may for a moment not find the roles that it has just given. */
async function credentialFor(rest: Rest, userId: string, name: string) {
  const wanted = { application_credential: { name } };
  for (let tries = 1; ; tries += 1) {
    try {
      const made = await rest("keystone", "POST", `/users/${userId}/application_credentials`, wanted);
      return rowOf(made, "application_credential");
    } catch (error) {
      if (tries === 10 || !String(error).includes("Could not find role assignment")) throw error;
      await sleep(1_000);
    }
  }
}

/** What every member of a project may do. */
const memberRoles = ["member", "load-balancer_member"];

export async function openAccount(lab: OpenStackLab): Promise<Account> {
  const name = `own-${randomBytes(4).toString("hex")}`;
  const login = { username: name, password: randomBytes(12).toString("hex"), project_name: name };
  const adminLogin = loginOf(lab, "admin");
  const admin = await restFor(lab, adminLogin);
  const { id, userId } = await enrol(admin, login.password, name, adminLogin.username);
  const rest = await restFor(lab, login);
  const credential = await credentialFor(rest, userId, name);
  const byPassword = (auth: object) => ({ auth: { auth_url: lab.keystone, ...auth, ...domains }, region_name });
  const secret = { application_credential_id: credential.id, application_credential_secret: credential["secret"] };
  const clouds = {
    openstack: byPassword(login),
    appcred: { auth_type: "v3applicationcredential", auth: { auth_url: lab.keystone, ...secret }, region_name },
    admin: byPassword({ ...adminLogin, project_name: name }),
  };
  const balancers = async () =>
    rowsOf(await rest("octavia", "GET", `/loadbalancers?project_id=${id}`), "loadbalancers");
  const account: Account = {
    id,
    cloudsYaml: JSON.stringify({ clouds }),
    rest,
    admin,
    balancers,
    async setQuota(resource, limit) {
      const service = resource === "load_balancer" ? "octavia" : "neutron";
      if (limit === undefined) await admin(service, "DELETE", `/quotas/${id}`);
      else await admin(service, "PUT", `/quotas/${id}`, { quota: { [resource]: limit } });
    },
    async remove() {
      await removeBalancers(account, lab);
      await removeNetworks(admin, id);
      await admin("keystone", "DELETE", `/users/${userId}`);
      await admin("keystone", "DELETE", `/projects/${id}`);
    },
  };
  return account;
}

const domains = { user_domain_name: "Default", project_domain_name: "Default" };
const region_name = "RegionOne";

async function enrol(admin: Rest, password: string, name: string, administrator: string) {
  const common = { name, domain_id: "default" };
  const { id } = rowOf(await admin("keystone", "POST", "/projects", { project: common }), "project");
  const user = rowOf(await admin("keystone", "POST", "/users", { user: { ...common, password } }), "user");
  const roles = rowsOf(await admin("keystone", "GET", "/roles"), "roles");
  const [boss] = rowsOf(await admin("keystone", "GET", `/users?name=${administrator}`), "users");
  const assign = async (userId: string | undefined, wanted: readonly string[]) => {
    for (const role of roles.filter((one) => wanted.includes(one.name ?? "")))
      await admin("keystone", "PUT", `/projects/${id}/users/${userId}/roles/${role.id}`);
  };
  await assign(user.id, memberRoles);
  await assign(boss?.id, ["admin"]);
  return { id, userId: user.id };
}

/** Those that are busy are waited for. A provider can forget what it was about: one that is busy for minutes is freed by hand. */
async function removeBalancers({ rest, balancers, id: projectId }: Account, lab: OpenStackLab): Promise<void> {
  const { setStatus } = cloudFaults(lab, projectId);
  for (let tries = 1; ; tries += 1) {
    const left = await balancers();
    if (left.length === 0) return;
    for (const { id, ...status } of left) {
      const busy = String(status["provisioning_status"]).startsWith("PENDING");
      if (busy && tries % 120 === 0) await setStatus("loadbalancers", id, { provisioning: "ERROR" });
      if (!busy) await rest("octavia", "DELETE", `/loadbalancers/${id}?cascade=true`).catch(() => undefined);
    }
    await sleep(1_000);
  }
}

async function removeNetworks(admin: Rest, projectId: string): Promise<void> {
  const of = async (path: string, key = path): Promise<readonly Row[]> =>
    rowsOf(await admin("neutron", "GET", `/${path}?project_id=${projectId}`), key);
  for (const { id } of await of("floatingips")) await admin("neutron", "DELETE", `/floatingips/${id}`);
  for (const router of await of("routers")) {
    const ports = rowsOf(await admin("neutron", "GET", `/ports?device_id=${router.id}`), "ports");
    for (const { id } of ports.filter((port) => String(port["device_owner"]).startsWith("network:router_interface")))
      await admin("neutron", "PUT", `/routers/${router.id}/remove_router_interface`, { port_id: id });
    await admin("neutron", "DELETE", `/routers/${router.id}`);
  }
  for (const { id } of await of("networks")) {
    const ports = rowsOf(await admin("neutron", "GET", `/ports?network_id=${id}`), "ports");
    for (const port of ports.filter((one) => !String(one["device_owner"]).startsWith("network:")))
      await admin("neutron", "DELETE", `/ports/${port.id}`).catch(() => undefined);
    await admin("neutron", "DELETE", `/networks/${id}`);
  }
  for (const { id } of await of("security-groups", "security_groups"))
    await admin("neutron", "DELETE", `/security-groups/${id}`);
}
