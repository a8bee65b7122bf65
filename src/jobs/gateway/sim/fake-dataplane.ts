// A dataplane whose scripts hold documents, for the fake kernel of fake-gateway.ts. As strict as nft: a change fits only the very rules it
// was made for.

import type { Dataplane } from "../agent/dataplane.ts";
import { readTraffic } from "../agent/read-traffic.ts";
import { sameContent } from "../core/delta/document-delta.ts";
import { type Forwarding, forwardingKey, type GatewayDocument } from "../core/model/document.ts";

export type FakeScript =
  | { readonly kind: "load"; readonly to: GatewayDocument }
  | { readonly kind: "change"; readonly from: GatewayDocument; readonly to: GatewayDocument };

export const fakeDataplane: Dataplane = {
  tables: [
    { family: "ip", name: "mainstay" },
    { family: "ip6", name: "mainstay" },
  ],
  decode: (value) => {
    const isDocument = typeof value === "object" && value !== null && "pool" in value && "forwardings" in value;
    return isDocument
      ? { kind: "document", document: value as GatewayDocument, unreadable: [] }
      : { kind: "malformed", problems: ["not a document"] };
  },
  check: (document, _local, { previous, unreadable = [] }) => {
    const bad = document.forwardings.filter(isBad);
    const old = new Map((previous?.forwardings ?? []).map((forwarding) => [forwardingKey(forwarding), forwarding]));
    const kept = document.forwardings.flatMap((one) => (isBad(one) ? (old.get(forwardingKey(one)) ?? []) : [one]));
    const told = bad.map((one) => ({ subject: forwardingKey(one), service: one.service, message: "loopback" }));
    const problems = [...unreadable, ...told];
    return { good: bad.length === 0 ? document : { ...document, forwardings: kept }, problems };
  },
  renderRuleset: (document) => script({ kind: "load", to: document }),
  readTraffic,
  renderChange: (before, after) =>
    sameRules(before, after) ? undefined : script({ kind: "change", from: before, to: after }),
};

/** Rules know neither versions nor what keepalived does. */
export function sameRules(one: GatewayDocument, other: GatewayDocument): boolean {
  const { vrrp, pool } = other;
  return sameContent({ ...one, vrrp, pool }, other);
}

function isBad({ endpoints }: Forwarding): boolean {
  return endpoints.some(({ address }) => address === "127.0.0.1");
}

function script(content: FakeScript): string {
  return JSON.stringify(content);
}
