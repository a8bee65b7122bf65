// Every definition that Mainstay brings to a cluster.

import { apiEndpointCrd } from "./api-endpoint-crd.ts";
import type { CustomResourceDefinition } from "./crd.ts";
import { infrastructureCrd } from "./infrastructure-crd.ts";
import { openStackClusterCrd } from "./openstack-cluster-crd.ts";
import { topologyReportCrd } from "./topology-report.ts";

export const crds: readonly CustomResourceDefinition[] = [
  infrastructureCrd,
  topologyReportCrd,
  openStackClusterCrd(),
  apiEndpointCrd,
];
