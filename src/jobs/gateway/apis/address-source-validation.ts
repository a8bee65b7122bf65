// What is wrong with where a pool's addresses come from.

import { isAddress, isAddressOrRange } from "../../../apis/text/address-text.ts";
import { type Problem, quote } from "../../../apis/text/problem.ts";
import { isUuid } from "./field-problems.ts";
import type { AddressSource, NeutronAddresses, StaticAddresses } from "./gateway-pool.ts";

export function sourceProblems(source: AddressSource | undefined, at: string): readonly Problem[] {
  const { neutron, static: list } = source ?? {};
  if ((neutron === undefined) === (list === undefined)) {
    const message = neutron === undefined ? "neither neutron nor static is set" : "both neutron and static are set";
    return [{ where: at, message, hint: "Say by exactly one of them where addresses come from." }];
  }
  if (neutron !== undefined) return neutronProblems(neutron, `${at}.neutron`);
  return list === undefined ? [] : staticProblems(list, `${at}.static`);
}

function neutronProblems({ identityRef, subnets, floatingIPs }: NeutronAddresses, at: string): readonly Problem[] {
  const { ipv4, ipv6 } = subnets ?? {};
  const found: Problem[] = [...identityProblems(identityRef, `${at}.identityRef`)];
  if (ipv4 === undefined && ipv6 === undefined) {
    found.push({ where: `${at}.subnets`, message: "it names no subnet", hint: "Name one for each family." });
  }
  found.push(...idProblems(ipv4?.id, ipv4, `${at}.subnets.ipv4.id`, "subnet"));
  found.push(...idProblems(ipv6?.id, ipv6, `${at}.subnets.ipv6.id`, "subnet"));
  found.push(...idProblems(floatingIPs?.networkID, floatingIPs, `${at}.floatingIPs.networkID`, "network"));
  if (floatingIPs !== undefined && ipv4 === undefined) {
    const hint = "Name an IPv4 subnet, or remove floatingIPs.";
    found.push({ where: `${at}.floatingIPs`, message: "floating IPs are for IPv4, and there is no IPv4 subnet", hint });
  }
  return found;
}

function identityProblems(identity: NeutronAddresses["identityRef"] | undefined, at: string): readonly Problem[] {
  const hint = "Name the Secret that holds clouds.yaml, its namespace, and the entry in it.";
  if (identity === undefined) return [{ where: at, message: "it is not set", hint }];
  const { type = "Secret", name, namespace, cloudName } = identity;
  const fields = { name, cloudName, ...(type === "Secret" ? { namespace } : {}) };
  const found: Problem[] = Object.entries(fields).flatMap(([field, value]) =>
    value ? [] : [{ where: `${at}.${field}`, message: "it is not set", hint }],
  );
  if (type !== "Secret" && type !== "ClusterIdentity") {
    found.push({
      where: `${at}.type`,
      message: `${quote(type)} is no kind of identity`,
      hint: "Use Secret or ClusterIdentity.",
    });
  }
  if (type === "ClusterIdentity" && namespace !== undefined) {
    found.push({ where: `${at}.namespace`, message: "an OpenStackClusterIdentity has none", hint: "Remove it." });
  }
  return found;
}

function idProblems(id: string | undefined, parent: unknown, where: string, what: string): readonly Problem[] {
  if (parent === undefined || (id !== undefined && isUuid(id))) return [];
  const message = id === undefined ? "it is not set" : `${quote(id)} is not a UUID`;
  return [{ where, message, hint: `Copy the id of the ${what}.` }];
}

function staticProblems({ ipv4 = [], ipv6 = [] }: StaticAddresses, at: string): readonly Problem[] {
  if (ipv4.length + ipv6.length === 0) {
    return [{ where: at, message: "it is empty", hint: "List the addresses that Services may have." }];
  }
  return [...entryProblems(ipv4, 4, `${at}.ipv4`), ...entryProblems(ipv6, 6, `${at}.ipv6`)];
}

function entryProblems(entries: readonly string[], family: 4 | 6, at: string): readonly Problem[] {
  return entries.flatMap((entry, i) => {
    if (isEntry(entry, family)) return [];
    const example =
      family === 4 ? "192.0.2.7, 192.0.2.10-192.0.2.20 or 192.0.2.32/28" : "2001:db8::7 or 2001:db8::100/120";
    const message = `${quote(entry)} is no IPv${family} address, range or prefix`;
    return [{ where: `${at}[${i}]`, message, hint: `Write ${example}.` }];
  });
}

function isEntry(entry: string, family: 4 | 6): boolean {
  const [from = "", to, ...more] = entry.split("-").map((part) => part.trim());
  const isRight = (part: string) => part.includes(":") === (family === 6);
  if (more.length > 0 || !isRight(from)) return false;
  return to === undefined ? isAddressOrRange(from) : isAddress(from) && isAddress(to) && isRight(to);
}
