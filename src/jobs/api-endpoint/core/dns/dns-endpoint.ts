// The records of an endpoint in the words of external-dns: one entry for each family. And back, to see what is published now.

import type { DnsEndpoint, DnsEndpointRecord } from "../../../../apis/external-dns/dns-endpoint.ts";
import { familyOf } from "../../../../core/net/ip.ts";

/** Short: a zone that is lost must leave the caches of clients soon. */
export const recordTtlSeconds = 30;

export function dnsEndpointSpec(host: string, addresses: readonly string[]): NonNullable<DnsEndpoint["spec"]> {
  return { endpoints: recordsOf(host, addresses) };
}

export function recordsOf(host: string, addresses: readonly string[]): readonly DnsEndpointRecord[] {
  const byType = [
    { recordType: "A", targets: addresses.filter((address) => familyOf(address) === 4) },
    { recordType: "AAAA", targets: addresses.filter((address) => familyOf(address) === 6) },
  ];
  return byType
    .filter(({ targets }) => targets.length > 0)
    .map(({ recordType, targets }) => ({ dnsName: host, recordType, recordTTL: recordTtlSeconds, targets }));
}

/** No host when it speaks of several names: then it is written anew. */
export function publishedBy({ spec }: DnsEndpoint): { readonly host: string; readonly addresses: readonly string[] } {
  const records = spec?.endpoints ?? [];
  const hosts = new Set(records.map(({ dnsName }) => dnsName));
  const [host = ""] = hosts.size === 1 ? hosts : [];
  return { host, addresses: records.flatMap(({ targets }) => targets).toSorted() };
}
