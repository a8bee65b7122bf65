// Where and how a new balancer is made: subnet, address, provider, flavor, zone. Hints that the cloud cannot follow are left out and
// reported: the subnet alone already says where the VIP goes. An address that it had before is asked for again, and never silently another.

import { isInside, isIpLiteral } from "../../../../core/net/ip.ts";
import type { CreateLoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import type { Refusal } from "../../../../core/plan.ts";
import { zonesOf } from "../model/intent.ts";
import type { Capabilities } from "../model/observed.ts";
import { isRefused, supports } from "../model/provider-features.ts";
import { zoneRefusal } from "../model/zone-refusal.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { type Place, recordedOf } from "../situation/places.ts";
import type { Situation } from "../situation/situation.ts";

/** What is chosen when a balancer is made, and cannot be changed. */
export type Placement = Omit<CreateLoadBalancer, "name" | "description" | "tags">;

export function placementIn(
  place: Place,
  wanted: WantedBalancer,
  capabilities: Capabilities,
  situation: Situation,
): Placement {
  const { intent } = situation;
  const { subnetId, networkId } = place;
  const provider = knownProvider(situation, capabilities);
  const flavorId = capabilities.flavors.find(({ name, enabled }) => enabled && name === intent.flavor)?.id;
  const zone = zoneHintOf(wanted, situation);
  const vipAddress = vipAddressOf(wanted, place, situation);
  return {
    // Some clouds forbid the network, and the subnet says it anyway.
    ...(subnetId === undefined
      ? networkId === undefined
        ? {}
        : { vipNetworkId: networkId }
      : { vipSubnetId: subnetId }),
    ...(vipAddress === undefined ? {} : { vipAddress }),
    ...(provider === undefined ? {} : { provider }),
    ...(flavorId === undefined ? {} : { flavorId }),
    ...(zone !== undefined && isZoneHint(zone, provider, capabilities) ? { availabilityZone: zone } : {}),
  };
}

/** Octavia's zones are the admin's own words: a hint is sent only when it is one of them. */
export function isZoneHint(zone: string, provider: string | undefined, capabilities: Capabilities): boolean {
  const feature = "availability-zone";
  return (
    capabilities.availabilityZones.includes(zone) &&
    supports(capabilities, provider, feature) &&
    !isRefused(capabilities.refused, { provider: provider ?? "", feature, zone })
  );
}

function zoneHintOf({ zone, role }: WantedBalancer, { intent }: Situation): string | undefined {
  if (role === "zone") return zone;
  return intent.mode === "single" ? intent.availabilityZone : undefined;
}

function knownProvider({ intent }: Situation, { providers }: Capabilities): string | undefined {
  return intent.provider !== undefined && providers.includes(intent.provider) ? intent.provider : undefined;
}

/** The one it had; else the user's, which among zones is the first one's; without floating IPs also the endpoint's own address. */
function vipAddressOf(wanted: WantedBalancer, { cidr }: Place, { observed, intent }: Situation): string | undefined {
  const before = recordedOf(observed, wanted.zone)?.internalAddress;
  if (before !== undefined && before !== "") return before;
  if (wanted.role === "zone") {
    const isFirst = zonesOf(intent)[0]?.zone === wanted.zone;
    return isFirst && intent.fixedIp !== undefined && isInside(intent.fixedIp, cidr ?? "") ? intent.fixedIp : undefined;
  }
  const host = intent.endpoint?.host ?? "";
  return intent.fixedIp ?? (!intent.floatingIp.enabled && isIpLiteral(host) ? host : undefined);
}

/** What was asked for and is not done, each once for the whole endpoint or its lane. */
export function hintRefusals(situation: Situation, capabilities: Capabilities): readonly Refusal[] {
  const { intent, assignment, observed } = situation;
  const provider = knownProvider(situation, capabilities);
  const first = zonesOf(intent)[0];
  const firstFound = observed.places.known ? observed.places.value.zoneSubnets.get(first?.zone ?? "") : undefined;
  const outside =
    intent.fixedIp !== undefined && firstFound?.found === "one" && !isInside(intent.fixedIp, firstFound.value.cidr);
  return [
    ...refuseIf(intent.provider !== undefined && provider === undefined, {
      reason: "ProviderNotFound",
      message: `provider ${intent.provider}: the cloud has ${capabilities.providers.toSorted().join(", ")}; its default is used`,
    }),
    ...refuseIf(
      intent.flavor !== undefined && !capabilities.flavors.some((f) => f.enabled && f.name === intent.flavor),
      {
        reason: "FlavorNotFound",
        message: `flavor ${intent.flavor}: the cloud has no enabled flavor of this name; its default is used`,
      },
    ),
    ...refuseIf(outside, {
      reason: "FixedIpIgnored",
      message: `apiServerFixedIP ${intent.fixedIp}: not in the subnet of the first zone ${first?.zone}; an address is chosen`,
    }),
    ...assignment.wanted.flatMap((wanted) => hintRefusal(wanted, situation, capabilities)),
  ];
}

function hintRefusal(wanted: WantedBalancer, situation: Situation, capabilities: Capabilities): readonly Refusal[] {
  const zone = zoneHintOf(wanted, situation);
  if (zone === undefined || wanted.role === "fallback") return [];
  const balancer = wanted.seen?.balancer;
  const { lane } = wanted;
  const reason = "ZoneHintIgnored";
  if (balancer === undefined) {
    const provider = knownProvider(situation, capabilities);
    const message = "Octavia has no such availability zone for this provider; the subnet alone places the balancer";
    if (isZoneHint(zone, provider, capabilities)) return [];
    // The single balancer's line does not name the zone that is asked for.
    const refusal =
      wanted.role === "zone"
        ? zoneRefusal(zone, { reason, message })
        : ({ reason, message: `zone ${zone}: ${message}` } as const);
    return [{ ...refusal, lane }];
  }
  if (balancer.availabilityZone === zone) return [];
  const has = balancer.availabilityZone === undefined ? "none" : balancer.availabilityZone;
  const message = `${balancer.name}: its Octavia availability zone is ${has}, not ${zone}, and cannot be changed`;
  return [{ reason, message, lane }];
}

function refuseIf(holds: boolean, refusal: Refusal): readonly Refusal[] {
  return holds ? [refusal] : [];
}
