// The cluster whose API the demonstration looks after: three zones, a balancer for each, and records for external-dns. Networks and
// subnets go by name, so that people can edit it without looking up ids.

import { clusterNameLabel, clusters } from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { apiVersionOf, type KubeObject } from "../../../../apis/kube/kube-object.ts";
import { cloudName, zones } from "../../../../sim/demo/demo-cloud.ts";
import { externallyManagedAnnotation, publishDnsAnnotation } from "../../apis/annotations.ts";
import { type OpenStackCluster, openStackClusters } from "../../apis/openstack-cluster/openstack-cluster.ts";

export const blue = { name: "blue", namespace: "default" } as const;
export const blueHost = "api.blue.example.com";
const credentials = "blue-cloud";

export function credentialsOf(cloudsYaml: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: credentials, namespace: blue.namespace },
    stringData: { "clouds.yaml": cloudsYaml },
  } as KubeObject;
}

export const blueCluster: KubeObject = {
  apiVersion: apiVersionOf(clusters),
  kind: clusters.kind,
  metadata: blue,
  spec: {
    infrastructureRef: { apiGroup: openStackClusters.group, kind: openStackClusters.kind, name: blue.name },
  },
} as KubeObject;

/** What maps a zone to its subnet. */
export function mappingOf(zone: string): object {
  return { availabilityZone: zone, subnet: { filter: { name: `tenant-${zone.slice(2)}` } } };
}

export const blueOpenStackCluster: OpenStackCluster = {
  apiVersion: apiVersionOf(openStackClusters),
  kind: openStackClusters.kind,
  metadata: {
    ...blue,
    labels: { [clusterNameLabel]: blue.name },
    annotations: { [externallyManagedAnnotation]: "mainstay", [publishDnsAnnotation]: "true" },
  },
  spec: {
    identityRef: { name: credentials, cloudName },
    controlPlaneEndpoint: { host: blueHost, port: 6443 },
    network: { filter: { name: "tenant" } },
    externalNetwork: { filter: { name: "public" } },
    apiServerLoadBalancer: {
      enabled: true,
      network: { filter: { name: "tenant" } },
      availabilityZoneSubnets: zones.slice(0, 3).map(mappingOf),
    },
  },
} as OpenStackCluster;
