// One look at the floating IPs of an object. Those on its VIPs are asked for each time, since they can be moved by hand; the rest only
// when nothing fresh is known of it, or something is no longer where it was.

import type { PortId } from "../../../../../core/openstack/ids.ts";
import type { FloatingIp } from "../../../../../core/openstack/neutron-objects.ts";
import type { NeutronReader } from "../../../../../ports/neutron.ts";
import type { CloudCallOptions } from "../../../../../ports/openstack.ts";
import type { BalancerObserved } from "../../../core/model/observed.ts";
import { isSought, queriesFor, type Seeking, soughtBy } from "./sought-floating-ips.ts";

export interface Looking extends Seeking {
  readonly balancers: readonly BalancerObserved[];
  readonly neutron: NeutronReader;
  readonly call: CloudCallOptions;
}

export interface Found {
  readonly all: readonly FloatingIp[];
  /** Not only those on our VIPs were asked for. */
  readonly isWhole: boolean;
}

export async function lookForFloatingIps(looking: Looking, fresh: readonly FloatingIp[] | undefined): Promise<Found> {
  const { neutron, call } = looking;
  const portIds = portIdsOf(looking);
  const attached = portIds.length === 0 ? [] : await neutron.listFloatingIps({ portIds }, call);
  const asBefore = fresh === undefined ? undefined : withAttached(fresh, attached, looking);
  if (asBefore !== undefined) return { all: asBefore, isWhole: false };
  const sought = soughtBy(looking);
  const found = await Promise.all(queriesFor(sought).map((query) => neutron.listFloatingIps(query, call)));
  return { all: unique([...found.flat().filter((one) => isSought(one, sought)), ...attached]), isWhole: true };
}

/**
 * What was known with what is on our VIPs now. Undefined: one that was on a VIP of ours and is not any more has gone somewhere, or one that
 * was elsewhere may be free by now: then all are asked for again. Without balancers a machine has it, and keeps it.
 */
export function withAttached(
  before: readonly FloatingIp[],
  attached: readonly FloatingIp[],
  { balancers, intent }: Looking,
): readonly FloatingIp[] | undefined {
  const ports = new Set(balancers.map(({ balancer }) => balancer.vipPortId));
  const isStillThere = ({ id, portId }: FloatingIp): boolean => {
    if (portId === undefined) return true;
    return ports.has(portId) ? attached.some((one) => one.id === id) : intent.mode === "none";
  };
  return before.every(isStillThere) ? unique([...before, ...attached]) : undefined;
}

export function portIdsOf({ balancers }: Pick<Looking, "balancers">): readonly PortId[] {
  return balancers.map(({ balancer }) => balancer.vipPortId).filter((id) => id !== "");
}

/** The last of several with one id counts. */
function unique(all: readonly FloatingIp[]): readonly FloatingIp[] {
  const byId = new Map(all.map((one) => [one.id, one]));
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
