// Addresses of subnets: which are taken, and the next free one. The first address is the gateway's.

import ipaddr from "ipaddr.js";

interface Pool {
  readonly base: bigint;
  readonly size: bigint;
  readonly kind: "ipv4" | "ipv6";
  readonly taken: Set<string>;
  readonly first: bigint;
  next: bigint;
}

export class AddressPools {
  readonly #pools = new Map<string, Pool>();

  add(subnetId: string, cidr: string, firstOffset = 2): void {
    const [address, bits] = ipaddr.parseCIDR(cidr);
    const width = address.kind() === "ipv4" ? 32 : 128;
    this.#pools.set(subnetId, {
      base: toNumber(address.toByteArray()),
      size: 1n << BigInt(width - bits),
      kind: address.kind(),
      taken: new Set(),
      first: BigInt(firstOffset),
      next: BigInt(firstOffset),
    });
  }

  /** Undefined when the subnet is full. */
  takeNext(subnetId: string): string | undefined {
    const pool = this.#pools.get(subnetId);
    if (pool === undefined) return undefined;
    // The last address of an IPv4 subnet is its broadcast address.
    const end = pool.kind === "ipv4" ? pool.size - 1n : pool.size;
    return takeFrom(pool, pool.next, end) ?? takeFrom(pool, pool.first, pool.next);
  }

  /** False when somebody has it. */
  take(subnetId: string, address: string): boolean {
    const pool = this.#pools.get(subnetId);
    if (pool === undefined || pool.taken.has(address)) return false;
    pool.taken.add(address);
    return true;
  }

  release(subnetId: string, address: string): void {
    this.#pools.get(subnetId)?.taken.delete(address);
  }

  /** Not the network's own, and not the broadcast address, which IPv6 does not have. */
  isForHosts(subnetId: string, address: string): boolean {
    const pool = this.#pools.get(subnetId);
    if (pool === undefined || !this.contains(subnetId, address)) return false;
    const offset = toNumber(ipaddr.parse(address).toByteArray()) - pool.base;
    return pool.kind === "ipv6" || (offset > 0n && offset < pool.size - 1n);
  }

  contains(subnetId: string, address: string): boolean {
    const pool = this.#pools.get(subnetId);
    if (pool === undefined || !ipaddr.isValid(address)) return false;
    const parsed = ipaddr.parse(address);
    const offset = toNumber(parsed.toByteArray()) - pool.base;
    return parsed.kind() === pool.kind && offset >= 0n && offset < pool.size;
  }
}

/** What was released is given out again after everything else, as in a busy cloud: nobody gets it back by luck. */
function takeFrom(pool: Pool, from: bigint, end: bigint): string | undefined {
  for (let offset = from; offset < end; offset += 1n) {
    const address = toAddress(pool.base + offset, pool.kind);
    if (pool.taken.has(address)) continue;
    pool.taken.add(address);
    pool.next = offset + 1n;
    return address;
  }
  return undefined;
}

function toNumber(bytes: readonly number[]): bigint {
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

function toAddress(value: bigint, kind: "ipv4" | "ipv6"): string {
  const length = kind === "ipv4" ? 4 : 16;
  const bytes = Array.from({ length }, (_, index) => Number((value >> BigInt(8 * (length - 1 - index))) & 0xffn));
  return ipaddr.fromByteArray(bytes).toString();
}
