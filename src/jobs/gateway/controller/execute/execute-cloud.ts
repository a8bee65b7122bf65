// Carries out what the planner decided about Neutron: each executor makes one change, and the memory of what is there follows it. After a
// change whose end nobody knows, Neutron is asked again before anything else is decided.

import { MainstayError } from "../../../../core/errors.ts";
import type { AddressPair, PortSeen } from "../../../../core/openstack/neutron-objects.ts";
import { isOpenStackError } from "../../../../core/openstack/openstack-error.ts";
import type { Executors, Writer } from "../../../../engine/feature.ts";
import type { Neutron } from "../../../../ports/neutron.ts";
import type { CloudWriteOptions } from "../../../../ports/openstack.ts";
import type { CloudAction, CreateFloatingIp, SetAddressPairs } from "../../core/model/actions.ts";
import { lbaasTag } from "../../core/situation/marks.ts";
import type { NeutronMemory } from "../neutron/neutron-memory.ts";
import type { PoolMemories } from "../pool-memory.ts";

type Change<A> = (action: A, neutron: Neutron, call: CloudWriteOptions, memory: NeutronMemory) => Promise<void>;

export function executeCloud(memories: PoolMemories): Executors<CloudAction> {
  return Object.fromEntries(
    Object.entries(changes).map(([kind, change]) => [kind, executorOf(change as Change<CloudAction>, memories)]),
  ) as unknown as Executors<CloudAction>;
}

function executorOf(change: Change<CloudAction>, memories: PoolMemories) {
  return async (action: CloudAction, { signal, fence }: Writer): Promise<void> => {
    const memory = memories.of(action.pool).neutron;
    const { project } = memory;
    if (project === undefined) {
      const message = `GatewayPool ${action.pool}: no cloud is known for it yet`;
      throw new MainstayError({ reason: "PoolCredentialsUnusable", message });
    }
    try {
      await change(action, project.neutron, { signal, fence }, memory);
    } catch (error) {
      memory.doubt();
      throw error;
    }
  };
}

const changes: { readonly [K in CloudAction["kind"]]: Change<Extract<CloudAction, { readonly kind: K }>> } = {
  "create-port": async ({ networkId, subnetId, requested, mark, pool, slot }, neutron, call, memory) => {
    const wanted = {
      networkId,
      subnetId,
      name: `mainstay-${pool}`,
      description: mark,
      deviceId: slot,
      // Of ch-k8s-lbaas, so that it knows the port after a way back.
      tags: [lbaasTag],
      ...(requested === undefined ? {} : { address: requested }),
    };
    memory.port(await neutron.createPort(wanted, call));
  },
  "create-floating-ip": async (action, neutron, call, memory) => {
    memory.floatingIp(await createFloatingIp(action, neutron, call));
  },
  "attach-floating-ip": async ({ floatingIpId, portId, seen }, neutron, call, memory) => {
    memory.floatingIp(await neutron.updateFloatingIp(floatingIpId, { portId }, { ...call, seen }));
  },
  "mark-address": async ({ resource, objectId, mark, seen }, neutron, call, memory) => {
    const change = { description: mark };
    if (resource === "port")
      memory.port(await neutron.updatePort(objectId, change, { ...call, seen: seen as PortSeen }));
    else memory.floatingIp(await neutron.updateFloatingIp(objectId, change, { ...call, seen }));
  },
  "set-address-pairs": setAddressPairs,
  "delete-port": async ({ portId, seen }, neutron, call, memory) => {
    await neutron.deletePort(portId, { ...call, seen });
    memory.portGone(portId);
  },
  "delete-floating-ip": async ({ floatingIpId, seen }, neutron, call, memory) => {
    await neutron.deleteFloatingIp(floatingIpId, { ...call, seen });
    memory.floatingIpGone(floatingIpId);
  },
};

/** The address that clients know, where the cloud lets us choose. */
async function createFloatingIp(
  { networkId, portId, mark, preferred }: CreateFloatingIp,
  neutron: Neutron,
  call: CloudWriteOptions,
) {
  const wanted = { floatingNetworkId: networkId, portId, description: mark };
  if (preferred !== undefined) {
    try {
      return await neutron.createFloatingIp({ ...wanted, address: preferred }, call);
    } catch (error) {
      if (!isOpenStackError(error, "Forbidden", "Conflict", "BadRequest", "NotFound")) throw error;
    }
  }
  return await neutron.createFloatingIp(wanted, call);
}

/** Merged into what is there now: pairs of others stay. Where not all of them fit, as many as fit. */
async function setAddressPairs(
  { portId, add, remove }: SetAddressPairs,
  neutron: Neutron,
  call: CloudWriteOptions,
  memory: NeutronMemory,
): Promise<void> {
  const seen = memory.gatewayPort(portId) ?? (await neutron.getPort(portId, call));
  const kept = seen.allowedAddressPairs.filter(({ address }) => !remove.includes(address));
  const set = async (pairs: readonly AddressPair[]) =>
    memory.port(
      await neutron.updatePort(
        portId,
        { allowedAddressPairs: pairs },
        { ...call, seen: memory.gatewayPort(portId) ?? seen },
      ),
    );
  const more = add.map((address) => ({ address }));
  try {
    await set([...kept, ...more]);
  } catch (error) {
    if (!isOpenStackError(error, "QuotaExceeded") || more.length < 2) throw error;
    let pairs: readonly AddressPair[] = kept;
    for (const pair of more) {
      await set([...pairs, pair]);
      pairs = [...pairs, pair];
    }
  }
}
