// Which endpoint gets the connection and what it sees as its sender: by the same hash and the same tables as the gateway's rules. Where only
// the sender's address is known, or nobody told which bucket has which endpoint, every endpoint that is possible is named.

import { familyOf, sameAddress } from "../../../../core/net/ip.ts";
import { bucketOf, slotOf } from "../dataplane/packet-hash.ts";
import { sourcesFor } from "../dataplane/source-rotation.ts";
import type { Endpoint } from "../model/document.ts";
import type { Hop, Step, Way } from "./trace.ts";

const shownEndpoints = 8;

export function endpointHops(way: Way): Step {
  const { forwarding, input } = way;
  if (forwarding.endpoints.length === 0 || (way.isCarried && forwarding.buckets.length === 0)) return nobody(way);
  const { hop, possible } = bucketHop(way);
  const name = possible.slice(0, shownEndpoints).map(endpointName).join(", ");
  const more = possible.length > shownEndpoints ? `, one of ${possible.length}` : "";
  const after = input.afterEndpoint === undefined ? "" : `; ${input.afterEndpoint}`;
  const words = `${possible.length === 1 ? "it gets the connection" : `one of these gets the connection${more}`}${after}`;
  return { hops: [hop, sourceHop(way), { at: "endpoint", name, result: "passes", words }] };
}

function nobody({ forwarding: { whenEmpty, protocol, service } }: Way): Step {
  const refused =
    protocol === "TCP"
      ? "the client is told at once that the port is closed"
      : "the client is told that the port cannot be reached";
  const words = `${service} has no endpoint: ${whenEmpty === "reject" ? refused : "it is dropped, and nobody is told"}`;
  return {
    hops: [{ at: "endpoint", name: "none", result: "stops", words }],
    end: whenEmpty === "reject" ? "refused" : "dropped",
  };
}

function bucketHop({ forwarding, input: { from }, isCarried }: Way): {
  readonly hop: Hop;
  readonly possible: readonly Endpoint[];
} {
  const { endpoints, buckets, affinity } = forwarding;
  const hop = (name: string, words: string): Hop => ({ at: "bucket", name, result: "passes", words });
  const [only, ...others] = endpoints;
  if (only !== undefined && others.length === 0)
    return { hop: hop("none", "there is one endpoint, and nothing to choose"), possible: [only] };
  const by = affinity === "client" ? "the client's address" : "the client's address and port";
  if (!isCarried) {
    const words = `${by} chooses; which endpoint that is only a gateway knows: it keeps those that it has. Ask the agents with --agents`;
    return { hop: hop("not known", words), possible: endpoints };
  }
  const inUse = endpoints.filter((_, place) => buckets.includes(place));
  const port = from?.port ?? (affinity === "client" ? 0 : undefined);
  if (from === undefined || port === undefined) {
    const missing = from === undefined ? "a sender" : "its port";
    return {
      hop: hop("not known", `${by} chooses one of ${buckets.length} buckets; say ${missing} with --from to know which`),
      possible: inUse,
    };
  }
  const bucket = bucketOf({ address: from.address, port }, affinity, buckets.length);
  const chosen = endpoints[buckets[bucket] ?? -1];
  const words = `${by} chooses bucket ${bucket} of ${buckets.length}, on every gateway alike`;
  return { hop: hop(String(bucket), words), possible: chosen === undefined ? inUse : [chosen] };
}

/** An endpoint that connects to its own Service would answer itself directly, so its address is always replaced. */
function sourceHop({ forwarding, document, address, input: { from } }: Way): Hop {
  const hop = (name: string, words: string): Hop => ({ at: "source address", name, result: "passes", words });
  const isOwn = from !== undefined && forwarding.endpoints.some((one) => sameAddress(one.address, from.address));
  if (forwarding.source === "client" && !isOwn)
    return hop(
      from?.address ?? "the client's",
      "endpoints see the client's own address; clients from inside the cluster are replaced",
    );
  const group = document.groups.find(({ name }) => name === address.group?.name) ?? document.groups[0];
  const sources = sourcesFor(address.address, familyOf(address.address) ?? 4, group?.sourceAddresses ?? []);
  const because = isOwn
    ? "an endpoint that connects to its own Service is replaced"
    : "the client's address is replaced";
  if (from?.port !== undefined && sources.length > 0) {
    const chosen = sources[slotOf({ address: from.address, port: from.port }) % sources.length] ?? "";
    return hop(chosen, `${because} by one that moves with the group`);
  }
  return hop(sources.join(" or ") || "not known", `${because} by one that moves with the group`);
}

function endpointName({ address, port }: Endpoint): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}
