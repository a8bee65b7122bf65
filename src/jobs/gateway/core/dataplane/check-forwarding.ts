// What a forwarding must be for a gateway to carry it beside the others.

import { canonicalAddress, familyOf, type IpFamily, parseCidr } from "../../../../core/net/ip.ts";
import {
  bucketCounts,
  type Endpoint,
  type Forwarding,
  forwardingKey,
  type VirtualAddress,
  type VrrpGroup,
} from "../model/document.ts";
import { whyUnusable } from "./address-scope.ts";

/** What endpoints must not be, and what is taken. */
interface Surroundings {
  readonly own: ReadonlySet<string>;
  /** Virtual addresses with their groups. */
  readonly groupOf: ReadonlyMap<string, VrrpGroup>;
  readonly sources: ReadonlySet<string>;
  readonly keys: Set<string>;
  /** Endpoints whose packets go out as a forwarding's address, by that forwarding. */
  readonly returning: Map<string, string>;
}

export function forwardingRules(
  own: ReadonlySet<string>,
  groups: readonly VrrpGroup[],
  addresses: readonly VirtualAddress[],
) {
  const byName = new Map(groups.map((group) => [group.name, group]));
  const around: Surroundings = {
    own,
    groupOf: new Map(
      addresses.flatMap(({ address, group }) => {
        const found = byName.get(group);
        return found === undefined ? [] : [[canonical(address), found] as const];
      }),
    ),
    sources: new Set(groups.flatMap(({ sourceAddresses }) => sourceAddresses.map(canonical))),
    keys: new Set(),
    returning: new Map(),
  };
  return {
    keyOf: (forwarding: Forwarding) => keyOf(forwarding),
    problemsOf: (forwarding: Forwarding) => problemsOf(forwarding, around),
    accept: (forwarding: Forwarding) => {
      around.keys.add(keyOf(forwarding));
      for (const endpoint of returningOf(forwarding)) around.returning.set(endpoint, keyOf(forwarding));
    },
  };
}

function problemsOf(forwarding: Forwarding, around: Surroundings): readonly string[] {
  const { address, port, endpoints, source } = forwarding;
  const family = familyOf(address);
  if (family === undefined) return [`${JSON.stringify(address)} is no address`];
  const group = around.groupOf.get(canonical(address));
  const hasSource = group?.sourceAddresses.some((one) => familyOf(one) === family) === true;
  return [
    ...(group === undefined ? [`${address} is no address of the document that can be carried`] : []),
    ...portProblems(port),
    ...(around.keys.has(keyOf(forwarding)) ? ["the same address, protocol and port are there already"] : []),
    ...(/^[a-z0-9.-]{1,253}\/[a-z0-9.-]{1,253}$/.test(forwarding.service) ? [] : ["service is not namespace/name"]),
    ...endpoints.flatMap((endpoint) => endpointProblems(endpoint, family, around)),
    ...bucketProblems(forwarding),
    ...(forwarding.allowedSources ?? []).flatMap((range) => rangeProblems(range, family)),
    ...(group !== undefined && source === "group" && endpoints.length > 0 && !hasSource
      ? [`the group ${group.name} has no source address of the family IPv${family}`]
      : []),
    ...sharedEndpoints(forwarding, around),
  ];
}

function portProblems(port: number): readonly string[] {
  return Number.isInteger(port) && port >= 1 && port <= 65_535 ? [] : [`port ${port} is not from 1 to 65535`];
}

function endpointProblems({ address, port }: Endpoint, family: IpFamily, around: Surroundings): readonly string[] {
  const says = (problem: string) => [`endpoint ${JSON.stringify(address)} ${problem}`, ...portProblems(port)];
  const unusable = whyUnusable(address);
  if (unusable !== undefined) return says(unusable);
  const text = canonical(address);
  if (familyOf(address) !== family) return says(`is not of the family IPv${family}`);
  if (around.groupOf.has(text)) return says("is an address of a Service");
  if (around.sources.has(text)) return says("is a source address of the gateways");
  return around.own.has(text) ? says("is an address of this gateway's own") : portProblems(port);
}

function bucketProblems({ buckets, endpoints }: Forwarding): readonly string[] {
  if (endpoints.length === 0) return buckets.length === 0 ? [] : ["it has buckets and no endpoints"];
  if (!bucketCounts.some((count) => count === buckets.length)) return [`it has ${buckets.length} buckets`];
  const wrong = buckets.find((index) => !Number.isInteger(index) || index < 0 || index >= endpoints.length);
  return wrong === undefined ? [] : [`a bucket leads to endpoint ${wrong} of ${endpoints.length}`];
}

function rangeProblems(range: string, family: IpFamily): readonly string[] {
  const parsed = parseCidr(range);
  if (parsed === undefined) return [`allowed source ${JSON.stringify(range)} is no range of addresses`];
  return parsed.family === family ? [] : [`allowed source ${range} is not of the family IPv${family}`];
}

/** Whose packet it is must be told from the endpoint's port alone. */
function sharedEndpoints(forwarding: Forwarding, around: Surroundings): readonly string[] {
  const taken = returningOf(forwarding).flatMap((endpoint) => around.returning.get(endpoint) ?? []);
  return [...new Set(taken)].map((other) => `it keeps the client's address and shares an endpoint with ${other}`);
}

function returningOf({ source, protocol, endpoints }: Forwarding): readonly string[] {
  return source === "client" ? endpoints.map((endpoint) => keyOf({ ...endpoint, protocol })) : [];
}

/** The same for two spellings of an address. */
function keyOf(forwarding: Pick<Forwarding, "address" | "protocol" | "port">): string {
  return forwardingKey({ ...forwarding, address: canonical(forwarding.address) });
}

function canonical(address: string): string {
  return canonicalAddress(address) ?? address;
}
