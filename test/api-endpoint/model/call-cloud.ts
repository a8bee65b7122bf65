// The call of a cloud that an action of the planner stands for, as its executors make it.

import type { EndpointAction } from "../../../src/jobs/api-endpoint/core/model/action.ts";
import type { OpenStackProject } from "../../../src/ports/openstack.ts";

// oxlint-disable-next-line complexity -- one case for each kind of action
export async function callCloud({ octavia, neutron }: OpenStackProject, action: EndpointAction): Promise<unknown> {
  switch (action.kind) {
    case "create-load-balancer":
      return octavia.createLoadBalancer(action.wanted);
    case "update-load-balancer":
      return octavia.updateLoadBalancer(action.id, action.change);
    case "delete-load-balancer":
      return octavia.deleteLoadBalancer(action.id);
    case "failover-load-balancer":
      return octavia.failoverLoadBalancer(action.id);
    case "create-listener":
      return octavia.createListener(action.wanted);
    case "update-listener":
      return octavia.updateListener(action.id, action.change);
    case "delete-listener":
      return octavia.deleteListener(action.id);
    case "create-pool":
      return octavia.createPool(action.wanted);
    case "update-pool":
      return octavia.updatePool(action.id, action.change);
    case "delete-pool":
      return octavia.deletePool(action.id);
    case "create-monitor":
      return octavia.createHealthMonitor(action.wanted);
    case "update-monitor":
      return octavia.updateHealthMonitor(action.id, action.change);
    case "delete-monitor":
      return octavia.deleteHealthMonitor(action.id);
    case "merge-members":
      return octavia.mergeMembers(action.poolId, action.members);
    case "remove-member":
      return octavia.deleteMember(action.poolId, action.id);
    case "create-floating-ip":
      return neutron.createFloatingIp(action.wanted);
    case "attach-floating-ip":
      return neutron.updateFloatingIp(action.id, { portId: action.portId }, { seen: action.seen });
    case "detach-floating-ip":
      return neutron.updateFloatingIp(action.id, { portId: null }, { seen: action.seen });
    case "tag-floating-ip":
      return neutron.replaceTags("floatingips", action.id, action.tags);
    case "delete-floating-ip":
      return neutron.deleteFloatingIp(action.id, { seen: action.seen });
    default:
      throw new Error(`${action.kind} is no change of the cloud`);
  }
}
