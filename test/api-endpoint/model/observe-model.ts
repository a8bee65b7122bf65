// What a planner is shown of the model: as the job's own observers would show it, with what cannot be read at the moment left unknown.

import { type Known, known } from "../../../src/core/known.ts";
import type { FloatingIp } from "../../../src/core/openstack/neutron-objects.ts";
import type {
  Member,
  MemberNode,
  OperatingStatus,
  PoolNode,
  StatusTree,
} from "../../../src/core/openstack/octavia-objects.ts";
import { present } from "../../../src/core/present.ts";
import type { EndpointIntent } from "../../../src/jobs/api-endpoint/core/model/intent.ts";
import { portsOf, zonesOf } from "../../../src/jobs/api-endpoint/core/model/intent.ts";
import { floatingIpDescription, singleName, zoneName } from "../../../src/jobs/api-endpoint/core/model/names.ts";
import type { BalancerObserved, RecordedEndpoint } from "../../../src/jobs/api-endpoint/core/model/observed.ts";
import { hasOwnerTag, zoneTagOf } from "../../../src/jobs/api-endpoint/core/model/ownership.ts";
import { isOn, type Port } from "../../../src/jobs/api-endpoint/core/model/port.ts";
import { isApplying } from "../../../src/jobs/api-endpoint/core/tags/user-tags.ts";
import type { BalancerRow, FloatingIpRow, MemberRow, PoolRow } from "./cloud-rows.ts";
import { ownerId } from "./endpoint-builders.ts";

interface ModelState {
  readonly intent: EndpointIntent;
  readonly recorded: RecordedEndpoint;
  readonly rows: readonly BalancerRow[];
  readonly floatingIps: readonly FloatingIpRow[];
  /** Addresses at which an API server answers. */
  readonly up: ReadonlySet<string>;
  readonly monotonicMs: number;
}

/** Those that bear our tag, have one of our names, or stand in status; and of our other names those with a listener that bears our tag. */
export function rowsObserved({ rows, intent, recorded }: ModelState): readonly BalancerRow[] {
  const zones = [...zonesOf(intent), ...recorded.zones];
  const names = [singleName(intent.cluster), ...zones.map(({ zone }) => zoneName(intent.cluster, zone))];
  return rows.filter(
    ({ lb, listeners }) =>
      hasOwnerTag(lb.tags, ownerId) ||
      [...names, ...namesBelow(listeners, intent.cluster)].includes(lb.name) ||
      lb.id === recorded.single?.id,
  );
}

/** How balancers with these listeners of ours may be called. */
function namesBelow(listeners: BalancerRow["listeners"], cluster: ModelState["intent"]["cluster"]): readonly string[] {
  return listeners.flatMap(({ tags }) => {
    const zone = hasOwnerTag(tags, ownerId) ? zoneTagOf(tags) : undefined;
    return zone === undefined ? [] : [zoneName(cluster, zone)];
  });
}

export function balancerObserved(row: BalancerRow, { up, intent, monotonicMs }: ModelState): BalancerObserved {
  const { lb, listeners, pools, monitors, hidden } = row;
  const ours = ({ tags }: { readonly tags: readonly string[] }) => hasOwnerTag(tags, ownerId);
  return {
    balancer: { ...lb },
    listeners: listeners.map((listener) => ({ ...listener })),
    monitors: monitors.filter(ours).map((monitor) => ({ ...monitor })),
    pools: pools.filter(ours).map(({ status, members: _, ...pool }) => ({
      ...pool,
      provisioningStatus: status,
      operatingStatus: "ONLINE",
      loadBalancerId: lb.id,
      listenerIds: listeners.flatMap(({ id, defaultPoolId }) => (defaultPoolId === pool.id ? [id] : [])),
    })),
    ...(isApplying(intent) ? { members: membersListed(pools) } : {}),
    tree: hidden ? unseen("status tree: 503") : known(treeOf(row, up, portsOf(intent))),
    treeAskedMs: monotonicMs,
  };
}

function membersListed(pools: readonly PoolRow[]): ReadonlyMap<string, readonly Member[]> {
  return new Map(pools.map(({ id, members }) => [id, members.map((member) => ({ ...member }))]));
}

/** Octavia shows no pool that lost its listener; the job asks for those only while one of its ports lacks a listener or its pool. */
function poolsShown({ lb, listeners, pools }: BalancerRow, ports: readonly Port[]): readonly PoolRow[] {
  const leads = (port: Port) => listeners.some((one) => isOn(one, port) && one.defaultPoolId !== undefined);
  if (!ports.every(leads) && lb.provisioningStatus === "ACTIVE") return pools;
  return pools.filter(({ id }) => listeners.some(({ defaultPoolId }) => defaultPoolId === id));
}

function treeOf(row: BalancerRow, up: ReadonlySet<string>, ports: readonly Port[]): StatusTree {
  const { lb, listeners, monitors } = row;
  const { id, name, provisioningStatus, operatingStatus } = lb;
  return {
    id,
    name,
    provisioningStatus,
    operatingStatus,
    listeners: listeners.map((listener) => ({
      id: listener.id,
      name: listener.name,
      provisioningStatus: listener.provisioningStatus,
      operatingStatus: listener.operatingStatus,
      poolIds: listener.defaultPoolId === undefined ? [] : [listener.defaultPoolId],
    })),
    pools: poolsShown(row, ports).map((pool) => poolNode(pool, monitors, up)),
  };
}

function poolNode(pool: PoolRow, monitors: BalancerRow["monitors"], up: ReadonlySet<string>): PoolNode {
  const { id, name, members, status } = pool;
  const healthMonitor = monitors.find(({ poolId }) => poolId === id);
  return {
    id,
    name,
    provisioningStatus: status,
    operatingStatus: "ONLINE",
    ...present({ healthMonitor }),
    members: members.map((member) => ({
      ...shownInTree(member),
      operatingStatus: healthMonitor === undefined ? "NO_MONITOR" : healthOf(member, up),
    })),
  };
}

function shownInTree(member: MemberRow): MemberNode {
  const { weight: _w, backup: _b, adminStateUp: _a, tags: _t, subnetId: _s, ...node } = member;
  return node;
}

function healthOf({ address, weight }: MemberRow, up: ReadonlySet<string>): OperatingStatus {
  if (!up.has(address)) return "ERROR";
  return weight === 0 ? "DRAINING" : "ONLINE";
}

/** On a VIP that is observed, described or tagged as ours, asked for, written down, or the endpoint itself. */
export function floatingIpsObserved(state: ModelState): readonly FloatingIp[] {
  const { intent, recorded, rows, floatingIps } = state;
  const ports = rowsObserved(state).map(({ lb }) => lb.vipPortId);
  const zones = [undefined, ...zonesOf(intent).map(({ zone }) => zone), ...recorded.zones.map(({ zone }) => zone)];
  const descriptions = zones.map((zone) => floatingIpDescription(ownerId, zone));
  const addresses = [recorded.single, ...recorded.zones].map((entry) => entry?.address);
  return floatingIps
    .filter(
      ({ portId, description, tags, address }) =>
        (portId !== undefined && ports.includes(portId)) ||
        descriptions.includes(description) ||
        hasOwnerTag(tags, ownerId) ||
        [...addresses, intent.floatingIp.address, intent.endpoint?.host].includes(address),
    )
    .map((one) => {
      const vip = rows.find(({ lb }) => lb.vipPortId === one.portId)?.lb.vipAddress;
      return { ...one, ...(vip === undefined ? {} : { fixedAddress: vip }) };
    });
}

export function unseen(message: string): Known<never> {
  return { known: false, reason: "OpenStackServerError", message };
}
