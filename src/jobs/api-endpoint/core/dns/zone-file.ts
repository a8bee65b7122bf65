// Records as lines of a zone file: names are whole and closed with a dot, so that they mean the same under any origin.

import type { DnsEndpointRecord } from "../../../../apis/external-dns/dns-endpoint.ts";

/** `comments` stand above; a line break in one cannot become a record. */
export function zoneFile(records: readonly DnsEndpointRecord[], comments: readonly string[]): string {
  return [
    ...comments.map((comment) => `; ${comment.replaceAll(/\s+/g, " ")}`),
    ...records.flatMap(({ dnsName, recordType, recordTTL, targets }) =>
      targets.map((target) => [`${dnsName}.`, recordTTL ?? 0, "IN", recordType, target].join("\t")),
    ),
  ].join("\n");
}
