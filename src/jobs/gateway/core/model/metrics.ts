// The metrics of the gateway job.

import { objectGauge } from "../../../../core/job/metric.ts";

export const gatewayMetrics = {
  services: objectGauge("mainstay_gateway_services", "Services of a pool, by whether they are served or refused.", [
    "state",
  ]),
  addresses: objectGauge("mainstay_gateway_addresses", "Addresses of a pool that Services have.", []),
  gateways: objectGauge("mainstay_gateways", "Gateways of a pool, by state: ready, unready or unreachable.", [
    "gateway",
    "state",
  ]),
  lag: objectGauge("mainstay_gateway_lag", "How many changes a gateway that answers is behind the latest document.", [
    "gateway",
  ]),
  groups: objectGauge(
    "mainstay_gateway_groups",
    "Groups of addresses, by who leads: led, heard (by a gateway whose agent does not answer), split, unled or unknown.",
    ["group", "standing"],
  ),
} as const;
