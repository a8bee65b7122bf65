// Where connections to a port of a Service are sent, by backend layer, and what was left out and why. What is left out never takes the
// rest along.

import { canonicalAddress, familyOf, type IpFamily } from "../../../../core/net/ip.ts";
import type { BackendLayer } from "../../apis/gateway-pool.ts";
import { type EndpointSlice, excludeNodeLabel, type Node, toBeDeletedTaint } from "../../apis/kube-objects.ts";
import { compareEndpoints, endpointKey } from "../buckets/bucket-table.ts";
import type { Endpoint } from "../model/document.ts";
import type { AskedPort, ServiceAsk } from "../services/service-ask.ts";
import { nodesWithEndpoints, podEndpoints } from "./slice-endpoints.ts";
import type { EndpointCheck } from "./unusable-endpoint.ts";

export interface BackendWorld {
  readonly layer: BackendLayer;
  /** Of this Service alone. */
  readonly slices: readonly EndpointSlice[];
  readonly nodes: readonly Node[];
  readonly check: EndpointCheck;
}

export interface Backends {
  /** Sorted by address, then port; each once. */
  readonly endpoints: readonly Endpoint[];
  /** They get no new connection and go on with those they have. */
  readonly draining: readonly Endpoint[];
  /** For people: what was left out although somebody named it. */
  readonly leftOut: readonly string[];
}

export function backends(ask: ServiceAsk, port: AskedPort, family: IpFamily, world: BackendWorld): Backends {
  if (world.layer === "Pod") {
    const { used, draining, leftOut } = podEndpoints(world.slices, port, family, ask.publishesNotReady);
    const { draining: _, ...checked } = usable(used, world.check);
    return { ...checked, draining: usable(draining, world.check).endpoints, leftOut: [...leftOut, ...checked.leftOut] };
  }
  return world.layer === "NodePort"
    ? nodeBackends(ask, port, family, world)
    : clusterBackends(ask, port, family, world);
}

function clusterBackends(
  { clusterIPs }: ServiceAsk,
  { port }: AskedPort,
  family: IpFamily,
  world: BackendWorld,
): Backends {
  const own = clusterIPs.filter((address) => familyOf(address) === family).slice(0, 1);
  return usable(
    own.map((address) => ({ address, port })),
    world.check,
  );
}

function nodeBackends(ask: ServiceAsk, port: AskedPort, family: IpFamily, world: BackendWorld): Backends {
  if (port.nodePort === 0) {
    const message = `port ${port.port} has no node port; allocate node ports, or use the Pod layer`;
    return { endpoints: [], draining: [], leftOut: [message] };
  }
  const allowed = world.nodes.filter(takesConnections);
  const ready = allowed.filter(isReady);
  // When no node at all is ready, the API server is more likely to be wrong than all nodes to be dead.
  const alive = ready.length > 0 ? ready : allowed;
  const local = ask.isLocal ? nodesWithEndpoints(world.slices, port, family, ask.publishesNotReady) : undefined;
  const chosen = alive.filter(({ metadata }) => local === undefined || local.has(metadata.name));
  const endpoints = chosen.flatMap((node) => internalAddress(node, family) ?? []);
  return usable(
    endpoints.map((address) => ({ address, port: port.nodePort })),
    world.check,
  );
}

/** Cordoned nodes count: they take no new Pods and serve those they have. */
function takesConnections({ metadata, spec }: Node): boolean {
  if (metadata.deletionTimestamp !== undefined || metadata.labels?.[excludeNodeLabel] !== undefined) return false;
  return !(spec?.taints ?? []).some(({ key }) => key === toBeDeletedTaint);
}

function isReady({ status }: Node): boolean {
  return (status?.conditions ?? []).some(({ type, status: is }) => type === "Ready" && is === "True");
}

function internalAddress({ status }: Node, family: IpFamily): string | undefined {
  const own = (status?.addresses ?? []).filter(({ type }) => type === "InternalIP");
  return own.find(({ address }) => familyOf(address) === family)?.address;
}

function usable(endpoints: readonly Endpoint[], check: EndpointCheck): Backends {
  const kept = new Map<string, Endpoint>();
  const leftOut = new Set<string>();
  for (const { address, port } of endpoints) {
    const problem = check(address);
    const endpoint = { address: canonicalAddress(address) ?? address, port };
    if (problem === undefined) kept.set(endpointKey(endpoint), endpoint);
    else leftOut.add(`the endpoint ${address} ${problem}`);
  }
  return { endpoints: [...kept.values()].toSorted(compareEndpoints), draining: [], leftOut: [...leftOut].toSorted() };
}
