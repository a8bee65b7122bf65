// IP addresses, CIDR blocks and URLs, as the API server's CEL has them. Addresses are strict: no zones, no IPv4 mapped
// into IPv6, no leading zeros.

import { type Environment, EvaluationError } from "@marcbachmann/cel-js";
import ipaddr from "ipaddr.js";
import { registerNamespace } from "./namespace.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

class CelIp {
  readonly address: Address;
  constructor(address: Address) {
    this.address = address;
  }
  toString(): string {
    return canonical(this.address);
  }
}

class CelCidr {
  readonly address: Address;
  readonly bits: number;
  constructor(address: Address, bits: number) {
    this.address = address;
    this.bits = bits;
  }
  toString(): string {
    return `${canonical(this.address)}/${this.bits}`;
  }
}

export function registerNet(env: Environment): void {
  env.registerType("net.IP", CelIp);
  env.registerType("net.CIDR", CelCidr);
  env.registerOperator("net.IP == net.IP", (a: CelIp, b: CelIp) => String(a) === String(b));
  env.registerOperator("net.CIDR == net.CIDR", (a: CelCidr, b: CelCidr) => String(a) === String(b));
  env.registerFunction("isIP(string): bool", (text: string) => parseAddress(text) !== undefined);
  env.registerFunction("ip(string): net.IP", (text: string) => new CelIp(needAddress(text)));
  registerNamespace(env, "ip", "IpNamespace");
  env.registerFunction(
    "IpNamespace.isCanonical(string): bool",
    (_: unknown, text: string) => canonical(needAddress(text)) === text,
  );
  env.registerFunction("string(net.IP): string", String);
  registerIpQuestions(env);
  registerCidr(env);
}

function registerIpQuestions(env: Environment): void {
  const ask = (name: string, answer: (range: string, address: Address) => boolean): unknown =>
    env.registerFunction(`net.IP.${name}(): bool`, ({ address }: CelIp) => answer(address.range(), address));
  env.registerFunction("net.IP.family(): int", ({ address }: CelIp) => (address.kind() === "ipv4" ? 4n : 6n));
  ask("isUnspecified", (_, address) => address.toByteArray().every((byte) => byte === 0));
  ask("isLoopback", (range) => range === "loopback");
  ask("isLinkLocalUnicast", (range) => range === "linkLocal");
  ask("isLinkLocalMulticast", (_, address) => isLinkLocalMulticast(address.toByteArray()));
  ask(
    "isGlobalUnicast",
    (range) => !["unspecified", "loopback", "linkLocal", "multicast", "broadcast"].includes(range),
  );
}

function isLinkLocalMulticast([first = 0, second = 0, third = 0, ...rest]: readonly number[]): boolean {
  if (rest.length === 1) return first === 224 && second === 0 && third === 0;
  return first === 0xff && (second & 0x0f) === 0x02;
}

function registerCidr(env: Environment): void {
  env.registerFunction("isCIDR(string): bool", (text: string) => parseCidr(text) !== undefined);
  env.registerFunction("cidr(string): net.CIDR", needCidr);
  env.registerFunction("string(net.CIDR): string", String);
  env.registerFunction("net.CIDR.ip(): net.IP", ({ address }: CelCidr) => new CelIp(address));
  env.registerFunction("net.CIDR.prefixLength(): int", ({ bits }: CelCidr) => BigInt(bits));
  env.registerFunction("net.CIDR.masked(): net.CIDR", masked);
  env.registerFunction("net.CIDR.containsIP(string): bool", (cidr: CelCidr, text: string) =>
    contains(cidr, needAddress(text)),
  );
  env.registerFunction("net.CIDR.containsIP(net.IP): bool", (cidr: CelCidr, ip: CelIp) => contains(cidr, ip.address));
  env.registerFunction("net.CIDR.containsCIDR(string): bool", (cidr: CelCidr, text: string) =>
    containsBlock(cidr, needCidr(text)),
  );
  env.registerFunction("net.CIDR.containsCIDR(net.CIDR): bool", containsBlock);
}

function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text) && !/(^|\.)0\d/.test(text)) return ipaddr.IPv4.parse(text);
  if (text.includes("%") || !text.includes(":") || !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? undefined : address;
}

function needAddress(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined)
    throw new EvaluationError(`IP Address '${text}' parse error during conversion from string`);
  return address;
}

function parseCidr(text: string): CelCidr | undefined {
  const [head = "", tail = "", ...rest] = text.split("/");
  const address = parseAddress(head);
  if (address === undefined || rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(tail)) return undefined;
  const bits = Number(tail);
  return bits <= (address.kind() === "ipv4" ? 32 : 128) ? new CelCidr(address, bits) : undefined;
}

function needCidr(text: string): CelCidr {
  const cidr = parseCidr(text);
  if (cidr === undefined)
    throw new EvaluationError(`network address parse error during conversion from string: '${text}'`);
  return cidr;
}

function masked({ address, bits }: CelCidr): CelCidr {
  const bytes = address
    .toByteArray()
    .map((byte, i) => byte & (0xff << Math.min(8, Math.max(0, 8 * (i + 1) - bits))) & 0xff);
  return new CelCidr(ipaddr.fromByteArray(bytes), bits);
}

function contains({ address, bits }: CelCidr, other: Address): boolean {
  if (address.kind() !== other.kind()) return false;
  return canonical(masked(new CelCidr(address, bits)).address) === canonical(masked(new CelCidr(other, bits)).address);
}

function containsBlock(cidr: CelCidr, other: CelCidr): boolean {
  return cidr.bits <= other.bits && contains(cidr, other.address);
}

/** RFC 5952 for IPv6. */
function canonical(address: Address): string {
  return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();
}
