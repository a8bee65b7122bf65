// What an allowed change of the block will cost, said while the person who makes it still looks: which balancers and addresses go, and
// when. Nothing is refused for it.

import { isEnabled, mappingsOf } from "./api-server-load-balancer.ts";
import type { BlockChange } from "./api-server-load-balancer-update.ts";

/** Each in a sentence of its own: API servers cut warnings that are longer than 256 characters. */
export function blockUpdateWarnings(change: BlockChange): readonly string[] {
  const { before, after, at } = change;
  if (!isEnabled(before)) return [];
  if (!isEnabled(after)) return switchedOff(change);
  const [was, is] = [zonesOf(before), zonesOf(after)];
  const gone = was.filter((zone) => !is.includes(zone));
  if (gone.length === 0) return [];
  const zones = `${at}.availabilityZoneSubnets`;
  if (is.length === 0)
    return [
      `${zones}: no zone is mapped any more: one balancer keeps its address and gets all machines, the others go`,
    ];
  return [
    ...gone.flatMap((zone) => zoneGone(change, zone)),
    ...(is.length === 1 ? [`${zones}: only ${is[0]} is left: when it fails, nobody reaches the API`] : []),
  ];
}

function switchedOff(change: BlockChange): readonly string[] {
  const addresses = addressesOf(change, zonesOf(change.before));
  return [
    `${change.at}: balancers are switched off: they are deleted with their addresses${addresses}`,
    `${change.at}: the last balancer that serves stays until the annotation mainstay.dev/remove-legacy agrees to its removal`,
  ];
}

function zoneGone(change: BlockChange, zone: string): readonly string[] {
  const { after, at } = change;
  const where = `${at}.availabilityZoneSubnets`;
  const addresses = addressesOf(change, [zone]);
  return [
    `${where}: ${zone} goes: its balancer leaves the DNS records, then it is deleted with its addresses${addresses}`,
    ...(after?.allowCrossAZLoadBalancerMembers === true
      ? []
      : [`${where}: machines in ${zone} stay, and will be behind no balancer`]),
  ];
}

function zonesOf(block: BlockChange["before"]): readonly string[] {
  return mappingsOf(block).map(({ availabilityZone }) => availabilityZone);
}

/** As status knows them; nothing before they are. */
function addressesOf({ recorded: { zones, single } }: BlockChange, wanted: readonly string[]): string {
  const found = wanted.length === 0 ? [single] : zones.filter(({ availabilityZone: zone }) => wanted.includes(zone));
  const addresses = found.flatMap((one) => one?.ip ?? one?.internalIP ?? []);
  return addresses.length === 0 ? "" : ` (${addresses.join(", ")})`;
}
