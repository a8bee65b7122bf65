// What the demonstration holds for the api-endpoint job: our definitions with their webhooks, the neighbours' definitions, and the
// cluster blue, which somebody has just asked for.

import { secrets } from "../../apis/builtin-kinds.ts";
import { clusters } from "../../apis/cluster-api-kinds.ts";
import { type CustomResourceDefinition, webhookConversion } from "../../apis/crd.ts";
import { crds } from "../../apis/crds.ts";
import type { KubeObject } from "../../apis/kube-object.ts";
import { openStackClusters } from "../../apis/openstack-cluster.ts";
import { openStackClusterCrd } from "../../apis/openstack-cluster-crd.ts";
import {
  convertPath,
  validatingWebhookConfiguration,
  validatingWebhookConfigurations,
} from "../../apis/webhook-configuration.ts";
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
