// CleanUnusedPorts: ports and floating IPs that bear the pool's mark and that nobody uses. What this leader released itself goes as soon as no
// gateway carries it; what it only found waits, and goes after the gateways have been told everything. Floating IP before port.

import { byText } from "../../../../core/by-text.ts";
import type { FloatingIp } from "../../../../core/openstack/neutron-objects.ts";
import type { Refusal, Wait } from "../../../../core/plan.ts";
import { heldBy, isAllowed } from "../gateways/carried.ts";
import { addressLane, type CloudAction } from "../model/actions.ts";
import type { NeutronAddress } from "../situation/addresses.ts";
import type { Situation } from "../situation/situation.ts";
import { isUpToDate } from "./update-agents.ts";

export interface CleanResult {
  readonly actions: readonly CloudAction[];
  readonly waits: readonly Wait[];
  readonly refusals: readonly Refusal[];
  /** Addresses that may be taken off the gateways' ports. */
  readonly released: ReadonlySet<string>;
}

export function neededAddresses({ targets }: Situation): ReadonlySet<string> {
  return new Set(
    targets.flatMap(({ known, places }) => [
      ...known.map(({ address }) => address),
      ...places.flatMap(({ from }) => (from === undefined ? [] : [from.address])),
    ]),
  );
}

export function unusedAddresses(situation: Situation): readonly NeutronAddress[] {
  const needed = neededAddresses(situation);
  return (situation.addresses ?? []).filter(({ isOurs, address }) => isOurs && !needed.has(address));
}

/** On no port of ours. */
export function unusedFloatingIps({ observed, addresses }: Situation): readonly FloatingIp[] {
  if (observed.neutron?.known !== true || addresses === undefined) return [];
  const unattached = observed.neutron.value.floatingIps.filter(({ portId }) => portId === undefined);
  return unattached.toSorted(byText(({ id }) => id));
}

export function cleanUnusedPorts(situation: Situation, attached: ReadonlySet<string>): CleanResult {
  const waits: Wait[] = [];
  const refusals: Refusal[] = [];
  const actions: CloudAction[] = [];
  const released = new Set<string>();
  const { observed } = situation;
  if (observed.neutron?.known !== true) return { actions, waits, refusals, released };
  const pool = observed.pool.metadata.name;
  for (const one of unusedAddresses(situation)) {
    const leftMs = graceLeftMs(one.id, situation);
    if (leftMs > 0) {
      waits.push({ reason: "GraceAwaited", message: `${one.address} seems unused`, recheckAfterMs: leftMs });
      continue;
    }
    released.add(one.address);
    const holder = heldBy(one.address, observed);
    if (holder?.state.kind === "silent") refusals.push(quarantine(one.address, holder.gateway.name));
    else if (holder === undefined && !isAllowedSomewhere(one.address, situation)) actions.push(deletion(one, pool));
  }
  for (const floatingIp of unusedFloatingIps(situation)) {
    const { id, address } = floatingIp;
    const leftMs = graceLeftMs(address, situation);
    if (attached.has(id)) continue;
    if (leftMs > 0) waits.push({ reason: "GraceAwaited", message: `${address} seems unused`, recheckAfterMs: leftMs });
    else actions.push(floatingIpDeletion(floatingIp, pool));
  }
  return { actions, waits, refusals, released };
}

/** 0: it may go now. */
function graceLeftMs(name: string, situation: Situation): number {
  const { observed, isLeaving } = situation;
  if (isLeaving || observed.usedBefore.has(name)) return 0;
  const leftMs = observed.graceMs - (observed.unusedForMs.get(name) ?? 0);
  return leftMs > 0 ? leftMs : isUpToDate(situation) ? 0 : askAgainMs;
}

const askAgainMs = 10_000;

function isAllowedSomewhere(address: string, { observed }: Situation): boolean {
  return observed.gateways.some((gateway) => {
    if (gateway.external?.known === true && gateway.external.value.hasPortSecurity === false) return false;
    return gateway.external !== undefined && isAllowed(gateway, address) !== false;
  });
}

function quarantine(address: string, gateway: string): Refusal {
  const hint = "it stays until the gateway answers, or is removed from the pool";
  return { reason: "AddressQuarantined", message: `${address} may still be carried by gateway ${gateway}; ${hint}` };
}

function deletion({ id, address, port, floatingIp }: NeutronAddress, pool: string): CloudAction {
  if (floatingIp !== undefined && floatingIp.description === port.description)
    return floatingIpDeletion(floatingIp, pool);
  return {
    kind: "delete-port",
    pool,
    portId: id,
    address,
    seen: port,
    lane: addressLane(id),
    words: `delete port ${id} (${address})`,
    removes: `port ${address}`,
    because: "AddressUnused",
  };
}

function floatingIpDeletion(seen: FloatingIp, pool: string): CloudAction {
  const { id: floatingIpId, address, portId } = seen;
  return {
    kind: "delete-floating-ip",
    pool,
    floatingIpId,
    address,
    seen,
    lane: addressLane(portId ?? floatingIpId),
    words: `delete floating IP ${address}`,
    removes: `floating IP ${address}`,
    because: "AddressUnused",
  };
}
