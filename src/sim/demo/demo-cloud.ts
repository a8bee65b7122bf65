// The demonstration's OpenStack: the fake cloud with four zones, quick enough to watch, and servers that stand in a zone's subnet.

import { stringify } from "yaml";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { Phase } from "../fakes/openstack/cloud-settings.ts";
import { addPort, addRouter, addSubnet } from "../fakes/openstack/cloud-setup.ts";
import type { FakeOpenStack } from "../fakes/openstack/fake-openstack.ts";
import { createLabShaped, type LabShaped } from "../fakes/openstack/lab-shaped.ts";

export interface DemoCloudOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Where its Keystone answers; absent: nowhere but in this process. */
  readonly authUrl?: string;
}

/** Control-plane servers by name. */
export interface DemoServers {
  /** Its address; the same again for a server that is there. */
  create(name: string, zone: string): string;
  /** Removes every other one. */
  keep(names: ReadonlySet<string>): void;
}

export interface DemoCloud {
  readonly fake: FakeOpenStack;
  /** The one its people use to log in. */
  readonly cloudsYaml: string;
  readonly servers: DemoServers;
}

export const cloudName = "demo";
/** Each has a subnet `tenant-<number>`; the cluster begins with the first three. */
export const zones = ["az1", "az2", "az3", "az4"] as const;

// Octavia takes longer; people who watch should not have to.
const phaseMs: Readonly<Record<Phase, number>> = { create: 900, update: 150, members: 400, delete: 600 };

export function createDemoCloud({ clock, random, authUrl }: DemoCloudOptions): DemoCloud {
  const every = Object.fromEntries(zones.map((zone) => [zone, true]));
  const lab = createLabShaped({
    clock,
    random,
    balancerZones: every,
    computeZones: every,
    settings: { phaseMs: (phase) => phaseMs[phase], healthMs: 400 },
    ...(authUrl === undefined ? {} : { authUrl }),
  });
  return { fake: lab.fake, cloudsYaml: cloudsYamlOf(lab), servers: serversIn(lab, addFourthZone(lab)) };
}

/** For people to add: the lab has three. */
function addFourthZone({ fake: { cloud }, subnetIds, ...lab }: LabShaped): readonly string[] {
  const { projectId, networkId, externalNetworkId } = lab;
  const place = { name: "tenant-4", projectId, networkId, cidr: "10.0.4.0/24", gatewayIp: "10.0.4.1", zone: "az4" };
  const { id } = addSubnet(cloud, place);
  addRouter(cloud, { name: "r4", projectId, subnetIds: [id], externalNetworkId });
  return [...subnetIds, id];
}

function serversIn({ fake: { cloud }, projectId, networkId }: LabShaped, subnetIds: readonly string[]): DemoServers {
  const there = new Map<string, { readonly portId: string; readonly subnetId: string; readonly address: string }>();
  return {
    create(name, zone) {
      const known = there.get(name);
      if (known !== undefined) return known.address;
      const subnetId = subnetIds[(zones as readonly string[]).indexOf(zone)] ?? subnetIds[0] ?? "";
      const port = addPort(cloud, { name, projectId, networkId, subnetId, deviceOwner: `compute:${zone}` });
      const address = port.fixedIps[0]?.address ?? "";
      there.set(name, { portId: port.id, subnetId, address });
      return address;
    },
    keep(names) {
      for (const [name, { portId, subnetId, address }] of there) {
        if (names.has(name)) continue;
        cloud.tables.ports.remove(portId);
        cloud.addresses.release(subnetId, address);
        there.delete(name);
      }
    },
  };
}

function cloudsYamlOf({ clouds: { password: config } }: LabShaped): string {
  const { authUrl, auth, region } = config;
  if (auth.type !== "password" || !("name" in auth.user) || !("name" in auth.scope))
    throw new Error("the demonstration's cloud has a user with a name and a password");
  return stringify({
    clouds: {
      [cloudName]: {
        region_name: region,
        auth: {
          auth_url: authUrl,
          username: auth.user.name,
          password: auth.password,
          project_name: auth.scope.name,
          ...domain("user", auth.user.domain),
          ...domain("project", auth.scope.domain),
        },
      },
    },
  });
}

function domain(whose: string, ref: { readonly id: string } | { readonly name: string }): Record<string, string> {
  return "id" in ref ? { [`${whose}_domain_id`]: ref.id } : { [`${whose}_domain_name`]: ref.name };
}
