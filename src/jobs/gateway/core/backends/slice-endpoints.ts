// Endpoints of a Service's port out of its EndpointSlices. A slice names a port after the Service's, so that a target port by name needs no
// look at Pods, and each slice may have another number for it.

import type { IpFamily } from "../../../../core/net/ip.ts";
import type { EndpointSlice, SliceEndpoint } from "../../apis/kube-objects.ts";
import type { Endpoint } from "../model/document.ts";
import type { AskedPort } from "../services/service-ask.ts";

type State = "ready" | "draining" | "neither";

interface SliceEntry {
  readonly endpoint: Endpoint;
  readonly state: State;
  readonly nodeName?: string;
}

export function podEndpoints(
  slices: readonly EndpointSlice[],
  port: AskedPort,
  family: IpFamily,
  publishesNotReady: boolean,
): { readonly used: readonly Endpoint[]; readonly draining: readonly Endpoint[]; readonly leftOut: readonly string[] } {
  const entries = entriesOf(slices, port, family);
  const used = usedEntries(entries, publishesNotReady);
  const draining = entries.filter((entry) => entry.state === "draining" && !used.includes(entry));
  const isFound = entries.length > 0 || !slices.some(({ endpoints }) => (endpoints ?? []).length > 0);
  const label = port.name === "" ? String(port.port) : port.name;
  return {
    used: used.map(({ endpoint }) => endpoint),
    draining: draining.map(({ endpoint }) => endpoint),
    leftOut: isFound ? [] : [`no IPv${family} endpoint has the port ${label} for ${port.protocol}`],
  };
}

export function nodesWithEndpoints(
  slices: readonly EndpointSlice[],
  port: AskedPort,
  family: IpFamily,
  publishesNotReady: boolean,
): ReadonlySet<string> {
  const byNode = new Map<string, SliceEntry[]>();
  for (const entry of entriesOf(slices, port, family)) {
    const entries = byNode.get(entry.nodeName ?? "") ?? [];
    entries.push(entry);
    byNode.set(entry.nodeName ?? "", entries);
  }
  // Each node decides for itself, as kube-proxy does there, but a node that only drains is no reason to leave one that serves.
  const all = usedEntries([...byNode.values()].flat(), publishesNotReady);
  return new Set(all.flatMap(({ nodeName }) => nodeName ?? []));
}

/** Those that drain and still serve are used where nothing else is there: better than nobody. */
function usedEntries(entries: readonly SliceEntry[], publishesNotReady: boolean): readonly SliceEntry[] {
  const ready = publishesNotReady ? entries : entries.filter(({ state }) => state === "ready");
  return ready.length > 0 ? ready : entries.filter(({ state }) => state === "draining");
}

function entriesOf(slices: readonly EndpointSlice[], port: AskedPort, family: IpFamily): readonly SliceEntry[] {
  return slices
    .filter(({ metadata, addressType }) => addressType === `IPv${family}` && metadata.deletionTimestamp === undefined)
    .flatMap((slice) =>
      portsOf(slice, port).flatMap((number) =>
        (slice.endpoints ?? []).flatMap((endpoint) => entryOf(endpoint, number)),
      ),
    );
}

function portsOf({ ports }: EndpointSlice, { name, protocol }: AskedPort): readonly number[] {
  return (ports ?? []).flatMap((port) =>
    (port.name ?? "") === name && (port.protocol ?? "TCP") === protocol && port.port ? [port.port] : [],
  );
}

/** The first address counts: the others are said to be the same. */
function entryOf({ addresses = [], conditions, nodeName }: SliceEndpoint, port: number): readonly SliceEntry[] {
  const [address] = addresses;
  if (address === undefined) return [];
  const isServing = (conditions?.serving ?? conditions?.ready) !== false;
  const isReady = conditions?.ready !== false;
  const state = isReady ? "ready" : conditions?.terminating === true && isServing ? "draining" : "neither";
  return [{ endpoint: { address, port }, state, ...(nodeName === undefined ? {} : { nodeName }) }];
}
