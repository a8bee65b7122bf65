// What a gateway can carry of a document, and what is wrong with the rest. A good document names each address and port once, leads nowhere
// but to real endpoints, and holds nothing but numbers, addresses and names that a configuration can hold.

import { cutText } from "../../../../core/cut-text.ts";
import { canonicalAddress, familyOf } from "../../../../core/net/ip.ts";
import type { CarryProblem } from "../model/agent-answers.ts";
import { forwardingKey, type GatewayDocument, type VirtualAddress, type VrrpGroup } from "../model/document.ts";
import type { LocalGateway } from "../model/local-gateway.ts";
import { whyUnusable } from "./address-scope.ts";
import { forwardingRules } from "./check-forwarding.ts";
import { quarantine } from "./quarantine.ts";

export interface CheckedDocument {
  readonly good: GatewayDocument;
  readonly problems: readonly CarryProblem[];
}

/** What was good before, and what of the new document could not be read. */
export interface Earlier {
  readonly previous?: GatewayDocument;
  readonly unreadable?: readonly CarryProblem[];
}

export function checkDocument(document: GatewayDocument, local: LocalGateway, earlier: Earlier = {}): CheckedDocument {
  const { previous, unreadable = [] } = earlier;
  const problems: CarryProblem[] = [...unreadable];
  const report = (subject: string, message: string, service?: string) => {
    const problem = { subject: cutText(subject, 200), message: cutText(message, 1_000) };
    problems.push(service === undefined ? problem : { ...problem, service: cutText(service, 200) });
  };
  const own = new Set(local.ownAddresses.flatMap((address) => canonicalAddress(address) ?? []));
  const groups = quarantine({
    ...groupRules(own),
    items: document.groups,
    previous: previous?.groups ?? [],
    unreadable: [],
    report: ({ name }, message) => report(`group ${name}`, message),
  });
  const addresses = quarantine({
    ...addressRules(own, groups),
    items: document.addresses,
    previous: previous?.addresses ?? [],
    unreadable: [],
    report: ({ address }, message) => report(address, message),
  });
  const forwardings = quarantine({
    ...forwardingRules(own, groups, addresses),
    items: document.forwardings,
    previous: previous?.forwardings ?? [],
    unreadable: unreadable.map(({ subject }) => subject),
    report: (forwarding, message) => report(forwardingKey(forwarding), message, forwarding.service),
  });
  return { good: { ...document, groups, addresses, forwardings }, problems };
}

const groupName = /^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/;
const gatewayName = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

function groupRules(own: ReadonlySet<string>) {
  const names = new Set<string>();
  const routerIds = new Set<number>();
  const sources = new Set<string>();
  const problemsOf = (group: VrrpGroup): readonly string[] => [
    ...(groupName.test(group.name) ? [] : ["its name is no name of a group"]),
    ...(names.has(group.name) ? ["a group of this name is there already"] : []),
    ...(isBetween(group.virtualRouterId, 1, 255)
      ? []
      : [`virtualRouterId ${group.virtualRouterId} is not from 1 to 255`]),
    ...(routerIds.has(group.virtualRouterId) ? [`virtualRouterId ${group.virtualRouterId} is another group's`] : []),
    ...group.order
      .filter((name) => !gatewayName.test(name))
      .map((name) => `${JSON.stringify(name)} is no name of a gateway`),
    ...group.sourceAddresses.flatMap((address) => addressProblems(address, own, sources)),
    ...(new Set(group.sourceAddresses.map(canonicalAddress)).size < group.sourceAddresses.length
      ? ["it names a source address twice"]
      : []),
    ...(group.sourceAddresses.some((address) => familyOf(address) === 4) ? [] : ["it has no IPv4 source address"]),
  ];
  const accept = (group: VrrpGroup) => {
    names.add(group.name);
    routerIds.add(group.virtualRouterId);
    for (const address of group.sourceAddresses) sources.add(canonicalAddress(address) ?? address);
  };
  return { keyOf: ({ name }: VrrpGroup) => name, problemsOf, accept };
}

function addressRules(own: ReadonlySet<string>, groups: readonly VrrpGroup[]) {
  const names = new Set(groups.map(({ name }) => name));
  const known = new Set<string>();
  const keyOf = ({ address }: VirtualAddress) => canonicalAddress(address) ?? address;
  const problemsOf = ({ address, group }: VirtualAddress): readonly string[] => [
    ...addressProblems(address, own, known),
    ...(names.has(group) ? [] : [`there is no group ${JSON.stringify(group)}`]),
  ];
  return { keyOf, problemsOf, accept: (address: VirtualAddress) => known.add(keyOf(address)) };
}

/** Of an address that moves between gateways. */
function addressProblems(address: string, own: ReadonlySet<string>, known: ReadonlySet<string>): readonly string[] {
  const unusable = whyUnusable(address);
  if (unusable !== undefined) return [`${JSON.stringify(address)} ${unusable}`];
  const canonical = canonicalAddress(address) ?? address;
  return [
    ...(own.has(canonical) ? [`${canonical} is an address of this gateway's own`] : []),
    ...(known.has(canonical) ? [`${canonical} is there already`] : []),
  ];
}

function isBetween(value: number, low: number, high: number): boolean {
  return Number.isInteger(value) && value >= low && value <= high;
}
