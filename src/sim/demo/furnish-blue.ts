// What the demonstration holds for the api-endpoint job: our definitions with their webhooks, the neighbours' definitions, and the
// cluster blue, which somebody has just asked for.

import { clusters } from "../../apis/cluster-api/cluster-api-kinds.ts";
import { crds } from "../../apis/crds.ts";
import { secrets } from "../../apis/kube/builtin-kinds.ts";
import { type CustomResourceDefinition, webhookConversion } from "../../apis/kube/crd.ts";
import type { KubeObject } from "../../apis/kube/kube-object.ts";
import {
  convertPath,
  validatingWebhookConfiguration,
  validatingWebhookConfigurations,
} from "../../apis/kube/webhook-configuration.ts";
import { openStackClusters } from "../../jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { openStackClusterCrd } from "../../jobs/api-endpoint/apis/openstack-cluster/openstack-cluster-crd.ts";
import type { Kube } from "../../ports/kube.ts";
import { blueCluster, blueOpenStackCluster, credentialsOf } from "./blue-cluster.ts";
import { neighbourCrds } from "./neighbour-crds.ts";

/** No socket answers there: the fake API server asks in this process, by the path alone. */
const webhookAt = (path: string) => ({ url: `https://mainstay.example.com${path}` });

const converting = openStackClusterCrd(webhookConversion(webhookAt(convertPath)));

export const demoCrds: readonly CustomResourceDefinition[] = [
  ...crds.map((crd) => (crd.metadata.name === converting.metadata.name ? converting : crd)),
  ...neighbourCrds,
];

export async function furnishBlue(kube: Kube, cloudsYaml: string): Promise<void> {
  await kube.create(validatingWebhookConfigurations, validatingWebhookConfiguration(webhookAt));
  await kube.create<KubeObject>(secrets, credentialsOf(cloudsYaml));
  await kube.create<KubeObject>(clusters, blueCluster);
  await kube.create<KubeObject>(openStackClusters, blueOpenStackCluster);
}
