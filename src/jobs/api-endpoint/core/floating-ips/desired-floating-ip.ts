// What the floating IP of a wanted balancer should be like: marks by which it is found, and its address where the user names one.

import { isIpLiteral, sameAddress } from "../../../../core/net/ip.ts";
import { zonesOf } from "../model/intent.ts";
import { floatingIpDescription } from "../model/names.ts";
import { tagsFor } from "../model/ownership.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import type { Situation } from "../situation/situation.ts";

export interface DesiredFloatingIp {
  readonly description: string;
  readonly tags: readonly string[];
  readonly address?: string;
}

export function desireFloatingIp(wanted: WantedBalancer, situation: Situation): DesiredFloatingIp | undefined {
  const { intent, ownerId, userTags } = situation;
  if (!intent.floatingIp.enabled) return undefined;
  const address = namedAddress(wanted, situation);
  return {
    description: floatingIpDescription(ownerId, wanted.zone),
    tags: tagsFor({ ownerId, zone: wanted.zone, role: "floating-ip" }, userTags.wanted),
    ...(address === undefined ? {} : { address }),
  };
}

/** `apiServerFloatingIP` is one address: among zones it is the first one's. Without zones an endpoint that is an address names it too. */
function namedAddress({ role, zone, seen }: WantedBalancer, { intent }: Situation): string | undefined {
  if (role === "zone" && zonesOf(intent)[0]?.zone !== zone) return undefined;
  if (intent.floatingIp.address !== undefined) return intent.floatingIp.address;
  const host = intent.endpoint?.host ?? "";
  const isOwnVip = seen !== undefined && sameAddress(seen.balancer.vipAddress, host);
  return role === "single" && isIpLiteral(host) && !isOwnVip ? host : undefined;
}
