// Where the cluster's machines are, as far as anybody says: for access lists and for members' subnets. What is named and not found is not
// the same as nothing: whoever lives there would be locked out of a list that is made without it.

import { isInside } from "../../../../core/net/ip.ts";
import type { Subnet } from "../../../../core/openstack/neutron-objects.ts";
import type { Refusal } from "../../../../core/plan.ts";
import type { Places } from "../model/observed.ts";
import { supports } from "../model/provider-features.ts";
import { existingBalancers } from "./assignment.ts";
import { networkField } from "./places.ts";
import { type Situation } from "./situation.ts";

/** What of the cluster's own places leads to none or to many, or could not be read: in words. */
export function unresolvedNodes({ clusterNetwork, network, clusterUnresolved }: Places): readonly string[] {
  const found = clusterNetwork ?? network;
  if (found === undefined) return ["neither a network of the cluster nor of the balancers is named"];
  return [...new Set([...(found.found === "one" ? [] : [found.message]), ...clusterUnresolved.toSorted()])];
}

/** Whose machines may connect beside the user's list: where no network is named, those in the balancers' own. */
export function nodeSubnets(places: Places): readonly Subnet[] {
  return isUnnamed(places) ? places.knownSubnets : places.clusterSubnets;
}

export function nodePlaceRefusals(situation: Situation): readonly Refusal[] {
  const { places } = situation.observed;
  if (!places.known || situation.assignment.wanted.length === 0) return [];
  const unresolved = unresolvedNodes(places.value);
  if (unresolved.length > 0) {
    const stays = hasList(situation) ? "access lists stay as they are, and " : "";
    const message = `the network of the machines: ${unresolved.join("; ")}. Until it is found, ${stays}machines there may be put behind no balancer. Correct ${nodeFields(situation)}`;
    return [{ reason: "NodePlaceUnresolved", message }];
  }
  return isUnnamed(places.value) && hasList(situation) ? [unnamed(places.value, situation)] : [];
}

/** Where the machines' network is not named, the balancers' stands for it. */
function nodeFields({ intent }: Situation): string {
  const isNamed = intent.clusterNetwork !== undefined || intent.clusterSubnets.length > 0;
  return isNamed ? "spec.network and spec.subnets, or name them by id" : `${networkField(intent)}, or name it by id`;
}

function isUnnamed({ clusterNetwork }: Places): boolean {
  return clusterNetwork === undefined;
}

/** The user's list is on listeners, or will be. */
function hasList(situation: Situation): boolean {
  const { capabilities } = situation.observed;
  return (
    situation.intent.allowedCidrs.length > 0 &&
    capabilities.known &&
    existingBalancers(situation.assignment).some(({ seen }) =>
      supports(capabilities.value, seen.balancer.provider, "allowed-cidrs"),
    )
  );
}

function unnamed(places: Places, { observed, intent }: Situation): Refusal {
  const subnets = nodeSubnets(places).map(({ cidr }) => cidr);
  const own = [...subnets, ...places.routerAddresses].toSorted();
  const isLetIn = (address: string) => [...intent.allowedCidrs, ...own].some((cidr) => isInside(address, cidr));
  const outside = observed.machines
    .filter(({ addresses }) => addresses.length > 0 && !addresses.some(isLetIn))
    .map(({ name, addresses }) => `${name} (${addresses.toSorted().join(", ")})`)
    .toSorted();
  const beside = own.length === 0 ? "nobody is let in" : `${own.join(", ")} of the balancers' network are let in`;
  const locked = outside.length === 0 ? "" : `; machines that are not: ${outside.join(", ")}`;
  return {
    reason: "NodeNetworkUnnamed",
    message: `allowedCIDRs: nothing says where the machines are, so beside the list ${beside}${locked}; name their network in spec.network, or their subnets in spec.subnets`,
  };
}
