// What both fake targets have in common: ready-made things, faults and raw calls, all on the same furnished cloud.

import type { CloudConfig } from "../../../../src/core/openstack/cloud-config.ts";
import type { OperatingStatus, ProvisioningStatus } from "../../../../src/core/openstack/octavia-objects.ts";
import type { OpenStackService } from "../../../../src/core/openstack/openstack-error.ts";
import type { FakeOpenStackOptions } from "../../../../src/sim/fakes/openstack/cloud-settings.ts";
import { addNetwork, addSubnet } from "../../../../src/sim/fakes/openstack/cloud-setup.ts";
import { handleCloudRequest } from "../../../../src/sim/fakes/openstack/http-front.ts";
import { authenticate } from "../../../../src/sim/fakes/openstack/keystone/authenticate.ts";
import type { LabShaped } from "../../../../src/sim/fakes/openstack/lab-shaped.ts";
import type { OpenStackTargetSession, ProjectKind, RawAnswer, RawCall, ReadyMade, TargetFaults } from "../target.ts";

const roots: Readonly<Record<OpenStackService, string>> = {
  keystone: "/identity",
  neutron: "/network",
  octavia: "/load-balancer",
  nova: "/compute",
};

/**
 * With amphora there is a compute service, and Neutron takes tags with a new port; with ovn there is none, and Neutron does not, as in the
 * lab: both must be told apart.
 */
export function fakeOptions(provider: "amphora" | "ovn"): Omit<FakeOpenStackOptions, "clock" | "random"> {
  const services: readonly OpenStackService[] = ["keystone", "neutron", "octavia"];
  if (provider === "amphora") return { defaultProvider: provider, services: [...services, "nova"] };
  return { defaultProvider: provider, services, neutronLacks: ["tag-ports-during-bulk-creation"] };
}

export function fakeSession(
  lab: LabShaped,
  provider: "amphora" | "ovn",
): Pick<OpenStackTargetSession, "provider" | "cloud" | "made" | "raw" | "faults"> {
  return {
    provider,
    cloud: (kind) => lab.clouds[kind],
    made: readyMade(lab, provider),
    raw: (kind, call) => rawCall(lab, kind, call),
    faults: targetFaults(lab),
  };
}

function sharedNetwork({ fake: { cloud }, projectId }: LabShaped): ReadyMade["shared"] {
  const { id: networkId } = addNetwork(cloud, { name: "shared", projectId, shared: true });
  const { id: subnetId } = addSubnet(cloud, { name: "shared-1", projectId, networkId, cidr: "10.8.1.0/24" });
  return { networkId, subnetId };
}

function readyMade(lab: LabShaped, provider: "amphora" | "ovn"): ReadyMade {
  const { externalNetworkId, networkId, subnetIds, routerId, isolated, flavor, zones, server } = lab;
  const { projectId, otherProjectId } = lab;
  return {
    externalNetworkId,
    networkId,
    subnetIds,
    routerId,
    isolated,
    shared: sharedNetwork(lab),
    balancerZones: zones,
    projectId,
    otherProjectId,
    ...(provider === "amphora" ? { flavor } : {}),
    ...(server === undefined ? {} : { compute: { zones, serverId: server.id, serverZone: server.zone } }),
  };
}

async function rawCall(lab: LabShaped, kind: ProjectKind, call: RawCall): Promise<RawAnswer> {
  const { cloud } = lab.fake;
  const token = call.anonymous === true ? {} : { "x-auth-token": authenticate(cloud, lab.clouds[kind].auth).id };
  const answer = await handleCloudRequest(lab.fake, {
    method: call.method,
    path: roots[call.service] + call.path,
    headers: { ...token, ...call.headers },
    body: call.body === undefined ? "" : JSON.stringify(call.body),
  });
  if (answer === "hang-up") throw new Error("the fake hung up");
  const { status, headers, body } = answer;
  return { status, headers, body: body === "" ? undefined : (JSON.parse(body) as unknown) };
}

function targetFaults({ fake, clouds, otherProjectId }: LabShaped): TargetFaults {
  return {
    async setStatus(kind, id, { provisioning, operating }) {
      fake.faults.setStatus(kind, id, {
        ...(provisioning === undefined ? {} : { provisioning: provisioning as ProvisioningStatus }),
        ...(operating === undefined ? {} : { operating: operating as OperatingStatus }),
      });
    },
    setMemberDown: async ({ address, port }, down) => fake.faults.setMemberDown(`${address}:${port}`, down),
    setQuota: async (resource, limit) => fake.faults.setQuota(otherProjectId, resource, limit),
    revokeTokens: async (kind) => fake.faults.revokeTokens(userOf(clouds[kind])),
  };
}

function userOf({ auth }: CloudConfig): string {
  return auth.type === "password" && "name" in auth.user ? auth.user.name : "demo";
}
