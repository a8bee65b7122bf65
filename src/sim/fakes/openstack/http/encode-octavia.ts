// Octavia's objects as JSON on the wire.

import type { StatusTree } from "../../../../core/openstack/octavia-objects.ts";
import type { Cloud } from "../cloud.ts";
import type { BalancerRecord, ListenerRecord, MemberRecord, MonitorRecord, PoolRecord } from "../cloud-records.ts";
import { poolView } from "../octavia/pools.ts";

interface Provisioned {
  readonly id: string;
  readonly name: string;
  readonly provisioningStatus: string;
  readonly operatingStatus: string;
}

const ids = (all: readonly string[]) => all.map((id) => ({ id }));

function status({ id, name, provisioningStatus, operatingStatus }: Provisioned) {
  return { id, name, provisioning_status: provisioningStatus, operating_status: operatingStatus };
}

interface Stored extends Provisioned {
  readonly projectId: string;
  readonly createdAt: string;
  readonly updatedAt?: string;
  readonly adminStateUp: boolean;
  readonly tags: readonly string[];
}

function stored(row: Stored) {
  return {
    ...status(row),
    admin_state_up: row.adminStateUp,
    project_id: row.projectId,
    tenant_id: row.projectId,
    created_at: row.createdAt,
    updated_at: row.updatedAt ?? null,
    tags: row.tags,
  };
}

export function encodeBalancer({ tables }: Cloud, row: BalancerRecord): unknown {
  return {
    ...stored(row),
    description: row.description,
    provider: row.provider,
    flavor_id: row.flavorId ?? null,
    availability_zone: row.availabilityZone ?? null,
    ...(row.vipPortId === ""
      ? {}
      : { vip_address: row.vipAddress, vip_port_id: row.vipPortId, vip_subnet_id: row.vipSubnetId }),
    vip_network_id: row.vipNetworkId,
    vip_qos_policy_id: null,
    additional_vips: [],
    listeners: tables.listeners.find(`balancer:${row.id}`).map(({ id }) => ({ id })),
    pools: tables.pools.find(`balancer:${row.id}`).map(({ id }) => ({ id })),
  };
}

export function encodeListener(_cloud: Cloud, row: ListenerRecord): unknown {
  return {
    ...stored(row),
    description: "",
    protocol: row.protocol,
    protocol_port: row.port,
    connection_limit: row.connectionLimit,
    default_pool_id: row.defaultPoolId ?? null,
    loadbalancers: ids([row.loadBalancerId]),
    allowed_cidrs: row.allowedCidrs.length === 0 ? null : row.allowedCidrs,
    timeout_client_data: row.clientTimeoutMs ?? null,
    timeout_member_data: row.memberTimeoutMs ?? null,
    timeout_member_connect: 5_000,
    timeout_tcp_inspect: 0,
    insert_headers: {},
    l7policies: [],
    sni_container_refs: [],
    default_tls_container_ref: null,
  };
}

export function encodePool(cloud: Cloud, row: PoolRecord): unknown {
  const { listenerIds, healthMonitorId } = poolView(cloud, row);
  return {
    ...stored(row),
    description: "",
    protocol: row.protocol,
    lb_algorithm: row.algorithm,
    session_persistence: null,
    loadbalancers: ids([row.loadBalancerId]),
    listeners: ids(listenerIds),
    healthmonitor_id: healthMonitorId ?? null,
    members: ids(cloud.tables.members.find(`pool:${row.id}`).map(({ id }) => id)),
    tls_enabled: false,
  };
}

export function encodeMonitor(_cloud: Cloud, row: MonitorRecord): unknown {
  return {
    ...stored(row),
    type: row.type,
    delay: row.delaySeconds,
    timeout: row.timeoutSeconds,
    max_retries: row.maxRetries,
    max_retries_down: row.maxRetriesDown,
    http_method: null,
    url_path: null,
    expected_codes: null,
    pools: ids([row.poolId]),
  };
}

export function encodeMember(_cloud: Cloud, row: MemberRecord): unknown {
  return {
    ...stored(row),
    address: row.address,
    protocol_port: row.port,
    subnet_id: row.subnetId ?? null,
    weight: row.weight,
    backup: row.backup,
    monitor_address: null,
    monitor_port: row.monitorPort ?? null,
  };
}

/** Pools stand below their listeners, members and the monitor below their pool. */
export function encodeStatusTree(tree: StatusTree): unknown {
  const pools = new Map(
    tree.pools.map((pool) => {
      const { healthMonitor } = pool;
      const members = pool.members.map((member) => ({
        ...status(member),
        address: member.address,
        protocol_port: member.port,
      }));
      const monitor =
        healthMonitor === undefined
          ? {}
          : {
              health_monitor: { ...status({ ...healthMonitor, operatingStatus: "ONLINE" }), type: healthMonitor.type },
            };
      return [pool.id, { ...status(pool), members, ...monitor }];
    }),
  );
  const listeners = tree.listeners.map((listener) => ({
    ...status(listener),
    pools: listener.poolIds.flatMap((id) => pools.get(id) ?? []),
  }));
  return { statuses: { loadbalancer: { ...status(tree), listeners } } };
}
