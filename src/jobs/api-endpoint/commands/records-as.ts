// The records of an endpoint in the form that was asked for.

import { dnsEndpoints } from "../../../apis/external-dns/dns-endpoint.ts";
import { apiVersionOf, formatRef, type ObjectRef } from "../../../apis/kube/kube-object.ts";
import { table, toYaml } from "../../../cli/print.ts";
import { dnsEndpointSpec, recordsOf, recordTtlSeconds } from "../core/dns/dns-endpoint.ts";
import type { ExplainedRecords } from "../core/dns/explain-records.ts";
import { zoneFile } from "../core/dns/zone-file.ts";
import { machinesAnswer } from "../core/status/machine-words.ts";
import type { RecordsFormat } from "./records-formats.ts";

export interface Records {
  readonly host: string;
  /** The object they were made from. */
  readonly object: ObjectRef;
  readonly records: ExplainedRecords;
}

export function recordsAs(format: RecordsFormat, given: Records): string {
  const { host, object, records } = given;
  switch (format) {
    case "text":
      return asText(given);
    case "json":
      return JSON.stringify(asData(given), undefined, 2);
    case "yaml":
      return toYaml(asData(given)).trimEnd();
    case "bind":
      return zoneFile(recordsOf(host, records.addresses), [`${host}: mainstay dns records, from ${formatRef(object)}`]);
    case "external-dns":
      return toYaml({
        apiVersion: apiVersionOf(dnsEndpoints),
        kind: dnsEndpoints.kind,
        metadata: object,
        spec: dnsEndpointSpec(host, records.addresses),
      }).trimEnd();
  }
}

function asText({ host, records: { zones, standIns } }: Records): string {
  const rows = zones.map(({ zone, addresses, members }) => [
    zone === "" ? "-" : zone,
    addresses.length === 0 ? "left out" : addresses.join(", "),
    members.total === 0 ? "none" : machinesAnswer(members.healthy, members.total),
  ]);
  const others = standIns.map((address) => ["-", address, "used while no zone serves"]);
  const head = ["ZONE", "ADDRESS", "MACHINES"];
  return [`${host}, TTL ${recordTtlSeconds} s:`, table([head, ...rows, ...others])].join("\n");
}

function asData({ host, records: { addresses, zones } }: Records) {
  return {
    host,
    ttlSeconds: recordTtlSeconds,
    records: recordsOf(host, addresses).flatMap(({ recordType, targets }) =>
      targets.map((address) => ({
        type: recordType,
        address,
        zones: zones.filter((one) => one.addresses.includes(address)).map(({ zone }) => zone),
      })),
    ),
    leftOut: zones.filter((one) => one.addresses.length === 0).map(({ zone, why }) => ({ zone, why: why ?? "" })),
    complete: !zones.some(({ isGuess }) => isGuess),
  };
}
