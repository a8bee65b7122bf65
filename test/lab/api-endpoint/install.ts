// What a user installs in a management cluster: our definitions, roles, webhooks and credentials; and, of other projects, the definitions of
// kinds that the job reads or writes.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStackMachines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { webhookConversion } from "../../../src/apis/kube/crd.ts";
import type { Kind, KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { convertPath } from "../../../src/apis/kube/webhook-configuration.ts";
import { openStackClusterIdentities } from "../../../src/apis/openstack/openstack-cluster-identity.ts";
import { apiEndpointCrd } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint-crd.ts";
import { openStackClusterCrd } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster-crd.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import { selfSigned } from "../../contract/kube/self-signed.ts";
import type { OwnProject } from "../openstack/own-project.ts";
import { namespace } from "./cluster-objects.ts";
import { freePort } from "./controller-process.ts";
import { dnsEndpointCrd } from "./dns-endpoint-crd.ts";
import type { Kubectl } from "./kubectl.ts";

const root = join(import.meta.dirname, "..", "..", "..");

export async function webhookAt(folder: string) {
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

const openStackMachineTemplates: Kind = {
  ...openStackMachines,
  kind: "OpenStackMachineTemplate",
  plural: "openstackmachinetemplates",
};

/** `webhook`: where one controller serves them; without it the API server keeps one version alone. */
export async function install(kubectl: Kubectl, webhook?: Webhook): Promise<void> {
  const conversion = webhook && webhookConversion(webhook.clientConfigAt(convertPath));
  const ours = [openStackClusterCrd(conversion), apiEndpointCrd];
  const others = [openCrd(openStackClusterIdentities), dnsEndpointCrd()];
  const provided = [openStackMachines, openStackMachineTemplates].map(providerCrd);
  await kubectl(["apply", "--server-side", "-f", "-"], [...ours, ...others, ...provided]);
  await kubectl(["wait", "--for=condition=Established", "crd", "--all", "--timeout=300s"]);
  for (const file of ["manager", "openstack-cluster-controller", "api-endpoint-controller"])
    await kubectl(["apply", "-f", join(root, "deploy", "rbac", `${file}.yaml`)]).catch(unlessUnbound);
  const home = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
  await kubectl(["apply", "-f", "-"], [home, ...bindings()]);
}

/** A Secret with a clouds.yaml, as identityRef names it. */
export function credentials(name: string, { cloudsYaml }: OwnProject, where = namespace): KubeObject {
  const metadata = { name, namespace: where, labels: { "clusterctl.cluster.x-k8s.io/move": "" } };
  return { apiVersion: "v1", kind: "Secret", metadata, stringData: { "clouds.yaml": cloudsYaml } } as KubeObject;
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
