// Where a VIP lives: the subnet asked for, or the first IPv4 subnet of the network with room; and the port that holds its address.

import type { CreateLoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import type { Cloud } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import type { Caller } from "../keystone/directory.ts";
import { newPort } from "../neutron/new-port.ts";
import { seesNetwork, seesSubnet } from "../neutron/visible.ts";
import type { ProviderRules } from "./provider-rules.ts";

export interface VipPlace {
  readonly networkId: string;
  readonly subnetId: string;
  readonly address?: string;
}

export function resolveVip(cloud: Cloud, caller: Caller, wanted: CreateLoadBalancer): VipPlace {
  const { vipNetworkId, vipSubnetId, vipAddress } = wanted;
  const address = vipAddress === undefined ? {} : { address: vipAddress };
  if (vipNetworkId === undefined) {
    if (vipSubnetId === undefined)
      refuse(400, "Validation failure: VIP must contain one of: vip_port_id, vip_network_id, vip_subnet_id.");
    const subnet = cloud.tables.subnets.get(vipSubnetId);
    if (subnet === undefined || !seesSubnet(cloud, caller, subnet)) refuse(400, `Subnet ${vipSubnetId} not found.`);
    return { networkId: subnet.networkId, subnetId: subnet.id, ...address };
  }
  const network = cloud.tables.networks.get(vipNetworkId);
  if (network === undefined || !seesNetwork(caller, network)) refuse(400, `Network ${vipNetworkId} not found.`);
  const subnets = cloud.tables.subnets.find(`network:${vipNetworkId}`);
  if (vipSubnetId !== undefined) {
    if (!subnets.some(({ id }) => id === vipSubnetId)) refuse(400, `Subnet ${vipSubnetId} not found.`);
    return { networkId: vipNetworkId, subnetId: vipSubnetId, ...address };
  }
  const chosen =
    vipAddress === undefined
      ? (subnets.find(({ ipVersion }) => ipVersion === 4) ?? subnets[0])
      : subnets.find(({ id }) => cloud.addresses.contains(id, vipAddress));
  if (chosen === undefined) refuse(400, "Validation failure: Supplied network does not contain a fitting subnet.");
  return { networkId: vipNetworkId, subnetId: chosen.id, ...address };
}

export interface VipPort extends VipPlace {
  readonly balancerId: string;
  readonly provider: string;
  readonly rules: ProviderRules;
}

/** Neutron's refusals come back as the provider's own failure: 500. */
export function createVipPort(
  cloud: Cloud,
  caller: Caller,
  { networkId, subnetId, address, balancerId, provider, rules }: VipPort,
): { readonly id: string; readonly address: string } {
  const failed = (text: string): never => refuse(500, `Provider '${provider}' reports error: ${text}`);
  if (address !== undefined && !cloud.addresses.contains(subnetId, address))
    failed(`IP address ${address} is not a valid IP for the specified subnet.`);
  if (address !== undefined && !cloud.addresses.take(subnetId, address))
    failed(`IP address ${address} already allocated in subnet ${subnetId}`);
  const taken = address ?? cloud.addresses.takeNext(subnetId) ?? failed(`No more IP addresses in subnet ${subnetId}`);
  const port = newPort({
    id: cloud.random.uuid(),
    name: rules.portName(balancerId),
    networkId,
    deviceId: rules.portOwner === "" ? "" : `lb-${balancerId}`,
    deviceOwner: rules.portOwner,
    fixedIps: [{ subnetId, address: taken }],
    projectId: caller.projectId,
  });
  cloud.tables.ports.insert(port);
  return { id: port.id, address: taken };
}
