// Packets that Node has no sockets for (ICMP, SCTP), by a few lines of Perl, which every Debian has. Nobody waits for a time: what is asked
// is asked again until the answer is there.

import type { Namespace } from "./namespace.ts";

export type RawProtocol = "icmp" | "icmp6" | "sctp";
const numbers = { icmp: 1, icmp6: 58, sctp: 132 } as const;

/** Sends until something comes whose hexadecimal digits match; answers with them, without the IP header. */
export async function askRaw(
  space: Namespace,
  { protocol, to, bytes, expected }: { protocol: RawProtocol; to: string; bytes: Buffer; expected: RegExp },
): Promise<string> {
  return await perl(space, "ask", protocol, to, bytes, expected);
}

/** Waits for something that matches, and answers it once. */
export async function answerRaw(
  space: Namespace,
  { protocol, bytes, expected }: { protocol: RawProtocol; bytes: Buffer; expected: RegExp },
): Promise<string> {
  return await perl(space, "answer", protocol, "-", bytes, expected);
}

/** A checksum that nobody gets right by chance: the kernel drops what has a wrong one. */
export function sctpPacket(fromPort: number, toPort: number, chunk: Buffer, tag = 0): Buffer {
  const packet = Buffer.concat([Buffer.alloc(12), chunk]);
  packet.writeUInt16BE(fromPort, 0);
  packet.writeUInt16BE(toPort, 2);
  packet.writeUInt32BE(tag, 4);
  packet.writeUInt32LE(crc32c(packet), 8);
  return packet;
}

export function hasGoodChecksum(packet: Buffer): boolean {
  const zeroed = Buffer.from(packet);
  zeroed.writeUInt32LE(0, 8);
  return packet.readUInt32LE(8) === crc32c(zeroed);
}

/** What an answer has to bear. */
export const sctpTag = 0x1234_5678;

/** An INIT or INIT ACK: type, tag, window, streams, first number. */
export function initChunk(type: 1 | 2): Buffer {
  const chunk = Buffer.alloc(20);
  chunk.writeUInt8(type, 0);
  chunk.writeUInt16BE(chunk.length, 2);
  chunk.writeUInt32BE(sctpTag, 4);
  chunk.writeUInt32BE(65_535, 8);
  chunk.writeUInt16BE(1, 12);
  chunk.writeUInt16BE(1, 14);
  chunk.writeUInt32BE(1, 16);
  return chunk;
}

/** The kernel fills in the checksum of IPv6 only. */
export function echoRequest(protocol: "icmp" | "icmp6", id: number): Buffer {
  const packet = Buffer.alloc(16);
  packet.writeUInt8(protocol === "icmp" ? 8 : 128, 0);
  packet.writeUInt16BE(id, 4);
  if (protocol === "icmp") packet.writeUInt16BE(internetChecksum(packet), 2);
  return packet;
}

function internetChecksum(packet: Buffer): number {
  let sum = 0;
  for (let at = 0; at < packet.length; at += 2) sum += packet.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}

function crc32c(bytes: Buffer): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f6_3b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

const program = `
use strict; use Socket qw(:DEFAULT inet_pton AF_INET6 pack_sockaddr_in6);
my ($mode, $protocol, $to, $hex, $expected) = @ARGV;
my $six = $protocol == 58;
socket(my $raw, $six ? AF_INET6 : AF_INET, SOCK_RAW, $protocol) or die "socket: $!";
my $bytes = pack("H*", $hex);
my $peer = $mode eq "answer" ? undef
  : $six ? pack_sockaddr_in6(0, inet_pton(AF_INET6, $to)) : pack_sockaddr_in(0, inet_aton($to));
alarm 100;
while (1) {
  send($raw, $bytes, 0, $peer) if $mode eq "ask";
  my $ready = ""; vec($ready, fileno($raw), 1) = 1;
  next unless select($ready, undef, undef, 0.3);
  my $from = recv($raw, my $got, 65535, 0);
  $got = substr($got, (ord($got) & 15) * 4) unless $six;
  my $text = unpack("H*", $got);
  next unless $text =~ /$expected/;
  send($raw, $bytes, 0, $from) if $mode eq "answer";
  print $text;
  last;
}
`;

async function perl(
  space: Namespace,
  mode: "ask" | "answer",
  protocol: RawProtocol,
  to: string,
  bytes: Buffer,
  expected: RegExp,
): Promise<string> {
  const args = ["-e", program, mode, String(numbers[protocol]), to, bytes.toString("hex"), expected.source];
  return await space.run("perl", ...args);
}
