// The hash that gateways choose an endpoint and a source address by, as the kernel computes it (jhash of nftables, scaled to a range), so that
// people can be told beforehand where a connection goes. Of machines that put the lowest byte first, as all gateways today do.

import ipaddr from "ipaddr.js";
import type { Forwarding } from "../model/document.ts";
import { bucketSeed, slotSeed, slots } from "./packet-marks.ts";

/** Where a connection comes from. */
export interface Sender {
  readonly address: string;
  readonly port: number;
}

export function bucketOf(sender: Sender, affinity: Forwarding["affinity"], buckets: number): number {
  const bytes = affinity === "client" ? addressBytes(sender.address) : withPort(sender);
  return scaled(jhash(bytes, bucketSeed), buckets);
}

/** Which of the source addresses of a virtual address an endpoint sees. */
export function slotOf(sender: Sender): number {
  return scaled(jhash(withPort(sender), slotSeed), slots);
}

function addressBytes(address: string): readonly number[] {
  return ipaddr.parse(address).toByteArray();
}

/** A port fills a register of four bytes. */
function withPort({ address, port }: Sender): readonly number[] {
  return [...addressBytes(address), port >> 8, port & 0xff, 0, 0];
}

/** The kernel's `reciprocal_scale`: a part of the range, and no remainder. */
function scaled(hash: number, range: number): number {
  return Number((BigInt(hash) * BigInt(range)) >> 32n);
}

/** Bob Jenkins' hash as Linux has it. */
export function jhash(bytes: readonly number[], seed: number): number {
  const start = (0xdeadbeef + bytes.length + seed) >>> 0;
  let state: Words = [start, start, start];
  let from = 0;
  for (; bytes.length - from > 12; from += 12) state = mixed(added(state, bytes.slice(from, from + 12)));
  return from === bytes.length ? state[2] : closed(added(state, bytes.slice(from)));
}

type Words = readonly [a: number, b: number, c: number];

/** Up to twelve bytes, as three numbers. */
function added([a, b, c]: Words, bytes: readonly number[]): Words {
  const word = (at: number): number =>
    (((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16)) >>> 0) +
    (bytes[at + 3] ?? 0) * 2 ** 24;
  return [(a + word(0)) >>> 0, (b + word(4)) >>> 0, (c + word(8)) >>> 0];
}

function rotated(value: number, by: number): number {
  return ((value << by) | (value >>> (32 - by))) >>> 0;
}

function mixed(words: Words): Words {
  let [a, b, c] = words;
  for (const [first, second, third] of [
    [4, 6, 8],
    [16, 19, 4],
  ] as const) {
    a = ((a - c) ^ rotated(c, first)) >>> 0;
    c = (c + b) >>> 0;
    b = ((b - a) ^ rotated(a, second)) >>> 0;
    a = (a + c) >>> 0;
    c = ((c - b) ^ rotated(b, third)) >>> 0;
    b = (b + a) >>> 0;
  }
  return [a, b, c];
}

function closed(words: Words): number {
  let [a, b, c] = words;
  c = ((c ^ b) - rotated(b, 14)) >>> 0;
  a = ((a ^ c) - rotated(c, 11)) >>> 0;
  b = ((b ^ a) - rotated(a, 25)) >>> 0;
  c = ((c ^ b) - rotated(b, 16)) >>> 0;
  a = ((a ^ c) - rotated(c, 4)) >>> 0;
  b = ((b ^ a) - rotated(a, 14)) >>> 0;
  return ((c ^ b) - rotated(b, 24)) >>> 0;
}
