// The address pairs of the gateways' own ports: what gateways carry is allowed there, and nothing of ours besides. Pairs of others stay. A
// gateway that does not answer loses the pairs of addresses that are released: what it still carries then reaches nobody.

import type { Port } from "../../../../core/openstack/neutron-objects.ts";
import { addressesIn } from "../gateways/carried.ts";
import { type CloudAction, gatewayLane } from "../model/actions.ts";
import type { GatewayObserved } from "../model/observed.ts";
import type { Situation } from "../situation/situation.ts";
import { neededAddresses } from "./clean-unused-ports.ts";

export function addressPairs(situation: Situation, released: ReadonlySet<string>): readonly CloudAction[] {
  if (situation.observed.neutron === undefined || situation.addresses === undefined) return [];
  return situation.observed.gateways.flatMap((gateway) => pairsOf(gateway, situation, released));
}

function pairsOf(
  gateway: GatewayObserved,
  situation: Situation,
  released: ReadonlySet<string>,
): readonly CloudAction[] {
  const { spec, isLeaving } = situation;
  const sources = (spec.vrrp?.groups ?? []).flatMap(({ sourceAddresses = [] }) => sourceAddresses);
  const needed = [...neededAddresses(situation)];
  const gone = [...released].filter((address) => mayLose(gateway, address));
  const goneSources = isLeaving && gateway.state.kind !== "awaited" ? sources : [];
  const inside = gateway.internal ?? gateway.external;
  const isOne = gateway.internal === undefined;
  const changes = [
    {
      part: gateway.external,
      add: [...needed, ...(isOne && !isLeaving ? sources : [])],
      gone: [...gone, ...(isOne ? goneSources : [])],
    },
    ...(isOne ? [] : [{ part: inside, add: isLeaving ? [] : sources, gone: goneSources }]),
  ];
  return changes.flatMap(({ part, add, gone: remove }) =>
    part?.known === true ? change(gateway.gateway.name, part.value, add, remove, situation) : [],
  );
}

/** Of a gateway that left the pool: all that are ours. */
export function pairsToTake(gateway: GatewayObserved, situation: Situation): readonly CloudAction[] {
  if (situation.observed.neutron === undefined || situation.addresses === undefined) return [];
  const sources = (situation.spec.vrrp?.groups ?? []).flatMap(({ sourceAddresses = [] }) => sourceAddresses);
  const { state } = gateway;
  const ours = [
    ...neededAddresses(situation),
    ...situation.addresses.map(({ address }) => address),
    ...(state.kind === "silent" ? state.mayCarry : []),
    ...sources,
  ];
  return [gateway.external, gateway.internal].flatMap((part) =>
    part?.known === true ? change(gateway.gateway.name, part.value, [], ours, situation) : [],
  );
}

/** Not while the gateway still carries it: its answers would be dropped before it has been told. */
function mayLose({ state }: GatewayObserved, address: string): boolean {
  if (state.kind === "awaited") return false;
  return state.kind === "silent" || !addressesIn(state.carried).has(address);
}

function change(
  gateway: string,
  port: Port,
  wanted: readonly string[],
  unwanted: readonly string[],
  { observed }: Situation,
): readonly CloudAction[] {
  if (port.hasPortSecurity === false) return [];
  const there = new Set(port.allowedAddressPairs.map(({ address }) => address));
  const add = [...new Set(wanted)].filter((address) => !there.has(address)).toSorted();
  const remove = [...new Set(unwanted)].filter((address) => there.has(address)).toSorted();
  if (add.length === 0 && remove.length === 0) return [];
  const because = add.length > 0 ? "PairsMissing" : "PairsUnneeded";
  return [
    {
      kind: "set-address-pairs",
      pool: observed.pool.metadata.name,
      gateway,
      portId: port.id,
      add,
      remove,
      lane: gatewayLane(gateway, port.id),
      words: `set address pairs of gateway ${gateway}: ${[...add.map((one) => `+${one}`), ...remove.map((one) => `-${one}`)].join(" ")}`,
      ...(remove.length > 0 ? { removes: `address pairs ${remove.join(", ")} of gateway ${gateway}` } : {}),
      because,
    },
  ];
}
