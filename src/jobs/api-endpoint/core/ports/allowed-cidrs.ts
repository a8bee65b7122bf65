// Who may connect, in the form that Octavia gives back: masked, sorted, each once, all of the VIP's family. With a list of the user's
// come the cluster's own places, or its workers would be locked out: while one of them is not found, nobody knows the list. Without a list
// of the user's everybody may.

import { type IpFamily, parseCidr } from "../../../../core/net/ip.ts";
import type { Refusal } from "../../../../core/plan.ts";
import type { Places } from "../model/observed.ts";
import { nodeSubnets, unresolvedNodes } from "../situation/node-places.ts";

export interface AllowedCidrs {
  /** Empty: everybody. Undefined: not known now, or the user's list came to nothing, which must not become everybody. */
  readonly cidrs: readonly string[] | undefined;
  readonly refusals: readonly Omit<Refusal, "lane">[];
}

export function allowedCidrs(wanted: readonly string[], places: Places, family: IpFamily): AllowedCidrs {
  if (wanted.length === 0) return { cidrs: [], refusals: [] };
  const parsed = wanted.map((text) => ({ text, cidr: parseCidr(text) }));
  const own = [
    ...nodeSubnets(places).map(({ cidr }) => cidr),
    ...places.routerAddresses,
    ...(places.bastionAddresses ?? []),
  ].map(parseCidr);
  const all = [...parsed.map(({ cidr }) => cidr), ...own].flatMap((cidr) =>
    cidr?.family === family ? [cidr.text] : [],
  );
  const invalid = parsed.filter(({ cidr }) => cidr === undefined).map(({ text }) => text);
  const otherFamily = parsed.filter(({ cidr }) => cidr !== undefined && cidr.family !== family).map(({ text }) => text);
  return {
    cidrs: all.length === 0 || unresolvedNodes(places).length > 0 ? undefined : [...new Set(all)].toSorted(),
    refusals: [
      ...invalid.map((text) => ignored(`allowedCIDRs: ${JSON.stringify(text)} is neither an address nor a range`)),
      ...otherFamily.map((text) => ignored(`allowedCIDRs: ${text} is not of the VIP's family, IPv${family}`)),
    ],
  };
}

/** A listener's list in the same form. */
export function canonicalCidrs(cidrs: readonly string[]): readonly string[] {
  return [...new Set(cidrs.map((text) => parseCidr(text)?.text ?? text))].toSorted();
}

function ignored(message: string): Omit<Refusal, "lane"> {
  return { reason: "AllowedCidrIgnored", message };
}
