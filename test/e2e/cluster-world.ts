// `mainstay controller` as a process of its own with its dashboard on, at a fake API server that knows an administrator and
// one viewer, who may list Infrastructures and nothing else.

import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leases } from "../../src/apis/kube/builtin-kinds.ts";
import type { Kind } from "../../src/apis/kube/kube-object.ts";
import { listenForKube } from "../../src/bin/fake-kube-listener.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { systemRandom } from "../../src/drivers/system/system-random.ts";
import { topologyJob } from "../../src/jobs/topology/job.ts";
import { furnishTopology } from "../../src/jobs/topology/sim/demo/topology-demo.ts";
import { furnish } from "../../src/sim/demo/furnish.ts";
import { adminToken, createFakeKubeApi, type FakeKubeApi } from "../../src/sim/fakes/kube/api-server.ts";

export const viewerToken = "the-viewers-own-token";

export interface ClusterWorld {
  readonly dashboard: string;
  stop(): Promise<void>;
}

const leaseRef = { namespace: "mainstay-system", name: "mainstay-controller" };
const rbac = "rbac.authorization.k8s.io";
const administrator = { username: "admin", uid: "admin", groups: ["system:masters"] };
const viewer = { username: "ada", uid: "ada", groups: ["system:authenticated"] };

/** `leader`: somebody else who holds the lease, so that this one stands by. */
export async function startClusterWorld(
  pages: string,
  { leader }: { readonly leader?: string } = {},
): Promise<ClusterWorld> {
  const users = new Map([
    [adminToken, administrator],
    [viewerToken, viewer],
  ]);
  const api = createFakeKubeApi({ clock: systemClock, random: systemRandom, users });
  await furnishCluster(api, leader);
  const authorization = `Bearer ${adminToken}`;
  const listener = await listenForKube({
    handle: (request, options) => api.handle({ ...request, headers: { authorization, ...request.headers } }, options),
  });
  const folder = await mkdtemp(join(tmpdir(), "mainstay-cluster-"));
  const configuration = await writeConfiguration(folder, listener.url, leader !== undefined);
  const controller = await startController(configuration, pages);
  return {
    dashboard: controller.dashboard,
    stop: async () => {
      await controller.stop();
      await listener.close();
      api.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function furnishCluster(api: FakeKubeApi, leader: string | undefined): Promise<void> {
  const kube = kubeClient({ transport: api.transport(adminToken), clock: systemClock });
  await furnish(kube, systemClock, { jobs: [topologyJob], parts: [] });
  await furnishTopology(kube);
  if (leader !== undefined) {
    const spec = { holderIdentity: leader, leaseDurationSeconds: 3_600, leaseTransitions: 1 };
    const now = new Date().toISOString().replace("Z", "000Z");
    const times = { acquireTime: now, renewTime: now };
    await kube.patch(leases, leaseRef, { type: "merge", body: { spec: { ...spec, ...times } } });
  }
  const kind = (plural: string, name: string): Kind => ({
    group: rbac,
    version: "v1",
    kind: name,
    plural,
    namespaced: false,
  });
  const head = { apiVersion: `${rbac}/v1`, metadata: { name: "viewer" } };
  const rules = [
    { apiGroups: ["config.openshift.io"], resources: ["infrastructures"], verbs: ["get", "list", "watch"] },
  ];
  const role = { ...head, kind: "ClusterRole", rules };
  const binding = {
    ...head,
    kind: "ClusterRoleBinding",
    subjects: [{ kind: "User", name: viewer.username, apiGroup: rbac }],
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "viewer" },
  };
  await kube.create(kind("clusterroles", "ClusterRole"), role);
  await kube.create(kind("clusterrolebindings", "ClusterRoleBinding"), binding);
}

async function writeConfiguration(folder: string, server: string, elected: boolean): Promise<string> {
  const kubeconfig = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "fake", cluster: { server } }],
    users: [{ name: "user", user: {} }],
    contexts: [{ name: "fake", context: { cluster: "fake", user: "user" } }],
    "current-context": "fake",
  };
  const configuration = {
    kubeconfig: join(folder, "kubeconfig"),
    leaderElection: { enabled: elected, ...leaseRef },
    health: { port: 0 },
    dashboard: { enabled: true, port: 0 },
  };
  await writeFile(join(folder, "kubeconfig"), JSON.stringify(kubeconfig));
  await writeFile(join(folder, "mainstay.yaml"), JSON.stringify(configuration));
  return join(folder, "mainstay.yaml");
}

/** Its first log line says where the dashboard is. */
function startController(configuration: string, pages: string): Promise<ClusterWorld> {
  const program = join(import.meta.dirname, "..", "..", "src", "bin", "mainstay.ts");
  const child = spawn(process.execPath, [program, "controller", "--config", configuration], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, MAINSTAY_DASHBOARD: pages },
  });
  const ended = new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? -1)));
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  let said = "";
  return new Promise((resolve, reject) => {
    void ended.then((code) => reject(new Error(`the controller ended with ${code}: ${said}`)));
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        said += chunk.toString("utf8");
        const dashboard = /"dashboard":"([^"]+)"/.exec(said)?.[1];
        if (dashboard !== undefined) resolve({ dashboard, stop });
      });
  });
}
