// Every definition that Mainstay brings to a cluster.

import { apiEndpointCrd } from "../jobs/api-endpoint/apis/api-endpoint/api-endpoint-crd.ts";
import { openStackClusterCrd } from "../jobs/api-endpoint/apis/openstack-cluster/openstack-cluster-crd.ts";
import { infrastructureCrd } from "../jobs/topology/apis/infrastructure-crd.ts";
import { topologyReportCrd } from "../jobs/topology/apis/topology-report.ts";
import type { CustomResourceDefinition } from "./kube/crd.ts";

export const crds: readonly CustomResourceDefinition[] = [
  infrastructureCrd,
  topologyReportCrd,
  openStackClusterCrd(),
  apiEndpointCrd,
];
