// A management cluster for one suite, as a user builds it: an API server, Cluster API's managers, our definitions, webhooks and roles,
// `mainstay controller` under those roles, and a project of its own in a real OpenStack. Infrastructure machines are played by the test:
// CAPO's machine controller is nobody's business here.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { apiEndpointCrd } from "../../../src/apis/api-endpoint-crd.ts";
import { events } from "../../../src/apis/builtin-kinds.ts";
import { type Cluster, clusters, openStackMachines } from "../../../src/apis/cluster-api-kinds.ts";
import { webhookConversion } from "../../../src/apis/crd.ts";
import type { Kind, KubeObject } from "../../../src/apis/kube-object.ts";
import { type OpenStackCluster, openStackClusters } from "../../../src/apis/openstack-cluster.ts";
import { openStackClusterCrd } from "../../../src/apis/openstack-cluster-crd.ts";
import { convertPath, validatingWebhookConfiguration } from "../../../src/apis/webhook-configuration.ts";
import { isKubeError } from "../../../src/core/kube-error.ts";
import type { Kube } from "../../../src/ports/kube.ts";
import { openCrd } from "../../api-endpoint/open-crd.ts";
import { selfSigned } from "../../contract/kube/self-signed.ts";
import { openSession } from "../../contract/targets/kubeconfig-session.ts";
import type { ClusterApiLab, OpenStackLab } from "../../lab.ts";
import { startPrivateKube } from "../../private-kube.ts";
import { type ControllerProcess, freePort, startController } from "./controller-process.ts";
import { startClusterApi } from "./own-cluster-api.ts";
import { type OwnProject, openProject } from "./own-project.ts";
import { until } from "./until.ts";

const root = join(import.meta.dirname, "..", "..", "..");
export const namespace = "clusters";

/** What Cluster API makes of a Cluster, as far as tests look. */
export interface ProvisionedCluster extends Cluster {
  readonly status?: {
    readonly phase?: string;
    readonly failureDomains?: readonly { readonly name: string; readonly controlPlane?: boolean }[];
    readonly initialization?: { readonly infrastructureProvisioned?: boolean };
  };
}

export interface EndpointLab {
  readonly kube: Kube;
  readonly project: OwnProject;
  readonly openStack: OpenStackLab;
  readonly controller: ControllerProcess;
  readonly kubeconfig: string;
  /** What kubectl says; throws with its complaint. */
  kubectl(args: readonly string[], input?: unknown): Promise<string>;
  /** One of deploy/samples with the ids of this project, in the suite's namespace, as an object to apply. */
  sample(file: string): KubeObject & { readonly spec: Readonly<Record<string, unknown>> };
  close(): Promise<void>;
}

export async function openLab(clusterApi: ClusterApiLab, openStack: OpenStackLab): Promise<EndpointLab> {
  const closing: (() => Promise<unknown> | void)[] = [];
  const close = async () => {
    for (const task of closing.toReversed()) await task();
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), "mainstay-endpoint-"));
    closing.push(() => (process.env["KEEP_LOG"] ? undefined : rmSync(folder, { recursive: true, force: true })));
    const opening = openProject(openStack);
    closing.push(async () => (await opening).remove());
    const server = await startPrivateKube(clusterApi.kube, { withControllers: true });
    closing.push(() => server.close());
    const { lab } = server;
    const session = await openSession({
      admin: lab.kubeconfig,
      restricted: lab.controllerKubeconfig,
      restrictedToken: lab.tokens.controller,
    });
    closing.push(() => session.close());
    closing.push(await startClusterApi(clusterApi, lab));
    const project = await opening;
    const kubectl = kubectlFor(lab.kubectl, lab.kubeconfig);
    const webhook = await webhookAt(folder);
    await install(kubectl, webhook, project);
    const controller = await startController(folder, {
      kubeconfig: lab.controllerKubeconfig,
      leaderElection: { durationSeconds: 15, renewDeadlineSeconds: 12, retrySeconds: 0.5 },
      health: { port: 0 },
      webhook: webhook.settings,
      apiEndpoint: { relookSeconds: 3 },
      controllers: { topology: { enabled: false } },
    });
    closing.push(() => controller.stop());
    // Last, as it refuses what nobody can judge yet.
    await kubectl(["apply", "-f", "-"], validatingWebhookConfiguration(webhook.clientConfigAt));
    const sample = (file: string) => sampleOf(file, project);
    return { kube: session.admin, project, openStack, controller, kubeconfig: lab.kubeconfig, kubectl, sample, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function kubectlFor(program: string, kubeconfig: string): EndpointLab["kubectl"] {
  return (args, input) =>
    new Promise((resolve, reject) => {
      const child = execFile(program, ["--kubeconfig", kubeconfig, ...args], (error, stdout, stderr) => {
        if (error === null) resolve(stdout + stderr);
        else reject(new Error(stderr));
      });
      child.stdin?.end(
        input === undefined
          ? ""
          : [input]
              .flat()
              .map((one) => stringify(one))
              .join("---\n"),
      );
    });
}

async function webhookAt(folder: string) {
  const { certificate, key } = selfSigned();
  const certificateFolder = join(folder, "tls");
  mkdirSync(certificateFolder);
  writeFileSync(join(certificateFolder, "tls.crt"), certificate);
  writeFileSync(join(certificateFolder, "tls.key"), key);
  const port = await freePort();
  const caBundle = Buffer.from(certificate).toString("base64");
  return {
    settings: { enabled: true, bind: "127.0.0.1", port, certificateFolder },
    clientConfigAt: (path: string) => ({ url: `https://127.0.0.1:${port}${path}`, caBundle }),
  };
}

type Webhook = Awaited<ReturnType<typeof webhookAt>>;

/** The contract that a provider's kinds keep, by which Cluster API finds their version. */
function providerCrd(kind: Kind): KubeObject {
  const crd = openCrd(kind);
  return { ...crd, metadata: { ...crd.metadata, labels: { [`cluster.x-k8s.io/${kind.version}`]: kind.version } } };
}

async function install(kubectl: EndpointLab["kubectl"], webhook: Webhook, project: OwnProject): Promise<void> {
  const conversion = webhookConversion(webhook.clientConfigAt(convertPath));
  await kubectl(
    ["apply", "--server-side", "-f", "-"],
    [openStackClusterCrd(conversion), apiEndpointCrd, providerCrd(openStackMachines)],
  );
  await kubectl(["wait", "--for=condition=Established", "crd", "--all", "--timeout=120s"]);
  for (const file of ["manager", "openstack-cluster-controller", "api-endpoint-controller"])
    await kubectl(["apply", "-f", join(root, "deploy", "rbac", `${file}.yaml`)]).catch(unlessUnbound);
  const stringData = { "clouds.yaml": project.cloudsYaml };
  const metadata = { name: "my-cluster-cloud-config", namespace, labels: { "clusterctl.cluster.x-k8s.io/move": "" } };
  await kubectl(
    ["apply", "-f", "-"],
    [
      { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
      { apiVersion: "v1", kind: "Secret", metadata, stringData },
      ...bindings(),
    ],
  );
}

/** The manager's file also binds roles of jobs that are not installed here. */
function unlessUnbound(error: Error): void {
  if (!error.message.includes("not found")) throw error;
}

/** Outside a cluster the controller is a user, not a service account. */
function bindings(): readonly KubeObject[] {
  const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "controller" }];
  const binding = (kind: string, name: string, role: string, of: string, where: object) => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind,
    metadata: { name, ...where },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: of, name: role },
    subjects,
  });
  return [
    ...["mainstay-openstack-cluster-controller", "mainstay-api-endpoint-controller"].map((role) =>
      binding("ClusterRoleBinding", `lab-${role}`, role, "ClusterRole", {}),
    ),
    binding("RoleBinding", "lab-mainstay-manager", "mainstay-manager", "Role", { namespace: "mainstay-system" }),
  ];
}

function sampleOf(file: string, { networkId, subnetIds }: OwnProject): ReturnType<EndpointLab["sample"]> {
  const ids: Readonly<Record<string, string>> = {
    "6c90b532-7ba0-418a-a276-5ae55060b5b0": networkId,
    "0b7e4c1d-6a55-4a0c-9a57-0f1de2d5a7c1": networkId,
    "cad5a91a-36de-4388-823b-b0cc82cadfdc": subnetIds[0] ?? "",
    "e2407c18-c4e7-4d3d-befa-8eec5d8756f2": subnetIds[1] ?? "",
  };
  const text = readFileSync(join(root, "deploy", "samples", file), "utf8");
  const filled = Object.entries(ids).reduce((said, [from, to]) => said.replaceAll(from, to), text);
  const object = parse(filled) as ReturnType<EndpointLab["sample"]>;
  return { ...object, metadata: { ...object.metadata, namespace } };
}

/** A Cluster for an infrastructure object of the same name. */
export function clusterFor(name: string, spec: object = {}): KubeObject & { readonly spec: object } {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { name, namespace },
    spec: {
      infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "OpenStackCluster", name },
      ...spec,
    },
  };
}

export async function readCluster({ kube }: EndpointLab, name: string): Promise<ProvisionedCluster | undefined> {
  return await unlessGone(kube.get<ProvisionedCluster>(clusters, { name, namespace }));
}

export async function readInfrastructure({ kube }: EndpointLab, name: string): Promise<OpenStackCluster | undefined> {
  return await unlessGone(kube.get(openStackClusters, { name, namespace }));
}

export async function provisioned(lab: EndpointLab, name: string): Promise<ProvisionedCluster> {
  return await until(`${name} to be provisioned`, async () => {
    const cluster = await readCluster(lab, name);
    return cluster?.status?.phase === "Provisioned" ? cluster : undefined;
  });
}

/** As a user does it, and until nothing of it is left in the cluster. */
export async function removeCluster(lab: EndpointLab, name: string): Promise<void> {
  await lab.kubectl(["delete", "cluster", "-n", namespace, name, "--wait=false"]);
  await until(`${name} to be gone`, async () => (await readCluster(lab, name)) === undefined);
}

/** Words of the condition, such as `False MembersUnhealthy az1: …`. */
export function conditionOf(object: OpenStackCluster | undefined, type: string): string {
  const found = object?.status?.conditions?.find((one) => one.type === type);
  return found === undefined ? "" : `${found.status} ${found.reason ?? ""} ${found.message ?? ""}`;
}

export async function notesOn({ kube }: EndpointLab, name: string): Promise<readonly string[]> {
  interface Note extends KubeObject {
    readonly reason?: string;
    readonly note?: string;
    readonly type?: string;
    readonly regarding?: { readonly name?: string };
  }
  const { items } = await kube.list<Note>(events, { namespace });
  return items
    .filter(({ regarding }) => regarding?.name === name)
    .map(({ type, reason, note }) => `${type} ${reason} ${note}`);
}

async function unlessGone<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isKubeError(error, "NotFound")) return undefined;
    throw error;
  }
}
