// Who may connect to an endpoint, by the NetworkPolicies that ch-k8s-lbaas sends along. They are enforced where the client's address is
// still known. A forwarding has one list for all its endpoints: where they differ, a client must be allowed by each of them.

import {
  type AddressRange,
  type AddressRanges,
  addressRange,
  common,
  rangeText,
  without,
} from "../policies/client-ranges.ts";
import type { LbaasAllowed, LbaasConfig, LbaasForward, LbaasPolicy, LbaasPortFilter } from "./lbaas-config.ts";

export type AllowedSources = (forward: LbaasForward) => readonly string[] | undefined;

/** Undefined for a forward that no policy concerns. */
export function allowedSourcesBy({
  policies,
  assignments,
}: Pick<LbaasConfig, "policies" | "assignments">): AllowedSources {
  const byName = new Map(policies.map((policy) => [policy.name, policy]));
  const byAddress = new Map(assignments.map((assignment) => [assignment.address, assignment.policies]));
  return (forward) => {
    const ranges = forward.destinations
      .map((address): AddressRanges => {
        const names = byAddress.get(address);
        return names === undefined
          ? "any"
          : allowedByAny(
              names.map((name) => byName.get(name)),
              forward,
            );
      })
      .reduce(common, "any");
    return ranges === "any" ? undefined : [...new Set(ranges.map(rangeText))].toSorted();
  };
}

/** A policy that is named and not there allows nothing. */
function allowedByAny(policies: readonly (LbaasPolicy | undefined)[], forward: LbaasForward): AddressRanges {
  const entries = policies.flatMap((policy) => policy?.allowed ?? []).filter(({ ports }) => matches(ports, forward));
  return entries.some(({ blocks }) => blocks.length === 0) ? "any" : entries.flatMap(rangesOf);
}

function rangesOf({ blocks }: LbaasAllowed): readonly AddressRange[] {
  return blocks.flatMap(({ allow, except }) => {
    const range = addressRange(allow);
    const taken = except.map(addressRange).filter((one) => one !== undefined);
    return taken.reduce<readonly AddressRange[]>(
      (left, one) => left.flatMap((part) => without(part, one)),
      range === undefined ? [] : [range],
    );
  });
}

/** Policies count the endpoint's port, as Pods see it. */
function matches(filters: readonly LbaasPortFilter[], { protocol, destinationPort }: LbaasForward): boolean {
  if (filters.length === 0) return true;
  return filters.some(({ protocol: wanted, port, endPort }) => {
    if (wanted !== protocol) return false;
    return port === undefined || (destinationPort >= port && destinationPort <= (endPort ?? port));
  });
}
