// Our definition of OpenStackCluster, for clusters where CAPO's is not installed: CAPO's lacks our mark and is left alone.
// v1beta2 has another shape, so it is served only together with the webhook that converts.

import {
  type CrdConversion,
  type CrdSchema,
  type CrdVersion,
  type CustomResourceDefinition,
  ownedCrdMetadata,
} from "../../../../apis/kube/crd.ts";
import { definitionRevision } from "../load-balancer/api-server-load-balancer-schema.ts";
import { openStackClusters } from "./openstack-cluster.ts";
import { specV1beta1, specV1beta2, statusV1beta1, statusV1beta2 } from "./openstack-cluster-schema.ts";

/** Without a webhook only v1beta1 is served, and Cluster API is told so by its contract label. */
export function openStackClusterCrd(conversion?: CrdConversion): CustomResourceDefinition {
  const metadata = ownedCrdMetadata(`${openStackClusters.plural}.${openStackClusters.group}`, definitionRevision);
  const converts = conversion !== undefined;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { ...metadata, labels: { ...metadata.labels, ...contractLabels(converts) } },
    spec: {
      group: openStackClusters.group,
      scope: "Namespaced",
      names: {
        kind: "OpenStackCluster",
        listKind: "OpenStackClusterList",
        plural: "openstackclusters",
        singular: "openstackcluster",
        shortNames: openStackClusters.shortNames ?? [],
        categories: ["cluster-api", "mainstay"],
      },
      ...(converts ? { conversion } : {}),
      versions: [
        version("v1beta1", { served: true, storage: true }, specV1beta1, statusV1beta1),
        version("v1beta2", { served: converts, storage: false }, specV1beta2, statusV1beta2),
      ],
    },
  };
}

/** Cluster API's contract → the version that keeps it; and that `clusterctl move` takes objects of this kind along. */
function contractLabels(converts: boolean): Readonly<Record<string, string>> {
  const first = { "clusterctl.cluster.x-k8s.io": "", "cluster.x-k8s.io/v1beta1": "v1beta1" };
  return converts ? { ...first, "cluster.x-k8s.io/v1beta2": "v1beta2" } : first;
}

function version(
  name: "v1beta1" | "v1beta2",
  use: Pick<CrdVersion, "served" | "storage">,
  spec: CrdSchema,
  status: CrdSchema,
): CrdVersion {
  return {
    name,
    ...use,
    subresources: { status: {} },
    additionalPrinterColumns: columns(),
    schema: {
      openAPIV3Schema: {
        type: "object",
        description:
          "OpenStackCluster is what a cluster of Cluster API needs from OpenStack; Mainstay manages the load balancers in front of its API.",
        properties: {
          apiVersion: { type: "string" },
          kind: { type: "string" },
          metadata: { type: "object" },
          spec,
          status,
        },
      },
    },
  };
}

function columns(): NonNullable<CrdVersion["additionalPrinterColumns"]> {
  const column = (name: string, jsonPath: string, description: string, priority = 0) => ({
    name,
    type: "string",
    jsonPath,
    description,
    ...(priority === 0 ? {} : { priority }),
  });
  return [
    column("Cluster", ".metadata.labels.cluster\\.x-k8s\\.io/cluster-name", "The cluster it belongs to"),
    column("Ready", '.status.conditions[?(@.type=="Ready")].status', "Whether everything is as it should be"),
    column("Reason", '.status.conditions[?(@.type=="Ready")].reason', "Why it is, or is not"),
    column("Zones", ".status.zonesServed", "In how many of the wanted zones the API answers"),
    column("Endpoint", ".spec.controlPlaneEndpoint.host", "Where the API is reached"),
    column("Network", ".status.network.id", "The cluster's network", 1),
    column("Message", '.status.conditions[?(@.type=="Ready")].message', "What there is to say about it", 1),
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ];
}
