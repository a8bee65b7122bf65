// The balancers of an OpenStackCluster or an APIEndpoint, zone by zone, as its status has them; nothing for any other object.

import type { LoadBalancerStatus, ZoneLoadBalancerStatus } from "../../apis/api-server-load-balancer.ts";
import type { KubeObject } from "../../apis/kube-object.ts";
import { table } from "../print.ts";

interface WithBalancers extends KubeObject {
  readonly status?: {
    readonly apiServerLoadBalancers?: readonly ZoneLoadBalancerStatus[];
    readonly apiServerLoadBalancer?: LoadBalancerStatus;
  };
}

export function zoneTable({ status }: WithBalancers): string | undefined {
  const zones = status?.apiServerLoadBalancers ?? [];
  const single = status?.apiServerLoadBalancer;
  const isOfZone = zones.some(({ id, name }) => (single?.id ? single.id === id : single?.name === name));
  const rows = [
    ...zones.map((one) => row(one.availabilityZone, one)),
    ...(single === undefined || isOfZone ? [] : [row("-", single)]),
  ];
  return rows.length === 0 ? undefined : table([["ZONE", "ADDRESS", "VIP", "BALANCER", "MEMBERS"], ...rows]);
}

function row(
  zone: string,
  { id, ip, internalIP, provisioningStatus, health, members }: LoadBalancerStatus,
): readonly string[] {
  const { healthy = 0, total = 0 } = members ?? {};
  const behind = members === undefined ? "unknown" : total === 0 ? "none" : `${healthy} of ${total} healthy`;
  return [
    zone,
    ip || "-",
    internalIP || "-",
    provisioningStatus ?? (id ? "not seen now" : "not made yet"),
    health === "Unknown" ? "unknown" : behind,
  ];
}
