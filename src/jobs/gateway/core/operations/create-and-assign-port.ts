// CreateAndAssignPort: a port for an address that is needed, a floating IP on it where clients use one, and the pairs on the gateways' own
// ports. Each is marked as ours in the call that makes it. What fails concerns those Services alone that wait for it.

import { byText } from "../../../../core/by-text.ts";
import { canonicalAddress } from "../../../../core/net/ip.ts";
import type { FloatingIp } from "../../../../core/openstack/neutron-objects.ts";
import type { Assignment } from "../allocation/claim.ts";
import { addressLane, type CloudAction } from "../model/actions.ts";
import { type NeutronAddress, needsFloatingIp } from "../situation/addresses.ts";
import { isAdoptable, poolMark } from "../situation/marks.ts";
import type { ServiceTarget, Situation } from "../situation/situation.ts";

export function createAndAssignPorts(situation: Situation): readonly CloudAction[] {
  const { addresses, observed } = situation;
  if (addresses === undefined || observed.neutron === undefined || !observed.clusterId.known) return [];
  const mark = poolMark(observed.clusterId.value, observed.pool.metadata.name);
  const waiting = waitingFor(situation.targets);
  return [
    ...newPorts(situation, mark),
    ...adoptions(situation, addresses, waiting, mark),
    ...floatingIps(situation, addresses, waiting, mark),
  ];
}

/** Services by the id of the address that they have. */
function waitingFor(targets: readonly ServiceTarget[]): ReadonlyMap<string, readonly ServiceTarget[]> {
  const found = new Map<string, ServiceTarget[]>();
  for (const target of targets) for (const { id } of target.known) found.set(id, [...(found.get(id) ?? []), target]);
  return found;
}

function newPorts({ targets, spec, observed }: Situation, mark: string): readonly CloudAction[] {
  const { neutron } = observed;
  const subnets = neutron?.known === true ? neutron.value.subnets : [];
  const bySlot = new Map<string, Assignment[]>();
  for (const { places } of targets)
    for (const one of places)
      if (one.place.kind === "new") bySlot.set(one.place.slot, [...(bySlot.get(one.place.slot) ?? []), one]);
  return [...bySlot].flatMap(([slot, assignments]): readonly CloudAction[] => {
    const place = assignments[0]?.place;
    if (place?.kind !== "new") return [];
    const subnetId = spec.addresses?.neutron?.subnets?.[place.family === 4 ? "ipv4" : "ipv6"]?.id ?? "";
    const subnet = subnets.find(({ id }) => id === subnetId);
    if (subnet === undefined) return [];
    const services = assignments.map(({ service }) => service).toSorted();
    return [
      {
        kind: "create-port",
        pool: observed.pool.metadata.name,
        slot,
        networkId: subnet.networkId,
        subnetId,
        mark,
        services,
        ...(place.requested === undefined ? {} : { requested: place.requested }),
        lane: addressLane(slot),
        words: `create a port for ${services.join(", ")}`,
        because: "AddressNeeded",
      },
    ];
  });
}

function adoptions(
  { observed }: Situation,
  addresses: readonly NeutronAddress[],
  waiting: ReadonlyMap<string, readonly ServiceTarget[]>,
  mark: string,
): readonly CloudAction[] {
  return addresses
    .filter(({ id }) => waiting.has(id))
    .flatMap(({ id, address, port, floatingIp, isOurs }) => {
      const of = { kind: "mark-address", pool: observed.pool.metadata.name, mark, because: "AddressUnmarked" } as const;
      const words = `mark ${address} as Mainstay's`;
      const lane = addressLane(id);
      const marks: CloudAction[] = [];
      if (!isOurs) marks.push({ ...of, resource: "port", objectId: id, address, seen: port, lane, words });
      if (floatingIp !== undefined && isAdoptable(floatingIp))
        marks.push({ ...of, resource: "floating IP", objectId: floatingIp.id, address, seen: floatingIp, lane, words });
      return marks;
    });
}

function floatingIps(
  { spec, observed }: Situation,
  addresses: readonly NeutronAddress[],
  waiting: ReadonlyMap<string, readonly ServiceTarget[]>,
  mark: string,
): readonly CloudAction[] {
  const networkId = spec.addresses?.neutron?.floatingIPs?.networkID;
  if (networkId === undefined || observed.neutron?.known !== true) return [];
  const own = new Set(addresses.map(({ id }) => id));
  const spare = observed.neutron.value.floatingIps
    .filter(({ portId }) => portId === undefined || !own.has(portId))
    .toSorted(byText(({ address }) => address));
  const lacking = addresses.filter(
    ({ id, address, floatingIp }) =>
      waiting.has(id) && floatingIp === undefined && needsFloatingIp(address, spec.addresses),
  );
  return lacking.map((one): CloudAction => {
    const services = (waiting.get(one.id) ?? []).map(({ served }) => served.key);
    const used = (waiting.get(one.id) ?? []).flatMap(({ served }) => served.ask.claim.published);
    const found = takeSpare(spare, used);
    const of = { pool: observed.pool.metadata.name, portId: one.id, services, lane: addressLane(one.id) };
    const because = "PublicAddressMissing";
    if (found !== undefined) {
      const words = `attach floating IP ${found.address} to ${one.address}`;
      const { id: floatingIpId, address } = found;
      return { kind: "attach-floating-ip", ...of, floatingIpId, address, seen: found, words, because };
    }
    const preferred = used.find((text) => canonicalAddress(text) !== one.address);
    const words = `create a floating IP for ${one.address}`;
    const more = preferred === undefined ? {} : { preferred };
    return { kind: "create-floating-ip", ...of, address: one.address, networkId, mark, ...more, words, because };
  });
}

/** The one that clients know, wherever somebody attached it; else one that nobody uses. */
function takeSpare(spare: FloatingIp[], used: readonly string[]): FloatingIp | undefined {
  const wanted = spare.findIndex(({ address }) => used.includes(address));
  const place = wanted >= 0 ? wanted : spare.findIndex(({ portId }) => portId === undefined);
  return place < 0 ? undefined : spare.splice(place, 1)[0];
}
