// The metrics of the api-endpoint job.

import { objectGauge } from "../../../../core/job/metric.ts";

export const endpointMetrics = {
  loadBalancers: objectGauge(
    "mainstay_load_balancers",
    "API load balancers by zone and provisioning state; `UNKNOWN` while the cloud does not answer or is not asked.",
    ["zone", "state"],
  ),
  loadBalancerMembers: objectGauge(
    "mainstay_load_balancer_members",
    "Members of API load balancers by zone and health; no sample while nobody knows them.",
    ["zone", "health"],
  ),
  loadBalancerProbes: objectGauge(
    "mainstay_load_balancer_probes",
    "Probed API load balancers by zone and latest result.",
    ["zone", "result"],
  ),
  unhealthyLoadBalancers: objectGauge(
    "mainstay_unhealthy_load_balancers",
    "API load balancers behind which no machine answers on the API port, by zone; no sample where there is none.",
    ["zone"],
  ),
  unreachableEndpoints: objectGauge(
    "mainstay_unreachable_endpoints",
    "1 for an object none of whose API load balancers has a machine that answers; no sample otherwise.",
    [],
  ),
} as const;
