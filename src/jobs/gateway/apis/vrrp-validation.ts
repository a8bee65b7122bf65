// What is wrong with a pool's VRRP settings, and with a change of them.

import { isAddress } from "../../../apis/text/address-text.ts";
import { type Problem, quote } from "../../../apis/text/problem.ts";
import { missing, repeated, wrong } from "./field-problems.ts";
import {
  type AddressSource,
  advertIntervalOf,
  advertIntervalRangeMs,
  type GatewayPoolSpec,
  maxVirtualRouterId,
  type VrrpGroupSpec,
  type VrrpSpec,
  virtualRouterIdOf,
} from "./gateway-pool.ts";

const at = "spec.vrrp";
/** Part of an interface's and of a process's names on gateways. */
const groupName = /^[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?$/;

export function vrrpProblems(spec: GatewayPoolSpec): readonly Problem[] {
  const { vrrp, gateways = [], clientAddress } = spec;
  if (vrrp === undefined) return [missing(at, "Say how gateways find out who leads.")];
  const { groups = [] } = vrrp;
  const found: Problem[] = [];
  if (groups.length === 0) found.push(missing(`${at}.groups`, "Name at least one group."));
  if (clientAddress === "Preserved" && groups.length > 1) {
    const message = `${groups.length} groups are too many for a preserved client address`;
    found.push({ where: `${at}.groups`, message, hint: "Use a single group: endpoints have one way back." });
  }
  found.push(...modeProblems(vrrp), ...routerIdProblems(vrrp));
  const names = gateways.map(({ name }) => name);
  found.push(...groups.flatMap((group, i) => groupProblems(group, `${at}.groups[${i}]`, names, spec.addresses)));
  found.push(
    ...repeated(
      groups.map(({ name }) => name),
      (i) => `${at}.groups[${i}].name`,
    ),
  );
  const sources = groups.flatMap(({ sourceAddresses = [] }, i) => sourceAddresses.map((address) => ({ address, i })));
  found.push(
    ...repeated(
      sources.map(({ address }) => address),
      (place) => `${at}.groups[${sources[place]?.i}].sourceAddresses`,
    ),
  );
  return found;
}

function modeProblems(vrrp: VrrpSpec): readonly Problem[] {
  const found: Problem[] = [];
  const where = `${at}.advertIntervalMs`;
  const interval = advertIntervalOf(vrrp);
  const { lowest, highest } = advertIntervalRangeMs;
  if (!Number.isInteger(interval) || interval < lowest || interval > highest || interval % 10 !== 0) {
    const hint = `Use ${lowest} to ${highest}, in tens: VRRP 3 counts hundredths of a second.`;
    found.push(wrong(where, interval, "an interval that VRRP can say", hint));
  }
  if (vrrp.mode === "Compat" && interval % 1_000 !== 0) {
    found.push(wrong(where, interval, "a whole second", "Use 1000: VRRP 2 counts whole seconds."));
  }
  if (vrrp.mode === "Compat" && (vrrp.groups ?? []).length > 1) {
    const hint = "Use a single group until no gateway runs ch-k8s-lbaas.";
    found.push({ where: `${at}.groups`, message: "ch-k8s-lbaas knows one group", hint });
  }
  if (vrrp.mode !== undefined && vrrp.mode !== "VRRP3" && vrrp.mode !== "Compat") {
    found.push(wrong(`${at}.mode`, vrrp.mode, "known", "Use VRRP3 or Compat."));
  }
  return found;
}

function routerIdProblems(vrrp: VrrpSpec): readonly Problem[] {
  const ids = (vrrp.groups ?? []).map((_, place) => virtualRouterIdOf(vrrp, place));
  const whereOf = (place: number) =>
    vrrp.groups?.[place]?.virtualRouterID === undefined
      ? `${at}.virtualRouterIDBase`
      : `${at}.groups[${place}].virtualRouterID`;
  const outside = ids.flatMap((id, place) =>
    Number.isInteger(id) && id >= 1 && id <= maxVirtualRouterId
      ? []
      : [wrong(whereOf(place), id, "a virtual router id", `Use 1 to ${maxVirtualRouterId}, for all groups.`)],
  );
  return [...outside, ...repeated(ids, whereOf)];
}

function groupProblems(
  { name, sourceAddresses = [], order = [] }: VrrpGroupSpec,
  where: string,
  gateways: readonly string[],
  addresses: AddressSource | undefined,
): readonly Problem[] {
  const found: Problem[] = [];
  if (!groupName.test(name ?? "")) {
    found.push(wrong(`${where}.name`, name, "a name", "Use lower-case letters, digits and dashes, at most 15."));
  }
  for (const [i, address] of sourceAddresses.entries()) {
    if (isAddress(address)) continue;
    found.push(wrong(`${where}.sourceAddresses[${i}]`, address, "an address", "Write an IPv4 or IPv6 address."));
  }
  const has = (isIpv6: boolean) => sourceAddresses.some((one) => isAddress(one) && one.includes(":") === isIpv6);
  if (!has(false)) {
    found.push({
      where: `${where}.sourceAddresses`,
      message: "none is IPv4",
      hint: "Add one: gateways speak VRRP over IPv4.",
    });
  }
  if (servesIpv6(addresses) && !has(true)) {
    found.push({ where: `${where}.sourceAddresses`, message: "none is IPv6, and the pool has IPv6", hint: "Add one." });
  }
  for (const [i, gateway] of order.entries()) {
    if (gateways.includes(gateway)) continue;
    found.push({
      where: `${where}.order[${i}]`,
      message: `${quote(gateway)} is no gateway of the pool`,
      hint: "Name those of spec.gateways.",
    });
  }
  return found;
}

function servesIpv6(addresses: AddressSource | undefined): boolean {
  return addresses?.neutron?.subnets?.ipv6 !== undefined || (addresses?.static?.ipv6 ?? []).length > 0;
}

/** Gateways that hear another id than they speak do not hear each other, and all lead at once. */
export function vrrpChangeProblems(was: VrrpSpec | undefined, is: VrrpSpec | undefined): readonly Problem[] {
  if (was === undefined || is === undefined) return [];
  const idOf = (vrrp: VrrpSpec, name: string) => {
    const place = (vrrp.groups ?? []).findIndex((group) => group.name === name);
    return place < 0 ? undefined : virtualRouterIdOf(vrrp, place);
  };
  return (is.groups ?? []).flatMap(({ name }, i) => {
    const [before, after] = [idOf(was, name), idOf(is, name)];
    if (before === undefined || before === after) return [];
    const message = `the group ${quote(name)} would change its virtual router id from ${before} to ${after}`;
    const hint = `Set its virtualRouterID to ${before}, or make another group and remove this one later.`;
    return [{ where: `${at}.groups[${i}].virtualRouterID`, message, hint }];
  });
}
