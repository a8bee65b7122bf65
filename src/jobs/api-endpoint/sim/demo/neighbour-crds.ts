// Definitions of kinds that Cluster API, its OpenStack provider and external-dns bring to a cluster: open to any field, with the columns
// that people look for.

import { clusters, machines, openStackMachines } from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../../../apis/external-dns/dns-endpoint.ts";
import type { CrdVersion, CustomResourceDefinition } from "../../../../apis/kube/crd.ts";
import type { Kind } from "../../../../apis/kube/kube-object.ts";

type Column = NonNullable<CrdVersion["additionalPrinterColumns"]>[number];

const column = (name: string, jsonPath: string): Column => ({ name, type: "string", jsonPath });

/** The API server lets nobody define kinds of *.k8s.io without it. */
const approved = { "api-approved.kubernetes.io": "https://github.com/kubernetes-sigs/external-dns/pull/2007" };

export const neighbourCrds: readonly CustomResourceDefinition[] = [
  open(clusters, [
    column("Phase", ".status.phase"),
    column("Endpoint", ".spec.controlPlaneEndpoint.host"),
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ]),
  open(machines, [
    column("Cluster", ".spec.clusterName"),
    column("Zone", ".spec.failureDomain"),
    column("Phase", ".status.phase"),
  ]),
  open(openStackMachines, [column("Address", ".status.addresses[0].address")]),
  open(dnsEndpoints, [
    column("DNS name", ".spec.endpoints[0].dnsName"),
    column("Targets", ".spec.endpoints[0].targets"),
  ]),
];

function open(
  { group, version, kind, plural, namespaced }: Kind,
  columns: readonly Column[],
): CustomResourceDefinition {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, ...(group === dnsEndpoints.group ? { annotations: approved } : {}) },
    spec: {
      group,
      scope: namespaced ? "Namespaced" : "Cluster",
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          additionalPrinterColumns: columns,
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
  };
}
