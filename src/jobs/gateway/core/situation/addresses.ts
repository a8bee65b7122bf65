// The addresses of a pool: those that are ours already, and what may be handed out. In Neutron an address is a port's in the pool's subnet,
// found by the subnet and not by its place in a list.

import { byText } from "../../../../core/by-text.ts";
import { canonicalAddress, familyOf } from "../../../../core/net/ip.ts";
import type { FloatingIp, Port } from "../../../../core/openstack/neutron-objects.ts";
import type { GatewayPoolSpec } from "../../apis/gateway-pool.ts";
import type { AddressSupply, KnownAddress } from "../allocation/claim.ts";
import type { NeutronObserved } from "../model/observed.ts";
import { addressRanges } from "../pools/address-ranges.ts";
import { isAdoptable } from "./marks.ts";

/** An address in Neutron, with everything that it is made of. */
export interface NeutronAddress extends KnownAddress {
  readonly port: Port;
  readonly floatingIp?: FloatingIp;
  /** It bears our mark. */
  readonly isOurs: boolean;
}

export function neutronAddresses(spec: GatewayPoolSpec, seen: NeutronObserved): readonly NeutronAddress[] {
  const { ipv4, ipv6 } = spec.addresses?.neutron?.subnets ?? {};
  const subnets = [ipv4?.id, ipv6?.id].filter((id) => id !== undefined);
  const byPort = new Map(
    [...seen.namedFloatingIps.toSorted(byId), ...seen.floatingIps.toSorted(byId)].flatMap((one) =>
      one.portId ? [[one.portId, one] as const] : [],
    ),
  );
  const ours = seen.ports.flatMap((port) => addressOf(port, true, subnets, byPort));
  const known = new Set(ours.map(({ id }) => id));
  const adopted = seen.named.filter((port) => isAdoptable(port) && !known.has(port.id));
  return [...ours, ...adopted.flatMap((port) => addressOf(port, false, subnets, byPort))].toSorted(byId);
}

const byId = byText(({ id }: { readonly id: string }) => id);

function addressOf(
  port: Port,
  isOurs: boolean,
  subnets: readonly string[],
  byPort: ReadonlyMap<string, FloatingIp>,
): readonly NeutronAddress[] {
  const fixed = port.fixedIps.find(({ subnetId }) => subnets.includes(subnetId));
  const address = fixed === undefined ? undefined : canonicalAddress(fixed.address);
  if (address === undefined) return [];
  const floatingIp = byPort.get(port.id);
  const publicAddress = floatingIp === undefined ? undefined : canonicalAddress(floatingIp.address);
  return [
    {
      id: port.id,
      address,
      port,
      isOurs,
      ...(floatingIp === undefined ? {} : { floatingIp }),
      ...(publicAddress === undefined ? {} : { publicAddress }),
    },
  ];
}

export function supplyOf(
  spec: GatewayPoolSpec,
  known: readonly NeutronAddress[],
  subnets: NeutronObserved["subnets"],
): AddressSupply {
  const lists = spec.addresses?.static;
  if (lists !== undefined)
    return { kind: "static", ranges: addressRanges([...(lists.ipv4 ?? []), ...(lists.ipv6 ?? [])]) };
  return { kind: "neutron", known, subnets: addressRanges(subnets.map(({ cidr }) => cidr)) };
}

/** What clients use; undefined while it is not there. */
export function publicAddressOf(
  { address, publicAddress }: KnownAddress,
  { addresses }: GatewayPoolSpec,
): string | undefined {
  return needsFloatingIp(address, addresses) ? publicAddress : address;
}

/** Floating IPs are a matter of IPv4. */
export function needsFloatingIp(address: string, addresses: GatewayPoolSpec["addresses"]): boolean {
  return addresses?.neutron?.floatingIPs !== undefined && familyOf(address) === 4;
}
