// allowed_cidrs: of the VIP's address family only, and kept without host bits, whatever was sent.

import ipaddr from "ipaddr.js";
import { refuse } from "../cloud-fault.ts";

export function maskedCidrs(cidrs: readonly string[], vipAddress: string): readonly string[] {
  const masked = cidrs.map(maskedCidr);
  const family = ipaddr.parse(vipAddress).kind();
  const other = masked.find((cidr) => ipaddr.parseCIDR(cidr)[0].kind() !== family);
  if (other !== undefined)
    refuse(400, `Validation failure: CIDR ${other} IP version incompatible with VIP ${vipAddress} IP version.`);
  return masked;
}

/** A bare address is a network of one. */
function maskedCidr(cidr: string): string {
  try {
    if (ipaddr.isValid(cidr))
      return `${ipaddr.parse(cidr).toString()}/${ipaddr.parse(cidr).kind() === "ipv4" ? 32 : 128}`;
    const [address, bits] = ipaddr.parseCIDR(cidr);
    const bytes = address.toByteArray().map((byte, index) => {
      const kept = Math.min(8, Math.max(0, bits - index * 8));
      return byte & (0xff << (8 - kept)) & 0xff;
    });
    return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
  } catch {
    return refuse(400, `Invalid input for field/attribute allowed_cidrs: ${cidr} is no IPv4 or IPv6 CIDR`);
  }
}
