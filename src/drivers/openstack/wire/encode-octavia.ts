// Inputs for Octavia as its JSON. What is not set is left out, never null: some providers refuse a field that they do not
// have, whatever stands in it.

import type {
  CreateHealthMonitor,
  CreateListener,
  CreateLoadBalancer,
  CreateMember,
  CreatePool,
  UpdateHealthMonitor,
  UpdateListener,
  UpdateLoadBalancer,
  UpdateMember,
  UpdatePool,
} from "../../../core/openstack/octavia-objects.ts";

// JSON.stringify leaves out what is undefined.

export function loadBalancerBody(wanted: CreateLoadBalancer): unknown {
  return {
    loadbalancer: {
      name: wanted.name,
      description: wanted.description,
      tags: wanted.tags,
      vip_subnet_id: wanted.vipSubnetId,
      vip_network_id: wanted.vipNetworkId,
      vip_address: wanted.vipAddress,
      provider: wanted.provider,
      flavor_id: wanted.flavorId,
      availability_zone: wanted.availabilityZone,
    },
  };
}

export function loadBalancerChange({ name, description, tags, adminStateUp }: UpdateLoadBalancer): unknown {
  return { loadbalancer: { name, description, tags, admin_state_up: adminStateUp } };
}

export function listenerBody(wanted: CreateListener): unknown {
  return {
    listener: {
      loadbalancer_id: wanted.loadBalancerId,
      name: wanted.name,
      protocol: wanted.protocol,
      protocol_port: wanted.port,
      tags: wanted.tags,
      allowed_cidrs: wanted.allowedCidrs,
      timeout_client_data: wanted.clientTimeoutMs,
      timeout_member_data: wanted.memberTimeoutMs,
    },
  };
}

export function listenerChange(change: UpdateListener): unknown {
  return {
    listener: {
      name: change.name,
      tags: change.tags,
      allowed_cidrs: change.allowedCidrs,
      timeout_client_data: change.clientTimeoutMs,
      timeout_member_data: change.memberTimeoutMs,
      connection_limit: change.connectionLimit,
      admin_state_up: change.adminStateUp,
    },
  };
}

export function poolBody({ listenerId, name, protocol, algorithm, tags }: CreatePool): unknown {
  return { pool: { listener_id: listenerId, name, protocol, lb_algorithm: algorithm, tags } };
}

export function poolChange({ name, tags, algorithm, adminStateUp }: UpdatePool): unknown {
  return { pool: { name, tags, lb_algorithm: algorithm, admin_state_up: adminStateUp } };
}

export function healthMonitorBody(wanted: CreateHealthMonitor): unknown {
  const { poolId, name, tags, type } = wanted;
  return { healthmonitor: { pool_id: poolId, name, tags, type, ...timings(wanted) } };
}

export function healthMonitorChange(change: UpdateHealthMonitor): unknown {
  const { name, tags, adminStateUp } = change;
  return { healthmonitor: { name, tags, admin_state_up: adminStateUp, ...timings(change) } };
}

export function memberBody(wanted: CreateMember): unknown {
  return { member: memberFields(wanted) };
}

export function membersBody(members: readonly CreateMember[]): unknown {
  return { members: members.map(memberFields) };
}

export function memberChange({ name, tags, weight, adminStateUp }: UpdateMember): unknown {
  return { member: { name, tags, weight, admin_state_up: adminStateUp } };
}

function memberFields({ name, address, port, subnetId, tags, weight, backup, adminStateUp }: CreateMember): unknown {
  const place = { address, protocol_port: port, subnet_id: subnetId };
  return { name, ...place, tags, weight, backup, admin_state_up: adminStateUp };
}

function timings({ delaySeconds, timeoutSeconds, maxRetries, maxRetriesDown }: UpdateHealthMonitor) {
  return {
    delay: delaySeconds,
    timeout: timeoutSeconds,
    max_retries: maxRetries,
    max_retries_down: maxRetriesDown,
  };
}
