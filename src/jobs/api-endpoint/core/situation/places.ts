// Where a balancer's VIP goes. An address never moves by itself: the balancer's own subnet counts first, then the one where status
// remembers a VIP, and only then what the selector leads to now. A filter that later leads elsewhere is reported and changes nothing; before
// there ever was a VIP it is simply followed.

import type { Unknown } from "../../../../core/known.ts";
import type { Network } from "../../../../core/openstack/neutron-objects.ts";
import type { Refusal } from "../../../../core/plan.ts";
import { type EndpointIntent, zonesOf } from "../model/intent.ts";
import type { EndpointObserved, Found, RecordedBalancer, RecordedDns } from "../model/observed.ts";
import { zoneRefusal } from "../model/zone-refusal.ts";

const blockField = "spec.apiServerLoadBalancer";

export interface Place {
  readonly subnetId: string | undefined;
  readonly networkId: string | undefined;
  /** Known only when the selector leads to this very subnet. */
  readonly cidr: string | undefined;
  /** Status remembers it: nothing is created before. */
  readonly recorded: boolean;
}

/** `unseen`: nothing says where, and Neutron could not be asked. */
export type Placed = PlacedOrRefused | { readonly unseen: Unknown };
type PlacedOrRefused = { readonly place: Place } | { readonly refusal: Omit<Refusal, "lane"> };

export function recordedOf({ recorded }: EndpointObserved, zone: string | undefined): RecordedBalancer | undefined {
  return zone === undefined ? recorded.single : recorded.zones.find((entry) => entry.zone === zone);
}

/** The memory of a zone's DNS records: as this process has it, else as status does. */
export function dnsBefore(observed: EndpointObserved, zone: string | undefined): RecordedDns | undefined {
  const own = observed.dnsMemory?.find((one) => one.zone === (zone ?? ""))?.memory;
  return own ?? recordedOf(observed, zone)?.dns;
}

/** What status says of the place, where that counts: there was a balancer. */
function bindingOf(observed: EndpointObserved, zone: string | undefined): RecordedBalancer | undefined {
  const memory = recordedOf(observed, zone);
  return memory?.id || memory?.internalAddress ? memory : undefined;
}

/** The subnet of a zone that has no balancer yet; undefined when nothing says. */
export function zoneSubnetId(observed: EndpointObserved, zone: string): string | undefined {
  return bindingOf(observed, zone)?.subnetId ?? resolved(observed, zone)?.id;
}

/** For a balancer that does not exist. Refusals are the controller's half of validation: what only Neutron knows. */
export function placeOf(observed: EndpointObserved, zone: string | undefined): Placed {
  const placed = zone === undefined ? placeOfSingle(observed) : placeOfZone(observed, zone);
  return "refusal" in placed && !observed.places.known ? { unseen: observed.places } : placed;
}

function placeOfZone(observed: EndpointObserved, zone: string): PlacedOrRefused {
  const memory = bindingOf(observed, zone);
  const subnet = resolved(observed, zone);
  const subnetId = memory?.subnetId ?? subnet?.id;
  if (subnetId === undefined) return { refusal: unresolvedSubnet(observed, zone) };
  const network = networkOf(observed);
  if (memory?.subnetId === undefined && subnet !== undefined && network === undefined)
    return { refusal: unresolvedNetwork(observed) };
  if (subnet?.id === subnetId && network !== undefined && subnet.networkId !== network.id)
    return {
      refusal: zoneRefusal(zone, {
        reason: "SubnetNotInNetwork",
        message: `subnet ${subnet.id} is in network ${subnet.networkId}, not in ${network.id}`,
      }),
    };
  const other = zoneWithSameSubnet(observed, zone, subnetId);
  if (other !== undefined)
    return {
      refusal: { reason: "SubnetDuplicate", message: `zones ${zone} and ${other} both lead to subnet ${subnetId}` },
    };
  return {
    place: {
      subnetId,
      networkId: memory?.networkId ?? network?.id ?? subnet?.networkId,
      cidr: subnet?.id === subnetId ? subnet.cidr : undefined,
      recorded: recordedOf(observed, zone)?.subnetId === subnetId,
    },
  };
}

/** Without a subnet of its own Octavia picks one of the network's, as it always did. */
function placeOfSingle(observed: EndpointObserved): PlacedOrRefused {
  const memory = bindingOf(observed, undefined);
  const places = observed.places.known ? observed.places.value : undefined;
  const found = places?.singleSubnet;
  const subnet = found?.found === "one" ? found.value : undefined;
  const subnetId = memory?.subnetId ?? subnet?.id;
  if (subnetId === undefined && found !== undefined && found.found !== "one")
    return { refusal: { reason: "SubnetUnresolved", message: `${blockField}.subnets[0]: ${found.message}` } };
  const network = networkOf(observed);
  if (subnet?.id === subnetId && subnet !== undefined && network !== undefined && subnet.networkId !== network.id)
    return {
      refusal: {
        reason: "SubnetNotInNetwork",
        message: `subnet ${subnet.id} is in network ${subnet.networkId}, not in ${network.id}`,
      },
    };
  const networkId = memory?.networkId ?? network?.id ?? subnet?.networkId;
  if (networkId === undefined && subnetId === undefined) return { refusal: unresolvedNetwork(observed) };
  const written = recordedOf(observed, undefined);
  const recorded = subnetId === undefined ? written?.networkId === networkId : written?.subnetId === subnetId;
  return { place: { subnetId, networkId, cidr: subnet?.id === subnetId ? subnet?.cidr : undefined, recorded } };
}

/** Where a mapped zone's selector leads elsewhere than its VIP is, or nowhere any more: reported, and left as it is. */
export function movedSubnet(
  observed: EndpointObserved,
  zone: string,
  subnetId: string,
): Omit<Refusal, "lane"> | undefined {
  const found = observed.places.known ? observed.places.value.zoneSubnets.get(zone) : undefined;
  if (found === undefined || (found.found === "one" && found.value.id === subnetId)) return undefined;
  const leads = found.found === "one" ? `leads to subnet ${found.value.id}` : found.message;
  const message = `the VIP stays in subnet ${subnetId}; the mapping ${leads}`;
  return zoneRefusal(zone, { reason: "SubnetMoved", message });
}

function resolved(
  observed: EndpointObserved,
  zone: string,
): { id: string; networkId: string; cidr: string } | undefined {
  const found = observed.places.known ? observed.places.value.zoneSubnets.get(zone) : undefined;
  return found?.found === "one" ? found.value : undefined;
}

/** Another zone with the same subnet, by its balancer, by memory or by selector. */
function zoneWithSameSubnet(observed: EndpointObserved, zone: string, subnetId: string): string | undefined {
  return zonesOf(observed.intent).find(
    (other) => other.zone !== zone && zoneSubnetId(observed, other.zone) === subnetId,
  )?.zone;
}

function networkOf(observed: EndpointObserved): Network | undefined {
  const found = networkFound(observed);
  return found?.found === "one" ? found.value : undefined;
}

function networkFound({ places, intent }: EndpointObserved): Found<Network> | undefined {
  if (!places.known) return undefined;
  return intent.network === undefined ? places.value.clusterNetwork : places.value.network;
}

/** The field that a person corrects when the balancers' network is not found. */
export function networkField({ network, clusterNetwork, clusterSubnets }: EndpointIntent): string {
  if (network === undefined && clusterNetwork !== undefined) return "spec.network";
  return network === undefined && clusterSubnets.length > 0 ? "spec.subnets" : `${blockField}.network`;
}

function unresolvedNetwork(observed: EndpointObserved): Omit<Refusal, "lane"> {
  return {
    reason: "NetworkUnresolved",
    message: `${networkField(observed.intent)}: ${messageOf(networkFound(observed))}`,
  };
}

function unresolvedSubnet({ places, intent }: EndpointObserved, zone: string): Omit<Refusal, "lane"> {
  const found = places.known ? places.value.zoneSubnets.get(zone) : undefined;
  const index = zonesOf(intent).findIndex((mapping) => mapping.zone === zone);
  const field = index < 0 ? "" : `${blockField}.availabilityZoneSubnets[${index}].subnet: `;
  return zoneRefusal(zone, { reason: "SubnetUnresolved", message: `${field}${messageOf(found)}` });
}

function messageOf(found: Found<unknown> | undefined): string {
  return found === undefined || found.found === "one" ? "nothing says which" : found.message;
}
