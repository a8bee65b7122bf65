// What a Service asks for, read once: ports, families, addresses, who may connect, and how. What it writes that means nothing is said and
// left out; a list of sources without one that can be read lets nobody in, because nobody meant everybody.

import { canonicalAddress, familyOf, type IpFamily, parseCidr } from "../../../../core/net/ip.ts";
import {
  addressesAnnotation,
  addressRecord,
  dedicatedAnnotation,
  listed,
  sharingKeyAnnotation,
  sourceRangesAnnotation,
} from "../../apis/annotations.ts";
import type { Service, ServicePortSpec } from "../../apis/kube-objects.ts";
import type { AddressClaim } from "../allocation/claim.ts";
import { type Protocol, protocols } from "../model/document.ts";

export interface AskedPort {
  readonly protocol: Protocol;
  readonly port: number;
  /** As EndpointSlices name it. */
  readonly name: string;
  /** 0: none was allocated. */
  readonly nodePort: number;
}

export interface ServiceAsk {
  readonly claim: AddressClaim;
  readonly ports: readonly AskedPort[];
  readonly clusterIPs: readonly string[];
  readonly affinity: "none" | "client";
  /** By family. Absent: anybody. */
  readonly allowedSources?: Readonly<Record<IpFamily, readonly string[]>>;
  readonly isLocal: boolean;
  readonly publishesNotReady: boolean;
  /** What it writes and does not get, for people. */
  readonly warnings: readonly string[];
}

export function serviceAsk(service: Service): ServiceAsk {
  const { spec = {} } = service;
  const warnings: string[] = [];
  const ports = (spec.ports ?? []).flatMap((port) => askedPort(port, warnings));
  const allowedSources = sources(service, warnings);
  return {
    claim: addressClaim(service, ports, warnings),
    ports,
    clusterIPs: spec.clusterIPs ?? (spec.clusterIP === undefined ? [] : [spec.clusterIP]),
    affinity: spec.sessionAffinity === "ClientIP" ? "client" : "none",
    ...(allowedSources === undefined ? {} : { allowedSources }),
    isLocal: spec.externalTrafficPolicy === "Local",
    publishesNotReady: spec.publishNotReadyAddresses === true,
    warnings,
  };
}

function askedPort({ name = "", protocol = "TCP", port, nodePort = 0 }: ServicePortSpec, warnings: string[]) {
  const known = protocols.find((one) => one === protocol);
  if (known !== undefined) return [{ protocol: known, port, name, nodePort }];
  warnings.push(`the protocol ${protocol} of port ${port} is not known; the port is left out`);
  return [];
}

function addressClaim(service: Service, ports: readonly AskedPort[], warnings: string[]): AddressClaim {
  const { name, namespace = "", uid = "", creationTimestamp = "", annotations = {} } = service.metadata;
  const record = addressRecord(annotations);
  const sharingKey = annotations[sharingKeyAnnotation];
  const shown = (service.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  return {
    service: `${namespace}/${name}`,
    namespace,
    uid,
    createdAt: creationTimestamp,
    ports: ports.map(({ protocol, port }) => ({ protocol, port })),
    families: families(service),
    needsAllFamilies: service.spec?.ipFamilyPolicy !== "PreferDualStack",
    requested: requested(service, warnings),
    recorded: record.ports,
    published: [...record.ingress, ...shown],
    ...(sharingKey ? { sharingKey } : {}),
    isDedicated: annotations[dedicatedAnnotation] === "true",
  };
}

/** The API server fills them in; a Service from before there were families has those of its own addresses. */
function families({ spec = {} }: Service): readonly IpFamily[] {
  const named = (spec.ipFamilies ?? []).flatMap((family): readonly IpFamily[] =>
    family === "IPv4" ? [4] : family === "IPv6" ? [6] : [],
  );
  if (named.length > 0) return [...new Set(named)];
  const own = (spec.clusterIPs ?? [spec.clusterIP ?? ""]).flatMap((address) => familyOf(address) ?? []);
  return own.length > 0 ? [...new Set(own)] : [4];
}

/** The annotation counts where both are there: it can say two families. */
function requested({ metadata, spec = {} }: Service, warnings: string[]): readonly string[] {
  const named = listed(metadata.annotations?.[addressesAnnotation]);
  const byFamily = new Map<IpFamily, string>();
  for (const text of named.length > 0 ? named : listed(spec.loadBalancerIP)) {
    const [address, family] = [canonicalAddress(text), familyOf(text)];
    if (address === undefined || family === undefined) warnings.push(`it asks for ${text}, which is no address`);
    else if (byFamily.has(family))
      warnings.push(`it asks for ${text} besides ${byFamily.get(family)}; the first counts`);
    else byFamily.set(family, address);
  }
  return [...byFamily.values()];
}

function sources({ metadata, spec = {} }: Service, warnings: string[]): ServiceAsk["allowedSources"] {
  const inSpec = (spec.loadBalancerSourceRanges ?? []).map((range) => range.trim());
  const ranges = inSpec.length > 0 ? inSpec : listed(metadata.annotations?.[sourceRangesAnnotation]);
  if (ranges.length === 0) return undefined;
  const allowed: Record<IpFamily, string[]> = { 4: [], 6: [] };
  for (const range of ranges) {
    const cidr = parseCidr(range);
    if (cidr === undefined) warnings.push(`the source range ${range} is none, and lets nobody in`);
    else allowed[cidr.family].push(cidr.text);
  }
  return { 4: [...new Set(allowed[4])].toSorted(), 6: [...new Set(allowed[6])].toSorted() };
}
