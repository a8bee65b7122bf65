// Who has the address that people come by, where the cluster's endpoint is one: without zones, a VIP or a floating IP on one.

import { canonicalAddress, isIpLiteral, sameAddress } from "../../../../core/net/ip.ts";
import type { EndpointIntent } from "../model/intent.ts";
import type { Situation } from "./situation.ts";

/** By the object, or by the Cluster whose kubeconfigs people have. */
export function endpointHosts({ endpoint, clusterEndpoint }: EndpointIntent): readonly string[] {
  return [endpoint?.host, clusterEndpoint?.host].flatMap((host) => host || []);
}

export function isEndpoint(address: string, intent: EndpointIntent): boolean {
  return endpointHosts(intent).some((host) => sameAddress(host, address));
}

/** Addresses that the endpoint is, and that none of the balancers has; `unknown`: none is seen to, and Neutron does not tell. */
export interface UnheldEndpoint {
  readonly host: string;
  readonly is: "nowhere" | "unknown";
}

export function unheldEndpoint({ observed, intent, assignment }: Situation): UnheldEndpoint | undefined {
  const { floatingIps } = observed;
  const there = [
    ...assignment.wanted.flatMap(({ seen }) => seen ?? []),
    ...assignment.unwanted.map(({ seen }) => seen),
  ];
  const ports = new Set(there.map(({ balancer }) => balancer.vipPortId));
  const attached = floatingIps.known ? floatingIps.value.filter(({ portId = "" }) => ports.has(portId)) : [];
  const own = [...there.map(({ balancer }) => balancer.vipAddress), ...attached.map(({ address }) => address)];
  const has = new Set(own.flatMap((address) => canonicalAddress(address) ?? []));
  const host = endpointHosts(intent).find((one) => isIpLiteral(one) && !has.has(canonicalAddress(one) ?? one));
  return host === undefined ? undefined : { host, is: floatingIps.known ? "nowhere" : "unknown" };
}
