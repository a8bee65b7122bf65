// A fake cloud furnished as lab/openstack is: projects and people, the network `public`, the network `tenant` with three subnets on a
// router, a network that leads nowhere, a flavor, three zones.

import type { CloudAuth, CloudConfig } from "../../../core/openstack/cloud-config.ts";
import type { FakeOpenStackOptions } from "./cloud-settings.ts";
import {
  addApplicationCredential,
  addFlavor,
  addNetwork,
  addProject,
  addRouter,
  addServer,
  addSubnet,
  addUser,
} from "./cloud-setup.ts";
import { createFakeOpenStack, type FakeOpenStack } from "./fake-openstack.ts";
import { authUrlOf, regionOf, servicesOf } from "./keystone/catalogue.ts";
import { domain } from "./keystone/directory.ts";

export interface LabShaped {
  readonly fake: FakeOpenStack;
  readonly projectId: string;
  readonly otherProjectId: string;
  readonly externalNetworkId: string;
  readonly networkId: string;
  readonly subnetIds: readonly [string, string, string];
  readonly routerId: string;
  readonly isolated: { readonly networkId: string; readonly subnetId: string };
  readonly flavor: { readonly id: string; readonly name: string };
  readonly zones: readonly string[];
  /** Where there is a compute service. */
  readonly server?: { readonly id: string; readonly zone: string };
  readonly clouds: Readonly<Record<"password" | "application-credential" | "other" | "admin", CloudConfig>>;
}

const secrets = {
  member: "secret-of-demo",
  other: "secret-of-other",
  admin: "secret-of-admin",
  credential: "secret-of-app",
};

export function createLabShaped(options: FakeOpenStackOptions): LabShaped {
  const zones = ["az1", "az2", "az3"];
  const every = Object.fromEntries(zones.map((zone) => [zone, true]));
  const fake = createFakeOpenStack({ balancerZones: every, computeZones: every, ...options });
  const people = addPeople(fake);
  const networks = addNetworks(fake, people.projectId, people.adminProjectId, zones);
  const { cloud } = fake;
  const { id, name } = addFlavor(cloud, { name: "small", provider: "amphora" });
  const server = servicesOf(cloud).includes("nova")
    ? addServer(cloud, { name: "machine-1", projectId: people.projectId, availabilityZone: "az1" })
    : undefined;
  return {
    fake,
    projectId: people.projectId,
    otherProjectId: people.otherProjectId,
    ...networks,
    flavor: { id, name },
    zones,
    ...(server === undefined ? {} : { server: { id: server.id, zone: "az1" } }),
    clouds: people.clouds,
  };
}

function addPeople({ cloud }: FakeOpenStack) {
  const [admin, member, other] = ["admin", "demo", "other"].map((name) => addProject(cloud, name).id) as [
    string,
    string,
    string,
  ];
  const roles = ["member", "load-balancer_member"];
  const demo = addUser(cloud, { name: "demo", password: secrets.member, roles: { [member]: roles } });
  addUser(cloud, { name: "other", password: secrets.other, roles: { [other]: roles } });
  addUser(cloud, { name: "admin", password: secrets.admin, roles: { [admin]: ["admin"], [member]: ["admin"] } });
  const credential = addApplicationCredential(cloud, {
    name: "lab",
    userId: demo.id,
    projectId: member,
    secret: secrets.credential,
  });
  const config = (auth: CloudAuth): CloudConfig => ({
    cloudName: "lab",
    authUrl: authUrlOf(cloud),
    auth,
    region: regionOf(cloud),
    interface: "public",
    verifyTls: true,
  });
  const password = (user: string, secret: string, project: string) =>
    config({ type: "password", user: { name: user, domain }, password: secret, scope: { name: project, domain } });
  return {
    projectId: member,
    otherProjectId: other,
    adminProjectId: admin,
    clouds: {
      password: password("demo", secrets.member, "demo"),
      "application-credential": config({
        type: "application-credential",
        credential: { id: credential.id },
        secret: secrets.credential,
      }),
      other: password("other", secrets.other, "other"),
      admin: password("admin", secrets.admin, "demo"),
    },
  };
}

function addNetworks({ cloud }: FakeOpenStack, projectId: string, adminId: string, zones: readonly string[]) {
  const external = addNetwork(cloud, { name: "public", projectId: adminId, external: true });
  const publicSubnet = { name: "public-v4", projectId: adminId, networkId: external.id, cidr: "203.0.113.0/24" };
  addSubnet(cloud, { ...publicSubnet, gatewayIp: "203.0.113.1", firstOffset: 10 });
  const tenant = addNetwork(cloud, { name: "tenant", projectId });
  const subnetIds = [1, 2, 3].map((n) => {
    const zone = zones[n - 1];
    const place = zone === undefined ? {} : { zone };
    const fields = { name: `tenant-${n}`, projectId, networkId: tenant.id, cidr: `10.0.${n}.0/24` };
    return addSubnet(cloud, { ...fields, gatewayIp: `10.0.${n}.1`, ...place }).id;
  }) as [string, string, string];
  const router = addRouter(cloud, { name: "r1", projectId, subnetIds, externalNetworkId: external.id });
  const lonely = addNetwork(cloud, { name: "isolated", projectId });
  const lonelySubnet = { name: "isolated-1", projectId, networkId: lonely.id, cidr: "172.31.0.0/24" };
  const { id: subnetId } = addSubnet(cloud, { ...lonelySubnet, gatewayIp: "172.31.0.1" });
  return {
    externalNetworkId: external.id,
    networkId: tenant.id,
    subnetIds,
    routerId: router.id,
    isolated: { networkId: lonely.id, subnetId },
  };
}
