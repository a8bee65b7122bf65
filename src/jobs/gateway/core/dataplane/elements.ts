// Everything of a document that the rules look up, as elements of sets and maps. An element depends on one forwarding alone, or on one
// address and its group: so a change is the elements of what changed.

import { invariant } from "../../../../core/errors.ts";
import { parseCidr } from "../../../../core/net/ip.ts";
import { bucketCounts, type Forwarding, type VirtualAddress, type VrrpGroup } from "../model/document.ts";
import { disjointRanges } from "./disjoint-ranges.ts";
import { addressText, hex, type NftWords, portText, wordsFor } from "./nft-family.ts";
import { bucketMark, slotMark, slots } from "./packet-marks.ts";
import { sourcesFor } from "./source-rotation.ts";

export const elementSets = [
  "addresses",
  "sources",
  "source_of",
  "restricted",
  "allowed",
  "empty",
  "forwardings",
  "endpoint",
  "endpoints",
  "keeps_client",
  "hairpin",
  "returning",
  "returns_as",
  "received",
  "sent",
] as const;
export type ElementSet = (typeof elementSets)[number];

/** Is told every element: where, its key, and its data where the set is a map. */
export type Emit = (words: NftWords, set: ElementSet, key: string, data?: string) => void;

const bucketMarks: readonly string[] = Array.from({ length: Math.max(...bucketCounts) }, (_, bucket) =>
  hex(bucketMark(bucket)),
);
const protocolNames = { TCP: "tcp", UDP: "udp", SCTP: "sctp" } as const;

export function groupElements(group: VrrpGroup, emit: Emit): void {
  for (const source of group.sourceAddresses) {
    const words = wordsFor(source);
    emit(words, "sources", addressText(words, source));
  }
}

export function addressElements({ address }: VirtualAddress, group: VrrpGroup, emit: Emit): void {
  const words = wordsFor(address);
  const own = addressText(words, address);
  emit(words, "addresses", own);
  const sources = sourcesFor(own, words.family, group.sourceAddresses);
  if (sources.length === 0) return;
  for (let slot = 0; slot < slots; slot += 1) {
    const source = sources[slot % sources.length] ?? "";
    emit(words, "source_of", `${own} . ${hex(slotMark(slot))}`, addressText(words, source));
  }
}

export function forwardingElements(forwarding: Forwarding, emit: Emit): void {
  const words = wordsFor(forwarding.address);
  const key = elementKey(forwarding);
  emit(words, "received", key);
  emit(words, "sent", key);
  if (forwarding.allowedSources !== undefined) {
    emit(words, "restricted", key);
    for (const range of disjointRanges(forwarding.allowedSources)) {
      invariant(parseCidr(range)?.family === words.family, `a range of the family ${words.ip}: ${range}`);
      emit(words, "allowed", `${key} . ${range}`);
    }
  }
  if (forwarding.buckets.length === 0) {
    emit(words, "empty", key, forwarding.whenEmpty === "drop" ? "drop" : "goto refuse");
    return;
  }
  endpointElements(words, key, forwarding, emit);
  if (forwarding.source === "client") clientElements(words, key, forwarding, emit);
}

/** `192.0.2.10 . tcp . 443`: the same for two spellings of an address. */
export function elementKey({ address, protocol, port }: Pick<Forwarding, "address" | "protocol" | "port">): string {
  return `${addressText(wordsFor(address), address)} . ${protocolNames[protocol]} . ${portText(port)}`;
}

function endpointElements(words: NftWords, key: string, forwarding: Forwarding, emit: Emit): void {
  const { buckets, affinity } = forwarding;
  const count = bucketCounts.find((known) => known === buckets.length);
  invariant(count !== undefined, `${key}: a known number of buckets, not ${buckets.length}`);
  const endpoints = forwarding.endpoints.map(
    ({ address, port }) => `${addressText(words, address)} . ${portText(port)}`,
  );
  const endpointOf = (index: number | undefined): string => {
    const endpoint = index === undefined ? undefined : endpoints[index];
    invariant(endpoint !== undefined, `${key}: an endpoint for each bucket`);
    return endpoint;
  };
  emit(words, "forwardings", key, `goto ${hashChain(affinity, count)}`);
  if (count === 1) emit(words, "endpoint", key, endpointOf(buckets[0]));
  else {
    for (const [bucket, index] of buckets.entries()) {
      emit(words, "endpoints", `${key} . ${bucketMarks[bucket]}`, endpointOf(index));
    }
  }
}

export function hashChain(affinity: Forwarding["affinity"], count: (typeof bucketCounts)[number]): string {
  if (count === 1) return "single";
  return affinity === "client" ? `by_client_${count}` : `by_connection_${count}`;
}

/** All endpoints, also those that no bucket leads to any more: their connections go on. */
function clientElements(words: NftWords, key: string, forwarding: Forwarding, emit: Emit): void {
  const { endpoints, protocol } = forwarding;
  const publicSide = `${addressText(words, forwarding.address)} . ${portText(forwarding.port)}`;
  emit(words, "keeps_client", key);
  for (const address of new Set(endpoints.map((endpoint) => addressText(words, endpoint.address)))) {
    emit(words, "hairpin", `${key} . ${address}`);
  }
  for (const endpoint of new Set(endpoints.map((one) => elementKey({ ...one, protocol })))) {
    emit(words, "returning", endpoint);
    emit(words, "returns_as", endpoint, publicSide);
  }
}
