// What went to and from each Service, for so many Services by name, and for all others together.

import { mostNamedServices, otherServices } from "../../core/model/agent-metrics.ts";
import { forwardingKey, type GatewayDocument } from "../../core/model/document.ts";
import type { ForwardingTraffic } from "../dataplane.ts";

export interface ServiceTraffic {
  readonly service: string;
  readonly connections: number;
  readonly received: { readonly packets: number; readonly bytes: number };
  readonly sent: { readonly packets: number; readonly bytes: number };
}

export function serviceTraffic(
  forwardings: readonly ForwardingTraffic[],
  document: GatewayDocument | undefined,
): readonly ServiceTraffic[] {
  const owners = new Map((document?.forwardings ?? []).map((one) => [forwardingKey(one), one.service]));
  const names = [...new Set(owners.values())].toSorted();
  const named = new Set(names.slice(0, mostNamedServices));
  const sums = new Map<string, ServiceTraffic>();
  for (const { key, ...traffic } of forwardings) {
    const owner = owners.get(key);
    if (owner === undefined) continue;
    const service = named.has(owner) ? owner : otherServices;
    const before = sums.get(service);
    sums.set(service, before === undefined ? { service, ...traffic } : added(before, traffic));
  }
  return [...sums.values()];
}

function added(one: ServiceTraffic, other: Omit<ServiceTraffic, "service">): ServiceTraffic {
  const sum = (a: ServiceTraffic["sent"], b: ServiceTraffic["sent"]) => ({
    packets: a.packets + b.packets,
    bytes: a.bytes + b.bytes,
  });
  return {
    service: one.service,
    connections: one.connections + other.connections,
    received: sum(one.received, other.received),
    sent: sum(one.sent, other.sent),
  };
}
