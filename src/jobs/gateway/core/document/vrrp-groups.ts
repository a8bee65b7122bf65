// The groups of a pool as gateways are told them, and which addresses move with which group. An address stays in its group for as long as
// that exists: in another one its connections would come from other source addresses.

import { byText } from "../../../../core/by-text.ts";
import { advertIntervalOf, type GatewayPoolSpec, virtualRouterIdOf } from "../../apis/gateway-pool.ts";
import type { VirtualAddress, VrrpGroup, VrrpSettings } from "../model/document.ts";

export function vrrpSettings({ vrrp, gateways = [] }: GatewayPoolSpec): VrrpSettings {
  const speaking = gateways.flatMap(({ name, vrrpAddress }) => (vrrpAddress ? [[name, vrrpAddress] as const] : []));
  return {
    mode: vrrp?.mode === "Compat" ? "compat" : "vrrp3",
    advertIntervalMs: vrrp === undefined ? 0 : advertIntervalOf(vrrp),
    unicast: speaking.length === gateways.length ? Object.fromEntries(speaking) : {},
  };
}

export function vrrpGroups({ vrrp, gateways = [] }: GatewayPoolSpec): readonly VrrpGroup[] {
  const names = gateways.map(({ name }) => name);
  const groups = vrrp?.groups ?? [];
  const led = groups.map(({ order = [] }, place) => order[0] ?? names[place % names.length]);
  return groups.map(({ name, sourceAddresses = [], order = [] }, place) => ({
    name,
    virtualRouterId: vrrp === undefined ? 0 : virtualRouterIdOf(vrrp, place),
    order: [...new Set([...order, ...succession(names, place, led)])].filter((gateway) => names.includes(gateway)),
    sourceAddresses,
  }));
}

/** Each group has another leader, and is taken over by whoever leads fewest: then those after its leader. */
function succession(names: readonly string[], place: number, led: readonly (string | undefined)[]): readonly string[] {
  const start = names.length === 0 ? 0 : place % names.length;
  const [leader, ...others] = [...names.slice(start), ...names.slice(0, start)];
  const groupsOf = (gateway: string) => led.filter((one) => one === gateway).length;
  return leader === undefined ? [] : [leader, ...others.toSorted((a, b) => groupsOf(a) - groupsOf(b))];
}

/** Whoever is new goes to the group with the fewest. */
export function spreadAddresses(
  addresses: Iterable<string>,
  groups: readonly VrrpGroup[],
  previous: readonly VirtualAddress[],
): readonly VirtualAddress[] {
  const wanted = new Set(addresses);
  const sizes = new Map(groups.map(({ name }) => [name, 0]));
  const join = (group: string) => sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const kept = previous.filter(({ address, group }) => wanted.has(address) && sizes.has(group));
  for (const { address, group } of kept) {
    join(group);
    wanted.delete(address);
  }
  const placed = [...wanted].toSorted().flatMap((address): readonly VirtualAddress[] => {
    const [smallest] = [...sizes].toSorted((a, b) => a[1] - b[1]);
    if (smallest === undefined) return [];
    join(smallest[0]);
    return [{ address, group: smallest[0] }];
  });
  return [...kept, ...placed].toSorted(byText(({ address }) => address));
}
