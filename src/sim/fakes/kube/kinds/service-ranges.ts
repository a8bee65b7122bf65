// Which cluster addresses and node ports are taken, read from the stored Services, and how a free one is picked.

import ipaddr from "ipaddr.js";
import type { Random } from "../../../../ports/random.ts";
import type { JsonObject } from "../json.ts";
import { objectsAt, stringsAt } from "../json-lists.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import type { ObjectStore } from "../storage/object-store.ts";

export type Family = "IPv4" | "IPv6";

export interface ServiceRanges {
  /** In the cluster's order of preference. */
  readonly families: readonly Family[];
  readonly nodePorts: readonly [first: number, last: number];
  /** By another Service than the one with this uid. */
  isTaken(what: string | number, uid: string): boolean;
  pickAddress(family: Family, isTaken: (address: string) => boolean): string | undefined;
  pickPort(isTaken: (port: number) => boolean): number | undefined;
  contains(address: string): boolean;
}

interface Range {
  readonly family: Family;
  readonly first: bigint;
  readonly size: bigint;
}

const serviceStorage = "/services";

// Larger ranges are cut: more addresses than that are never needed.
const largestRange = 65_536n;

export function serviceRanges(
  store: ObjectStore,
  random: Random,
  cidrs: string,
  nodePorts: readonly [first: number, last: number],
): ServiceRanges {
  const ranges = cidrs.split(",").map(parseRange);
  const holders = serviceHolders(store);
  return {
    families: ranges.map(({ family }) => family),
    nodePorts,
    isTaken: (what, uid) => [...holders(what)].some((holder) => holder !== uid),
    pickAddress: (family, isTaken) => {
      const range = ranges.find((candidate) => candidate.family === family);
      if (range === undefined) return undefined;
      // The first address names the network, the last one is kept free as on the real server.
      return pick(Number(range.size) - 2, random, (offset) => {
        const address = format(range.first + BigInt(offset) + 1n, family);
        return isTaken(address) ? undefined : address;
      });
    },
    pickPort: (isTaken) =>
      pick(nodePorts[1] - nodePorts[0] + 1, random, (offset) => {
        const port = nodePorts[0] + offset;
        return isTaken(port) ? undefined : port;
      }),
    contains: (address) => {
      const parsed = ipaddr.process(address);
      const value = toNumber(parsed.toByteArray());
      const family: Family = parsed.kind() === "ipv4" ? "IPv4" : "IPv6";
      return ranges.some(
        (range) => range.family === family && value >= range.first && value < range.first + range.size,
      );
    },
  };
}

/** Which Services hold an address or a node port, kept up to date with storage: asking must stay cheap with thousands of them. */
function serviceHolders(store: ObjectStore): (what: string | number) => ReadonlySet<string> {
  const holders = new Map<string | number, Set<string>>();
  const none: ReadonlySet<string> = new Set();
  let restores = store.restores;
  const change = (service: JsonObject, holds: boolean): void => {
    const uid = stringAt(objectAt(service, "metadata"), "uid");
    const spec = objectAt(service, "spec");
    for (const what of [...stringsAt(spec, "clusterIPs"), ...nodePortsOf(spec)]) {
      const known = holders.get(what) ?? new Set<string>();
      if (holds) known.add(uid);
      else known.delete(uid);
      if (known.size === 0) holders.delete(what);
      else holders.set(what, known);
    }
  };
  store.subscribe(({ resource, type, object, previous }) => {
    if (resource !== serviceStorage) return;
    if (previous !== undefined) change(previous, false);
    if (type !== "DELETED") change(object, true);
  });
  return (what) => {
    if (restores !== store.restores) {
      holders.clear();
      for (const [, service] of store.list(serviceStorage)) change(service, true);
      restores = store.restores;
    }
    return holders.get(what) ?? none;
  };
}

export function firstAddress(cidrs: string): string {
  const { first, family } = parseRange(cidrs.split(",")[0] ?? "");
  return format(first + 1n, family);
}

export function nodePortsOf(spec: JsonObject): readonly number[] {
  const ports = objectsAt(spec, "ports").map((port) => port["nodePort"]);
  return [...ports, spec["healthCheckNodePort"]].filter((port) => typeof port === "number" && port > 0).map(Number);
}

// A random start and then one after the other: deterministic, and sure to find what is free.
function pick<T>(size: number, random: Random, at: (offset: number) => T | undefined): T | undefined {
  const start = Math.floor(random.next() * size);
  for (let step = 0; step < size; step += 1) {
    const found = at((start + step) % size);
    if (found !== undefined) return found;
  }
  return undefined;
}

function parseRange(cidr: string): Range {
  const [address, bits] = ipaddr.parseCIDR(cidr.trim());
  const width = address.kind() === "ipv4" ? 32 : 128;
  const whole = 1n << BigInt(width - bits);
  return {
    family: width === 32 ? "IPv4" : "IPv6",
    first: (toNumber(address.toByteArray()) >> BigInt(width - bits)) << BigInt(width - bits),
    size: whole > largestRange ? largestRange : whole,
  };
}

function toNumber(parts: readonly number[]): bigint {
  return parts.reduce((value, part) => value * 256n + BigInt(part), 0n);
}

function format(value: bigint, family: Family): string {
  const length = family === "IPv4" ? 4 : 16;
  const parts = Array.from({ length }, (_, index) => Number((value >> BigInt(8 * (length - 1 - index))) & 255n));
  return ipaddr.fromByteArray(parts).toString();
}
