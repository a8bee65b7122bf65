// Real Keystone, Neutron and Octavia of the lab, reached through our driver: the judge of every behaviour. What a session makes it
// removes again, whatever the suite forgot.

import { appendFile, readFile, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";
import { z } from "zod";
import type { CloudConfig } from "../../../src/core/openstack/cloud-config.ts";
import { isOpenStackError } from "../../../src/core/openstack/openstack-error.ts";
import { parseCloud } from "../../../src/core/openstack/parse-cloud.ts";
import { openStackClient } from "../../../src/drivers/openstack/openstack-client.ts";
import { undiciTransport } from "../../../src/drivers/openstack/undici-transport.ts";
import { systemClock } from "../../../src/drivers/system/system-clock.ts";
import { systemRandom } from "../../../src/drivers/system/system-random.ts";
import type { OpenStackProject } from "../../../src/ports/openstack.ts";
import type { OpenStackTransport } from "../../../src/ports/openstack-transport.ts";
import type { OpenStackLab } from "../../lab.ts";
import type {
  OpenStackTarget,
  OpenStackTargetSession,
  ProjectKind,
  RawAnswer,
  RawCall,
  ReadyMade,
  TargetFaults,
} from "./target.ts";

const cloudOf: Readonly<Record<ProjectKind, string>> = {
  password: "demo",
  "application-credential": "demo-appcred",
  other: "other",
  admin: "admin-demo",
};

export function realTarget(lab: OpenStackLab): OpenStackTarget {
  return {
    name: lab.provider === "ovn" ? "the real services with OVN" : "the real services",
    open: () => openSession(lab),
  };
}

async function openSession(lab: OpenStackLab): Promise<OpenStackTargetSession> {
  const document: unknown = parse(await readFile(lab.cloudsYaml, "utf8"));
  const cloud = (kind: ProjectKind) => cloudNamed(document, cloudOf[kind]);
  const made = new Set<string>();
  const transport = remembering(undiciTransport({ environment: {} }), made);
  const openStack = openStackClient({
    transport,
    clock: systemClock,
    random: systemRandom,
    userAgent: "mainstay-contract",
  });
  const project = (kind: ProjectKind) => openStack.project(cloud(kind));
  const raw = rawCaller(lab, cloud, made);
  const ready = await readyMade(lab, project("password"), project("other"));
  const faults = targetFaults(lab, ready, raw);
  return {
    provider: lab.provider,
    openStack,
    cloud,
    project,
    made: ready,
    raw,
    faults: faults.port,
    pass: (milliseconds) => sleep(milliseconds),
    async cleanUp() {
      for (const kind of ["password", "other"] as const) await removeMade(project(kind), made);
      await faults.restore();
      await transport.close();
    },
  };
}

function cloudNamed(document: unknown, cloudName: string): CloudConfig {
  const parsed = parseCloud(document, { cloudName });
  if (!parsed.ok) throw new Error(`the lab's clouds.yaml: ${JSON.stringify(parsed.problems)}`);
  return parsed.value;
}

async function readyMade(lab: OpenStackLab, member: OpenStackProject, other: OpenStackProject): Promise<ReadyMade> {
  const [{ projectId }, { projectId: otherProjectId }] = await Promise.all([member.identify(), other.identify()]);
  const networkId = async (name: string) => only(await member.neutron.listNetworks({ name }), name).id;
  const subnetId = async (name: string) => only(await member.neutron.listSubnets({ name }), name).id;
  const ports = await member.neutron.listPorts({ deviceOwner: "network:router_interface" });
  const routerId = ports[0]?.deviceId ?? (await anyRouter(member));
  const [flavor] = await member.octavia.listFlavors();
  const zones = await member.octavia.listAvailabilityZones();
  return {
    externalNetworkId: await networkId("public"),
    networkId: await networkId("tenant"),
    subnetIds: [await subnetId("tenant-1"), await subnetId("tenant-2"), await subnetId("tenant-3")],
    routerId,
    isolated: { networkId: await networkId("isolated"), subnetId: await subnetId("isolated-1") },
    // The lab's flavor and zones are amphora's.
    balancerZones: lab.provider === "ovn" ? [] : zones.map(({ name }) => name),
    ...(flavor === undefined || lab.provider === "ovn" ? {} : { flavor: { id: flavor.id, name: flavor.name } }),
    projectId,
    otherProjectId,
  };
}

/** Some mechanisms give the router's ports another owner. */
async function anyRouter(member: OpenStackProject): Promise<string> {
  const ports = await member.neutron.listPorts({});
  const found = ports.find(({ deviceOwner }) => deviceOwner.startsWith("network:router"));
  if (found === undefined) throw new Error("the lab has no router");
  return found.deviceId;
}

function only<T>(found: readonly T[], name: string): T {
  const [one] = found;
  if (one === undefined || found.length > 1) throw new Error(`the lab has ${found.length} of ${name}`);
  return one;
}

/** Notes the ids of everything that is created, also when the caller never hears of it. Others may use the lab at the same time. */
function remembering(inner: OpenStackTransport, made: Set<string>): OpenStackTransport {
  return {
    async send(request, options) {
      const response = await inner.send(request, options);
      if (request.method !== "POST") return response;
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) chunks.push(chunk);
      note(made, readJson(Buffer.concat(chunks).toString()));
      return { ...response, body: again(chunks) };
    },
    close: () => inner.close(),
  };
}

async function* again(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
}

function note(made: Set<string>, body: unknown): void {
  const id = z.object({ id: z.string() });
  const { loadbalancer, floatingip } =
    z.object({ loadbalancer: id.optional(), floatingip: id.optional() }).safeParse(body).data ?? {};
  for (const object of [loadbalancer, floatingip]) if (object !== undefined) made.add(object.id);
}

/** A balancer that is still busy is waited for, two minutes at most. */
async function removeMade({ octavia, neutron }: OpenStackProject, made: ReadonlySet<string>): Promise<void> {
  const left = async () => (await octavia.listLoadBalancers({})).filter(({ id }) => made.has(id));
  for (let tries = 0; tries < 60; tries += 1) {
    const balancers = await left();
    if (balancers.length === 0) break;
    for (const { id, provisioningStatus } of balancers) {
      if (provisioningStatus !== "PENDING_DELETE") await octavia.deleteLoadBalancer(id).catch(unlessBusy);
    }
    await sleep(2_000);
  }
  const floatingIps = (await neutron.listFloatingIps({})).filter(({ id }) => made.has(id));
  for (const { id } of floatingIps) await neutron.deleteFloatingIp(id);
}

function unlessBusy(error: unknown): void {
  if (!isOpenStackError(error, "Conflict")) throw error;
}

function targetFaults(
  lab: OpenStackLab,
  made: ReadyMade,
  raw: OpenStackTargetSession["raw"],
): { readonly port: TargetFaults; restore(): Promise<void> } {
  const limited = new Set<"load_balancer" | "floatingip">();
  const down = new Set<string>();
  const quota = async (resource: "load_balancer" | "floatingip", limit: number | undefined) => {
    const octavia = resource === "load_balancer";
    const path = `${octavia ? "/v2.0/lbaas" : "/v2.0"}/quotas/${made.otherProjectId}`;
    const service = octavia ? "octavia" : "neutron";
    const call: RawCall =
      limit === undefined
        ? { service, method: "DELETE", path }
        : { service, method: "PUT", path, body: { quota: { [resource]: limit } } };
    const { status, body } = await raw("admin", call);
    if (status >= 300) throw new Error(`the quota could not be set: ${status} ${JSON.stringify(body)}`);
    if (limit === undefined) limited.delete(resource);
    else limited.add(resource);
  };
  const writeDown = () => writeFile(lab.membersDown, [...down].map((line) => `${line}\n`).join(""));
  return {
    port: {
      async setStatus(kind, id, { provisioning, operating }) {
        await setStatus(lab.faultsSocket, {
          [kind]: [{ id, provisioning_status: provisioning, operating_status: operating }],
        });
      },
      async setMemberDown({ address, port }, isDown) {
        const line = `${address}:${port}`;
        if (isDown) {
          down.add(line);
          await appendFile(lab.membersDown, `${line}\n`);
        } else {
          down.delete(line);
          await writeDown();
        }
      },
      setQuota: quota,
    },
    async restore() {
      for (const resource of limited) await quota(resource, undefined);
      if (down.size === 0) return;
      down.clear();
      await writeDown();
    },
  };
}

/** One line of JSON there, one back: see lab/openstack/python/mainstay_lab/faults.py. */
function setStatus(socket: string, statuses: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const connection = createConnection(socket);
    let text = "";
    connection.on("connect", () => connection.write(`${JSON.stringify(statuses)}\n`));
    connection.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    connection.on("error", reject);
    connection.on("end", () => {
      const answer = z.object({ status_code: z.number() }).safeParse(JSON.parse(text)).data;
      if (answer?.status_code === 200) resolve();
      else reject(new Error(`the status could not be set: ${text}`));
    });
  });
}

function rawCaller(
  lab: OpenStackLab,
  cloud: (kind: ProjectKind) => CloudConfig,
  made: Set<string>,
): OpenStackTargetSession["raw"] {
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
    const read = await rawAnswer(answer);
    if (call.method === "POST") note(made, read.body);
    return read;
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
