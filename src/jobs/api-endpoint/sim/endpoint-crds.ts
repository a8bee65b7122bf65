// The definitions that a world with API endpoints needs: ours with their rules, those of others open to anything.

import { clusters, machines, openStackMachines } from "../../../apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../../apis/external-dns/dns-endpoint.ts";
import { webhookConversion } from "../../../apis/kube/crd.ts";
import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import { convertPath } from "../../../apis/kube/webhook-configuration.ts";
import { openCrd } from "../../../sim/fakes/kube/open-crd.ts";
import { apiEndpointCrd } from "../apis/api-endpoint/api-endpoint-crd.ts";
import { openStackClusterCrd } from "../apis/openstack-cluster/openstack-cluster-crd.ts";
import type { EndpointSetting } from "./endpoint-setting.ts";

/** v1beta2 is served where somebody writes it. */
export function endpointCrds({ clusters: ours }: EndpointSetting): readonly KubeObject[] {
  const converts = ours.some(({ authoring }) => authoring === "v1beta2");
  const conversion = webhookConversion({ url: `https://webhook.mainstay.test${convertPath}` });
  return [
    converts ? openStackClusterCrd(conversion) : openStackClusterCrd(),
    apiEndpointCrd,
    ...[clusters, machines, openStackMachines, dnsEndpoints].map((kind) => openCrd(kind)),
  ];
}
