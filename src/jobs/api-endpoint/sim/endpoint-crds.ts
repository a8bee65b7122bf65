// The definitions that a world with API endpoints needs: ours with their rules, those of others open to anything.

import { clusters, machines, openStackMachines } from "../../../apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../../apis/external-dns/dns-endpoint.ts";
import { webhookConversion } from "../../../apis/kube/crd.ts";
import type { Kind, KubeObject } from "../../../apis/kube/kube-object.ts";
import { convertPath } from "../../../apis/kube/webhook-configuration.ts";
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
    ...[clusters, machines, openStackMachines, dnsEndpoints].map(openCrd),
  ];
}

/** A definition that takes any object: those of other projects are not what is tried here. */
export function openCrd({ group, version, kind, plural, namespaced }: Kind): KubeObject {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    // Groups of Kubernetes' own projects must say who approved them.
    metadata: { name: `${plural}.${group}`, annotations: { "api-approved.kubernetes.io": "unapproved, for tests" } },
    spec: {
      group,
      scope: namespaced ? "Namespaced" : "Cluster",
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  } as KubeObject;
}
