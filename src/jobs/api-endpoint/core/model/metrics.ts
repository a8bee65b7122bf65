// The metrics of the api-endpoint job.

import { gauge } from "../../../../core/job/metric.ts";

export const endpointMetrics = {
  loadBalancers: gauge("mainstay_load_balancers", "API load balancers by zone and provisioning state.", [
    "zone",
    "state",
  ]),
  loadBalancerMembers: gauge("mainstay_load_balancer_members", "Members of API load balancers by zone and health.", [
    "zone",
    "health",
  ]),
  loadBalancerProbes: gauge("mainstay_load_balancer_probes", "Probed API load balancers by zone and latest result.", [
    "zone",
    "result",
  ]),
} as const;
