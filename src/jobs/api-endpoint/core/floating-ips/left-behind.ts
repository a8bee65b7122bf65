// Floating IPs are switched off, and a balancer that still had one is gone or was made again: the floating IP went off with it, and nobody
// said that people no longer come through it. It is kept until somebody deletes it or attaches it again. Whoever takes it off a balancer that
// stays means it, and then it is released. Status remembers it, because the balancer that had it is soon forgotten.

import type { EndpointObserved } from "../model/observed.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { recordedOf } from "../situation/places.ts";

export function addressLeftBehind(
  { role, zone, seen }: Pick<WantedBalancer, "role" | "zone" | "seen">,
  observed: EndpointObserved,
): string | undefined {
  // What status says of the single balancer is the first zone's where there are zones.
  if (observed.intent.floatingIp.enabled || role === "fallback") return undefined;
  const before = recordedOf(observed, zone);
  const isOfAnother = before?.id !== seen?.balancer.id || before?.isAddressDetached === true;
  const address = before?.keptAddress ?? (isOfAnother ? before?.address : undefined);
  return address === undefined || !isStillLoose(address, seen?.balancer.vipPortId, observed) ? undefined : address;
}

/** While Neutron does not tell, it is as it was. */
function isStillLoose(address: string, vipPortId: string | undefined, { floatingIps }: EndpointObserved): boolean {
  if (!floatingIps.known) return true;
  const there = floatingIps.value.find((one) => one.address === address);
  return there !== undefined && (there.portId === undefined || there.portId !== vipPortId);
}
