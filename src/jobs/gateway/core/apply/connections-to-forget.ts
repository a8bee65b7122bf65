// Which connections the kernel must forget after a change, because it would go on with what no longer holds: those to a forwarding that
// is gone or allows fewer clients, and UDP's to an endpoint that left. TCP connections to an endpoint that left end by themselves.

import { isInside, parseCidr } from "../../../../core/net/ip.ts";
import { sameForwarding } from "../delta/same-parts.ts";
import { type Forwarding, forwardingKey, type GatewayDocument, type Protocol } from "../model/document.ts";

export interface ForgottenConnections {
  readonly address: string;
  readonly protocol: Protocol;
  readonly port: number;
  readonly endpoint?: { readonly address: string; readonly port: number };
}

export function connectionsToForget(before: GatewayDocument, after: GatewayDocument): readonly ForgottenConnections[] {
  const next = new Map(after.forwardings.map((forwarding) => [forwardingKey(forwarding), forwarding]));
  return before.forwardings.flatMap((old) => {
    const now = next.get(forwardingKey(old));
    if (now === old || (now !== undefined && sameForwarding(old, now))) return [];
    const { address, protocol, port } = old;
    if (now === undefined || allowsLess(old, now)) return [{ address, protocol, port }];
    if (protocol !== "UDP") return [];
    return endpointsGone(old, now).map((endpoint) => ({ address, protocol, port, endpoint }));
  });
}

function endpointsGone(old: Forwarding, now: Forwarding): Forwarding["endpoints"] {
  const kept = new Set(now.endpoints.map(({ address, port }) => `${address} ${port}`));
  return old.endpoints.filter(({ address, port }) => !kept.has(`${address} ${port}`));
}

/** Whether a client that might connect before may no longer. A range that several smaller ones make up counts as lost. */
function allowsLess(old: Forwarding, now: Forwarding): boolean {
  const { allowedSources: ranges } = now;
  if (ranges === undefined) return false;
  return (
    old.allowedSources === undefined || !old.allowedSources.every((range) => ranges.some((wide) => covers(wide, range)))
  );
}

function covers(wide: string, narrow: string): boolean {
  const [one, other] = [parseCidr(wide), parseCidr(narrow)];
  if (one === undefined || other === undefined) return wide === narrow;
  const [base = "", length] = other.text.split("/");
  return isInside(base, one.text) && Number(length) >= Number(one.text.split("/")[1]);
}
