// Where tests ask for real parts. A part that does not answer skips its suites with a reason and the command that
// brings it, and with LAB=required it fails them. Nothing else in the tests knows where the lab lives.

import { execFile } from "node:child_process";
import { Resolver } from "node:dns/promises";
import { existsSync, readFileSync } from "node:fs";
import { request } from "node:https";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { isWholeSearch } from "./support/search-share.ts";

export interface KubeLab {
  readonly available: true;
  /** Address of the API server, such as https://127.0.0.1:16443. */
  readonly server: string;
  /** PEM of the certificate authority that signed the server. */
  readonly ca: string;
  /** Paths: admin by client certificate, admin by token, user `controller` (group `controllers`, no rights until bound). */
  readonly kubeconfig: string;
  readonly tokenKubeconfig: string;
  readonly controllerKubeconfig: string;
  readonly tokens: { readonly admin: string; readonly controller: string };
  /** kubectl, kube-apiserver, kube-controller-manager and etcd, for tests that start a server of their own. */
  readonly binDir: string;
  readonly kubectl: string;
}

export interface Missing {
  readonly available: false;
  readonly why: string;
  /** The command that brings the part. */
  readonly how: string;
}

/** A part of the lab: asks once whether it answers. */
export type LabPart<T extends { readonly available: true }> = () => Promise<T | Missing>;

/** Several at once, by name. The first that is missing speaks for all. */
export function labParts<T extends Readonly<Record<string, { readonly available: true }>>>(
  parts: {
    readonly [K in keyof T]: LabPart<T[K]>;
  },
): LabPart<{ readonly available: true; readonly parts: T }> {
  return async () => {
    const found: Record<string, unknown> = {};
    for (const [name, part] of Object.entries(parts)) {
      const answer = await part();
      if (!answer.available) return answer;
      found[name] = answer;
    }
    return { available: true, parts: found as T };
  };
}

/** Cluster API's managers, at work on the API server of the Kubernetes lab. */
export interface ClusterApiLab {
  readonly available: true;
  readonly kube: KubeLab;
  /** Folder with the managers and their manifests, for tests that start their own. */
  readonly binDir: string;
  readonly logDir: string;
}

/** Keystone, Neutron and Octavia, with the cloud that lab/openstack/python/bootstrap.py makes. */
export interface OpenStackLab {
  readonly available: true;
  /** Octavia's default provider. */
  readonly provider: "amphora" | "ovn";
  /** Its clouds: demo, demo-appcred, observer (may only look), other (another project), admin, admin-demo (scoped to demo). */
  readonly cloudsYaml: string;
  readonly keystone: string;
  readonly neutron: string;
  readonly octavia: string;
  readonly runDir: string;
  /** A folder with a file for each project, of its id's name: one `address` or `address:port` a line fails its health checks. */
  readonly membersDown: string;
  /** Takes statuses set by hand: see lab/openstack/status.sh. */
  readonly faultsSocket: string;
}

/** BIND, authoritative for one zone that takes signed updates. */
export interface DnsLab {
  readonly available: true;
  readonly server: string;
  readonly port: number;
  /** Such as `lab.test`; a suite uses names of its own below it. */
  readonly zone: string;
  /** The key that updates are signed with, as nsupdate and named read it. */
  readonly keyFile: string;
}

/** Checks and tries rules of Prometheus. */
export interface PromtoolLab {
  readonly available: true;
  readonly program: string;
}

/** nft, and the right to make network namespaces to run it in. */
export interface NftLab {
  readonly available: true;
}

/** A shell that people complete commands in. */
export interface ShellLab {
  readonly available: true;
  readonly program: string;
}

const caches = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "mainstay");
const cache = join(caches, "kube");
const runDir = process.env["MAINSTAY_LAB_KUBE"] || join(cache, "run");

const kubeconfigSchema = z.object({
  clusters: z.tuple([z.object({ cluster: z.object({ server: z.url(), "certificate-authority-data": z.string() }) })]),
  users: z.tuple([z.object({ user: z.object({ token: z.string() }) })]),
});

/** The Kubernetes lab of `make lab`, or why it cannot be used. Asked once in a worker. */
export const labKube: LabPart<KubeLab> = once(() => probeKube(runDir));

/** OpenStack with the provider amphora, and the same with OVN. */
export const labOpenStack: LabPart<OpenStackLab> = once(() =>
  probeOpenStack(process.env["MAINSTAY_LAB_OPENSTACK"] || join(caches, "openstack", "run"), "amphora"),
);
export const labOpenStackOvn: LabPart<OpenStackLab> = once(() =>
  probeOpenStack(process.env["MAINSTAY_LAB_OPENSTACK_OVN"] || join(caches, "openstack", "run-ovn"), "ovn"),
);

/** OpenStack with the provider amphora, where people's client `openstack` is installed, too, with Octavia's commands. */
export const labOpenStackClient: LabPart<OpenStackLab> = once(async () => {
  const cloud = await labOpenStack();
  const problem = await runs("openstack", ["loadbalancer", "list", "--help"]);
  if (!cloud.available || problem === undefined) return cloud;
  return missing(`the client openstack is not installed with Octavia's commands (${problem})`);
});

/** Kubernetes with Cluster API. */
export const labClusterApi: LabPart<ClusterApiLab> = once(() =>
  probeClusterApi(process.env["MAINSTAY_LAB_CLUSTER_API"] || join(caches, "cluster-api", "run")),
);

/** promtool, of `lab/prometheus`. */
export const labPromtool: LabPart<PromtoolLab> = once(async () => {
  const program = process.env["PROMTOOL"] || join(caches, "prometheus", "promtool");
  return existsSync(program) ? { available: true, program } : missing(`there is no promtool at ${program}`);
});

/** nftables, of `lab/gateway`. */
export const labNft: LabPart<NftLab> = once(async () => {
  const problem = await runs("unshare", ["--net", "nft", "list", "ruleset"]);
  return problem === undefined ? { available: true } : missing(`nft does not run in a network namespace (${problem})`);
});

/** bash, and zsh and fish of `lab/shells`. */
export const labShell = (program: "bash" | "zsh" | "fish"): LabPart<ShellLab> =>
  once(async () => {
    const problem = await runs(program, ["-c", "true"]);
    return problem === undefined ? { available: true, program } : missing(`${program} does not run (${problem})`);
  });

/** All that a gateway runs, of `lab/gateway`. */
export const labGateway: LabPart<NftLab> = once(async () => {
  const nft = await labNft();
  if (!nft.available) return nft;
  const programs = [
    ["keepalived", "--version"],
    ["conntrack", "--version"],
    ["ip", "-Version"],
  ] as const;
  for (const [program, flag] of programs) {
    const problem = await runs(program, [flag]);
    if (problem !== undefined) return missing(`${program} does not run (${problem})`);
  }
  return nft;
});

/** The name server. */
export const labDns: LabPart<DnsLab> = once(() =>
  probeDns(process.env["MAINSTAY_LAB_DNS"] || join(caches, "dns", "run")),
);

/** As `labKube`, for a lab in a run directory of the caller's own. */
export async function probeKube(run: string): Promise<KubeLab | Missing> {
  const path = (name: string) => join(run, name);
  if (!existsSync(path("kubeconfig.token"))) return missing("the Kubernetes lab has never been started");
  try {
    const admin = readKubeconfig(path("kubeconfig.token"));
    const controller = readKubeconfig(path("kubeconfig.controller"));
    const status = await readyz(admin);
    if (status !== 200) return missing(`the lab's API server at ${admin.server} answers ${status} to /readyz`);
    const binDir = binariesOf(run);
    return {
      available: true,
      server: admin.server,
      ca: admin.ca,
      kubeconfig: path("kubeconfig"),
      tokenKubeconfig: path("kubeconfig.token"),
      controllerKubeconfig: path("kubeconfig.controller"),
      tokens: { admin: admin.token, controller: controller.token },
      binDir,
      kubectl: join(binDir, "kubectl"),
    };
  } catch (error) {
    return missing(`the lab's API server does not answer (${error instanceof Error ? error.message : String(error)})`);
  }
}

/** As `labOpenStack`, for a lab in a run directory of the caller's own. */
export async function probeOpenStack(run: string, provider: OpenStackLab["provider"]): Promise<OpenStackLab | Missing> {
  const name = provider === "ovn" ? "the OpenStack lab with OVN" : "the OpenStack lab";
  const settings = readSettings(join(run, "settings"));
  const { KEYSTONE_URL: keystone, NEUTRON_URL: neutron, OCTAVIA_URL: octavia } = settings;
  const cloudsYaml = join(run, "clouds.yaml");
  if (!existsSync(cloudsYaml) || keystone === undefined || neutron === undefined || octavia === undefined) {
    return missing(`${name} has never been started`);
  }
  for (const address of [keystone, `${neutron}/`, `${octavia}/`]) {
    const problem = await silence(address);
    if (problem !== undefined) return missing(`${name} does not answer at ${address} (${problem})`);
  }
  return {
    available: true,
    provider,
    cloudsYaml,
    keystone,
    neutron,
    octavia,
    runDir: run,
    membersDown: join(run, "members-down"),
    faultsSocket: join(run, "faults.sock"),
  };
}

/** As `labDns`, for a lab in a run directory of the caller's own. */
export async function probeDns(run: string): Promise<DnsLab | Missing> {
  const { DNS_PORT: port, DNS_ZONE: zone } = readSettings(join(run, "settings"));
  if (port === undefined || zone === undefined) return missing("the DNS lab has never been started");
  const server = "127.0.0.1";
  const resolver = new Resolver({ timeout: 5_000, tries: 2 });
  resolver.setServers([`${server}:${port}`]);
  try {
    await resolver.resolveSoa(zone);
    return { available: true, server, port: Number(port), zone, keyFile: join(run, "key") };
  } catch (error) {
    return missing(`the DNS lab does not answer (${error instanceof Error ? error.message : String(error)})`);
  }
}

async function probeClusterApi(run: string): Promise<ClusterApiLab | Missing> {
  const kube = await labKube();
  if (!kube.available) return kube;
  const settings = readSettings(join(run, "settings"));
  const { works_on: kubeconfig, bin } = settings;
  const ports = Object.entries(settings).filter(([key]) => key.startsWith("health_"));
  if (bin === undefined || ports.length === 0) return missing("the Cluster API lab has never been started");
  if (kubeconfig !== kube.kubeconfig)
    return missing(`the Cluster API lab works on ${kubeconfig}, not on the Kubernetes lab`);
  for (const [key, port] of ports) {
    const problem = await silence(`http://127.0.0.1:${port}/readyz`);
    if (problem !== undefined) return missing(`Cluster API's manager ${key.slice(7)} does not answer (${problem})`);
  }
  return { available: true, kube, binDir: bin, logDir: join(run, "log") };
}

/** Lines of name=value, as the lab's scripts note them; values there need no quoting. */
function readSettings(path: string): Readonly<Record<string, string>> {
  if (!existsSync(path)) return {};
  const lines = readFileSync(path, "utf8").split("\n");
  return Object.fromEntries(lines.flatMap((line) => [/^(\w+)=(.*)$/.exec(line)?.slice(1, 3) ?? []].filter(isPair)));
}

function isPair(parts: readonly string[]): parts is [string, string] {
  return parts.length === 2;
}

/** Why a program does not run, in its last word. */
async function runs(program: string, args: readonly string[]): Promise<string | undefined> {
  return await new Promise((resolve) => {
    execFile(program, [...args], (error, _out, err) => {
      resolve(error === null ? undefined : err.trim().split("\n").at(-1) || error.message);
    });
  });
}

/** Why there is no answer at an address; undefined when there is one, whatever it says short of an error of the server's. */
async function silence(address: string): Promise<string | undefined> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(15_000) });
    await answer.body?.cancel();
    return answer.status < 500 ? undefined : `HTTP ${answer.status}`;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}

/**
 * A suite that needs a real part. `body` gets the part and registers tests as in `describe`. Without the part there is
 * one test in its place: skipped with the reason, or failing when LAB=required.
 */
export function describeLab<T extends { readonly available: true }>(
  name: string,
  part: LabPart<T>,
  body: (part: T) => void | Promise<void>,
): void {
  describe(name, async () => {
    const found = await part();
    if (found.available) return body(found);
    const reason = `${found.why}; to get it: ${found.how}`;
    test("needs the lab", (context) => {
      if (labRequired()) throw new Error(`LAB=required, but ${reason}`);
      context.skip(reason);
    });
  });
}

/** Suites that take about a minute each, and that a change seldom breaks: CI runs them always, others when they ask for it. */
export const slowSuites: LabPart<{ readonly available: true }> = () => {
  const missingTime: Missing = { available: false, why: "it takes a minute", how: "SLOW=yes make test" };
  return Promise.resolve(isWholeSearch() ? { available: true } : missingTime);
};

/** CI asks for every part: what cannot run must fail, not look green. */
export function labRequired(): boolean {
  return process.env["LAB"] === "required";
}

function missing(why: string): Missing {
  return { available: false, why, how: "make lab" };
}

interface Access {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
}

function readKubeconfig(path: string): Access {
  const { clusters, users } = kubeconfigSchema.parse(parse(readFileSync(path, "utf8")));
  const { server, "certificate-authority-data": ca } = clusters[0].cluster;
  return { server, ca: Buffer.from(ca, "base64").toString("utf8"), token: users[0].user.token };
}

function readyz({ server, ca, token }: Access): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${server}/readyz`, { ca, headers: { authorization: `Bearer ${token}` }, timeout: 10_000 });
    call.on("response", (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    call.on("timeout", () => call.destroy(new Error(`no answer from ${server} in 10 s`)));
    call.on("error", reject);
    call.end();
  });
}

/** up.sh notes where its binaries came from: the cache, or KUBEBUILDER_ASSETS. */
function binariesOf(run: string): string {
  const note = join(run, "bin-dir");
  return existsSync(note) ? readFileSync(note, "utf8").trim() : join(cache, "bin");
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}
