// What keepalived says of its instances, and what a configuration of ours says of them: enough to know whether it has read one.

import { z } from "zod";
import { canonicalAddress } from "../../core/net/ip.ts";
import type { VrrpRole } from "../../ports/keepalived.ts";

/** Addresses, in one order, by instance. */
export type InstanceAddresses = ReadonlyMap<string, readonly string[]>;

export interface LiveInstance {
  readonly name: string;
  readonly role: VrrpRole;
  readonly addresses: readonly string[];
}

/** Lines of a configuration that hold an address and its interface. */
export interface AddressOnInterface {
  readonly address: string;
  readonly interface: string;
}

const addressLine = /^\s*(\S+\/\d+) dev (\S+)$/;

export function addressesIn(configuration: string): readonly AddressOnInterface[] {
  return configuration.split("\n").flatMap((line) => {
    const [, address, name] = addressLine.exec(line) ?? [];
    return address === undefined || name === undefined ? [] : [{ address, interface: name }];
  });
}

export function instancesIn(configuration: string): InstanceAddresses {
  const parts = configuration.split(/^vrrp_instance (\S+) \{$/m);
  const found = new Map<string, readonly string[]>();
  for (let at = 1; at + 1 < parts.length; at += 2) {
    const addresses = addressesIn(parts[at + 1] ?? "").map(({ address }) => address.replace(/\/\d+$/, ""));
    found.set(parts[at] ?? "", inOneOrder(addresses));
  }
  return found;
}

export function sameInstances(wanted: InstanceAddresses, live: readonly LiveInstance[]): boolean {
  const text = (name: string, addresses: readonly string[]) => `${name}: ${addresses.join(" ")}`;
  const there = new Set(live.map(({ name, addresses }) => text(name, addresses)));
  return wanted.size === live.length && [...wanted].every(([name, addresses]) => there.has(text(name, addresses)));
}

export function rolesOf(live: readonly LiveInstance[]): ReadonlyMap<string, VrrpRole> {
  return new Map(live.map(({ name, role }) => [name, role]));
}

// keepalived's numbers of states; others are on the way from one to the next.
const roles: Readonly<Record<number, VrrpRole>> = { 1: "backup", 2: "master", 3: "fault" };

const listed = z.array(z.string()).default([]);
const dump = z.array(
  z.object({ data: z.object({ iname: z.string(), state: z.number(), vips: listed, evips: listed }) }),
);

/** What it wrote on the signal for JSON; undefined while that is not all there. */
export function decodeInstances(text: string): readonly LiveInstance[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return dump.safeParse(value).data?.map(({ data: { iname, state, vips, evips } }) => ({
    name: iname,
    role: roles[state] ?? "unknown",
    addresses: inOneOrder([...vips, ...evips].map((line) => line.split(/[ /]/)[0] ?? "")),
  }));
}

function inOneOrder(addresses: readonly string[]): readonly string[] {
  return addresses.map((address) => canonicalAddress(address) ?? address).toSorted();
}
