// What is wrong with a pool that only numbers show, and with pools beside each other: nobody may hand out one address twice, and a gateway
// has one configuration. Of two pools that collide the younger one is wrong, so that the older goes on.

import { type Problem, quote } from "../../../../apis/text/problem.ts";
import { type GatewayPool, virtualRouterIdOf } from "../../apis/gateway-pool.ts";
import { addressRanges, doOverlap, isInRanges, parseAddressRange } from "./address-ranges.ts";

const listsAt = "spec.addresses.static";

/** Of the pool alone. */
export function poolRangeProblems({ spec = {} }: GatewayPool): readonly Problem[] {
  const { ipv4 = [], ipv6 = [] } = spec.addresses?.static ?? {};
  const ranges = addressRanges([...ipv4, ...ipv6]);
  const taken = [
    ...(spec.vrrp?.groups ?? []).flatMap(({ sourceAddresses = [] }, i) =>
      sourceAddresses.map((address, n) => ({ address, where: `spec.vrrp.groups[${i}].sourceAddresses[${n}]` })),
    ),
    ...(spec.gateways ?? []).map(({ vrrpAddress = "" }, i) => ({
      address: vrrpAddress,
      where: `spec.gateways[${i}].vrrpAddress`,
    })),
  ];
  return [
    ...listProblems(ipv4, `${listsAt}.ipv4`),
    ...listProblems(ipv6, `${listsAt}.ipv6`),
    ...taken
      .filter(({ address }) => isInRanges(address, ranges))
      .map(({ address, where }) => ({
        where,
        message: `${quote(address)} is also an address for Services`,
        hint: `Take it out of ${listsAt}, or use another.`,
      })),
  ];
}

function listProblems(entries: readonly string[], at: string): readonly Problem[] {
  const ranges = entries.map(parseAddressRange);
  return entries.flatMap((entry, i) => {
    const range = ranges[i];
    const where = `${at}[${i}]`;
    if (range === undefined) {
      const hint = "Write an address, a prefix, or a range from the lower to the higher address.";
      return [{ where, message: `${quote(entry)} is no range`, hint }];
    }
    const other = ranges.slice(0, i).findIndex((earlier) => earlier !== undefined && doOverlap(earlier, range));
    if (other < 0) return [];
    return [{ where, message: `${quote(entry)} overlaps ${quote(entries[other])}`, hint: "List each address once." }];
  });
}

/** What it has in common with older pools and may not have. */
export function poolCollisions(pool: GatewayPool, others: readonly GatewayPool[]): readonly Problem[] {
  const older = others.filter((other) => other !== pool && isOlder(other, pool));
  return older.toSorted((a, b) => (isOlder(a, b) ? -1 : 1)).flatMap((other) => collisions(pool, other));
}

function collisions(pool: GatewayPool, other: GatewayPool): readonly Problem[] {
  const name = `the pool ${quote(other.metadata.name)}`;
  return [
    ...sharedRanges(pool, other).map((text) => ({
      where: listsAt,
      message: `${quote(text)} overlaps addresses of ${name}`,
      hint: "Give each pool addresses of its own.",
    })),
    ...sharedGateways(pool, other).map((gateway) => ({
      where: "spec.gateways",
      message: `${quote(gateway)} is a gateway of ${name}`,
      hint: "A gateway belongs to one pool.",
    })),
    ...sharedRouterIds(pool, other).map((id) => ({
      where: "spec.vrrp",
      message: `the virtual router id ${id} is also one of ${name}`,
      hint: "Use another, or set vrrpAddress on the gateways of both pools.",
    })),
  ];
}

function sharedRanges(pool: GatewayPool, other: GatewayPool): readonly string[] {
  const theirs = addressRanges([...listsOf(other), ...sourcesOf(other)]);
  const taken = [...listsOf(pool), ...sourcesOf(pool)];
  return taken.filter((text) => {
    const range = parseAddressRange(text);
    return range !== undefined && theirs.some((one) => doOverlap(one, range));
  });
}

function sharedGateways(pool: GatewayPool, other: GatewayPool): readonly string[] {
  const marks = ({ spec }: GatewayPool) =>
    (spec?.gateways ?? []).map(({ name, url, externalPortID, internalPortID }) => ({
      name,
      marks: [url.replace(/\/+$/, ""), externalPortID, internalPortID].filter((mark) => mark !== undefined),
    }));
  const theirs = new Set(marks(other).flatMap((gateway) => gateway.marks));
  return marks(pool)
    .filter((gateway) => gateway.marks.some((mark) => theirs.has(mark)))
    .map(({ name }) => name);
}

/** Gateways that speak to each other by address do not hear the others. */
function sharedRouterIds(pool: GatewayPool, other: GatewayPool): readonly number[] {
  if (isUnicast(pool) && isUnicast(other)) return [];
  const theirs = routerIds(other);
  return routerIds(pool).filter((id) => theirs.includes(id));
}

function routerIds({ spec }: GatewayPool): readonly number[] {
  const vrrp = spec?.vrrp;
  return vrrp === undefined ? [] : (vrrp.groups ?? []).map((_, place) => virtualRouterIdOf(vrrp, place));
}

function isUnicast({ spec }: GatewayPool): boolean {
  return (spec?.gateways ?? []).every(({ vrrpAddress }) => vrrpAddress !== undefined);
}

function listsOf({ spec }: GatewayPool): readonly string[] {
  return [...(spec?.addresses?.static?.ipv4 ?? []), ...(spec?.addresses?.static?.ipv6 ?? [])];
}

function sourcesOf({ spec }: GatewayPool): readonly string[] {
  return (spec?.vrrp?.groups ?? []).flatMap(({ sourceAddresses = [] }) => sourceAddresses);
}

function isOlder({ metadata: a }: GatewayPool, { metadata: b }: GatewayPool): boolean {
  const [one, other] = [a, b].map(({ creationTimestamp = "", name }) => `${creationTimestamp} ${name}`);
  return (one ?? "") < (other ?? "");
}
