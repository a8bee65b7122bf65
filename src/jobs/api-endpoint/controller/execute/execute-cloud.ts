// Carries out what the planner decided about the cloud: each executor sends one request, and answers or throws. What is remembered of
// it, and learnt from the answer, is the memory's business.

import { isOpenStackError, type OpenStackError } from "../../../../core/openstack/openstack-error.ts";
import type { Executors, Writer } from "../../../../engine/feature.ts";
import type { CloudWriteOptions, OpenStackProject } from "../../../../ports/openstack.ts";
import { type CloudAction, type CloudAnswer, isRefusal } from "../../core/model/lessons.ts";
import type { Addressed } from "../addressed.ts";
import type { CloudMemory } from "../memory.ts";
import { failoverUnavailable, floatingIpHeld, mayStillArrive, tagsUnavailable } from "./cloud-refusals.ts";
import { mergeOne } from "./merge-one-member.ts";

/** Without an answer it is done. */
type Request<A> = (action: A, project: OpenStackProject, call: CloudWriteOptions) => Promise<CloudAnswer | undefined>;

export function executeCloud(memory: CloudMemory): Executors<Addressed<CloudAction>> {
  return Object.fromEntries(
    Object.entries(requests).map(([kind, request]) => [kind, executorOf(request, memory)]),
  ) as Executors<Addressed<CloudAction>>;
}

function executorOf(request: Request<never>, memory: CloudMemory) {
  return async (action: Addressed<CloudAction>, { signal, fence }: Writer): Promise<void> => {
    try {
      await memory.send(action, (project) => request(action as never, project, { signal, fence }));
    } catch (error) {
      throw isOpenStackError(error) ? inOurWords(action, error) : error;
    }
  };
}

function inOurWords(action: CloudAction, error: OpenStackError): Error {
  if (action.kind === "failover-load-balancer" && isRefusal(action, error.code))
    return failoverUnavailable(action.name, error);
  if (action.kind === "delete-floating-ip") return floatingIpHeld(action.address, "delete", error);
  if (action.kind === "detach-floating-ip") return floatingIpHeld(action.address, "detach", error);
  return error.code === "Timeout" && wouldBeTwice(action) ? mayStillArrive(error) : error;
}

/** A second floating IP on a port is refused; one on no port is not. */
function wouldBeTwice(action: CloudAction): boolean {
  if (action.kind === "create-floating-ip") return action.wanted.portId === undefined;
  return action.kind === "create-load-balancer";
}

const requests: { readonly [K in CloudAction["kind"]]: Request<Extract<CloudAction, { readonly kind: K }>> } = {
  "create-load-balancer": async ({ wanted }, { octavia }, call) => {
    await octavia.createLoadBalancer(wanted, call);
  },
  "update-load-balancer": async ({ id, change }, { octavia }, call) => {
    await octavia.updateLoadBalancer(id, change, call);
  },
  "delete-load-balancer": async ({ id }, { octavia }, call) => {
    await octavia.deleteLoadBalancer(id, call);
  },
  "failover-load-balancer": async ({ id }, { octavia }, call) => {
    await octavia.failoverLoadBalancer(id, call);
  },
  "create-listener": async ({ wanted }, { octavia }, call) => {
    await octavia.createListener(wanted, call);
  },
  "update-listener": async ({ id, change }, { octavia }, call) => {
    await octavia.updateListener(id, change, call);
  },
  "delete-listener": async ({ id }, { octavia }, call) => {
    await octavia.deleteListener(id, call);
  },
  "create-pool": async ({ wanted }, { octavia }, call) => {
    await octavia.createPool(wanted, call);
  },
  "update-pool": async ({ id, change }, { octavia }, call) => {
    await octavia.updatePool(id, change, call);
  },
  "delete-pool": async ({ id }, { octavia }, call) => {
    await octavia.deletePool(id, call);
  },
  "create-monitor": async ({ wanted }, { octavia }, call) => {
    await octavia.createHealthMonitor(wanted, call);
  },
  "delete-monitor": async ({ id }, { octavia }, call) => {
    await octavia.deleteHealthMonitor(id, call);
  },
  "update-monitor": async ({ id, change }, { octavia }, call) => {
    await octavia.updateHealthMonitor(id, change, call);
  },
  "merge-members": async ({ poolId, members, batch }, { octavia }, call) => {
    if (batch)
      try {
        await octavia.mergeMembers(poolId, members, call);
        return "done";
      } catch (error) {
        if (!isOpenStackError(error, "Unsupported")) throw error;
      }
    await mergeOne(octavia, poolId, members, call);
    return "done-singly";
  },
  "remove-member": async ({ poolId, id }, { octavia }, call) => {
    await octavia.deleteMember(poolId, id, call);
  },
  "create-floating-ip": async ({ wanted }, { neutron }, call) => {
    await neutron.createFloatingIp(wanted, call);
  },
  "attach-floating-ip": async ({ id, portId, seen }, { neutron }, call) => {
    await neutron.updateFloatingIp(id, { portId }, { ...call, seen });
  },
  "detach-floating-ip": async ({ id, seen }, { neutron }, call) => {
    await neutron.updateFloatingIp(id, { portId: null }, { ...call, seen });
  },
  "tag-floating-ip": async ({ id, address, tags }, { neutron }, call) => {
    try {
      await neutron.replaceTags("floatingips", id, tags, call);
    } catch (error) {
      if (!isOpenStackError(error, "NotFound")) throw error;
      const there = await neutron.listFloatingIps({ addresses: [address] }, call);
      throw there.some((one) => one.id === id) ? tagsUnavailable(error) : error;
    }
  },
  "delete-floating-ip": async ({ id, seen }, { neutron }, call) => {
    await neutron.deleteFloatingIp(id, { ...call, seen });
  },
};
