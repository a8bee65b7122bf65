// Real Keystone, Neutron and Octavia of the lab, reached through our driver: the judge of every behaviour. A session has projects of its
// own, which go with whatever the suite forgot.

import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";
import type { CloudConfig } from "../../../src/core/openstack/cloud-config.ts";
import { parseCloud } from "../../../src/core/openstack/parse-cloud.ts";
import { openStackClient } from "../../../src/drivers/openstack/openstack-client.ts";
import { undiciTransport } from "../../../src/drivers/openstack/undici-transport.ts";
import { systemClock } from "../../../src/drivers/system/system-clock.ts";
import { systemRandom } from "../../../src/drivers/system/system-random.ts";
import type { OpenStackProject } from "../../../src/ports/openstack.ts";
import { openAccount } from "../../lab/openstack/account.ts";
import { type OwnProject, openProject, type Place } from "../../lab/openstack/own-project.ts";
import { type Rest, rowOf } from "../../lab/openstack/rest.ts";
import type { OpenStackLab } from "../../lab.ts";
import type { OpenStackTarget, OpenStackTargetSession, ProjectKind, RawAnswer, ReadyMade } from "./target.ts";

/** Whose clouds.yaml, and which of its clouds. */
const cloudOf: Readonly<Record<ProjectKind, readonly ["own" | "other", string]>> = {
  password: ["own", "openstack"],
  "application-credential": ["own", "appcred"],
  other: ["other", "openstack"],
  admin: ["own", "admin"],
};

export function realTarget(lab: OpenStackLab): OpenStackTarget {
  return {
    name: lab.provider === "ovn" ? "the real services with OVN" : "the real services",
    open: () => openSession(lab),
  };
}

async function openSession(lab: OpenStackLab): Promise<OpenStackTargetSession> {
  const accounts = { own: await openProject(lab), other: await openAccount(lab) };
  const shared = await shareNetwork(accounts.own.rest, accounts.other.id);
  const cloud = (kind: ProjectKind) => {
    const [whose, cloudName] = cloudOf[kind];
    return cloudNamed(parse(accounts[whose].cloudsYaml), cloudName);
  };
  const transport = undiciTransport({ environment: {} });
  const openStack = openStackClient({
    transport,
    clock: systemClock,
    random: systemRandom,
    userAgent: "mainstay-contract",
    deadlineMs: 300_000,
  });
  const project = (kind: ProjectKind) => openStack.project(cloud(kind));
  const { faults } = accounts.own;
  return {
    provider: lab.provider,
    openStack,
    cloud,
    project,
    made: { ...(await readyMade(lab, accounts.own, accounts.other.id, project("password"))), shared },
    raw: rawCaller(lab, cloud),
    faults: {
      setStatus: faults.setStatus,
      setMemberDown: ({ address, port }, isDown) => faults.setMemberDown(`${address}:${port}`, isDown),
      setQuota: (resource, limit) => accounts.other.setQuota(resource, limit),
    },
    pass: (milliseconds) => sleep(milliseconds),
    async cleanUp() {
      await transport.close();
      await accounts.own.remove();
      await accounts.other.remove();
    },
  };
}

function cloudNamed(document: unknown, cloudName: string): CloudConfig {
  const parsed = parseCloud(document, { cloudName });
  if (!parsed.ok) throw new Error(`the project's clouds.yaml: ${JSON.stringify(parsed.problems)}`);
  return parsed.value;
}

/** With one other project alone: whoever else is in the lab sees nothing of it. */
async function shareNetwork(rest: Rest, otherProjectId: string): Promise<Place> {
  const create = async (path: string, key: string, body: object) =>
    rowOf(await rest("neutron", "POST", path, { [key]: body }), key).id;
  const networkId = await create("/networks", "network", { name: "shared" });
  const subnet = { network_id: networkId, name: "shared-1", ip_version: 4, cidr: "10.8.1.0/24" };
  const subnetId = await create("/subnets", "subnet", subnet);
  const policy = { object_type: "network", object_id: networkId, action: "access_as_shared" };
  await create("/rbac-policies", "rbac_policy", { ...policy, target_tenant: otherProjectId });
  return { networkId, subnetId };
}

async function readyMade(
  { provider }: OpenStackLab,
  { id, externalNetworkId, networkId, subnetIds, routerId, isolated }: OwnProject,
  otherProjectId: string,
  { octavia }: OpenStackProject,
): Promise<Omit<ReadyMade, "shared">> {
  const places = { externalNetworkId, networkId, subnetIds, routerId, isolated, projectId: id, otherProjectId };
  // The lab's flavor and zones are amphora's.
  if (provider === "ovn") return { ...places, balancerZones: [] };
  const [flavor] = await octavia.listFlavors();
  const balancerZones = (await octavia.listAvailabilityZones()).map(({ name }) => name);
  return {
    ...places,
    balancerZones,
    ...(flavor === undefined ? {} : { flavor: { id: flavor.id, name: flavor.name } }),
  };
}

function rawCaller(lab: OpenStackLab, cloud: (kind: ProjectKind) => CloudConfig): OpenStackTargetSession["raw"] {
  const roots = {
    keystone: lab.keystone.replace(/\/v3$/, ""),
    neutron: lab.neutron,
    octavia: lab.octavia,
    nova: "http://127.0.0.1:1",
  };
  return async (kind, call) => {
    const token = call.anonymous === true ? undefined : await rawToken(lab.keystone, cloud(kind));
    const answer = await fetch(`${roots[call.service]}${call.path}`, {
      method: call.method,
      headers: {
        "content-type": "application/json",
        ...(token === undefined ? {} : { "x-auth-token": token }),
        ...call.headers,
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
    return await rawAnswer(answer);
  };
}

async function rawAnswer(answer: Response): Promise<RawAnswer> {
  const text = await answer.text();
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers.entries()),
    body: text === "" ? undefined : readJson(text),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** By the shortest way, so that what is tested takes no part in testing. */
async function rawToken(keystone: string, { auth }: CloudConfig): Promise<string> {
  const body =
    auth.type === "password"
      ? {
          identity: { methods: ["password"], password: { user: { ...auth.user, password: auth.password } } },
          scope: { project: auth.scope },
        }
      : auth.type === "application-credential"
        ? {
            identity: {
              methods: ["application_credential"],
              application_credential: { ...auth.credential, secret: auth.secret },
            },
          }
        : { identity: { methods: ["token"], token: { id: auth.token } } };
  const answer = await fetch(`${keystone}/auth/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ auth: body }),
  });
  const token = answer.headers.get("x-subject-token");
  await answer.body?.cancel();
  if (token === null) throw new Error(`Keystone answers ${answer.status} to a login`);
  return token;
}
