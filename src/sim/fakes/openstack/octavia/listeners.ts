// Listeners of the fake Octavia. The balancer must be ACTIVE first; then come duplicates, address families, and last the provider.

import type {
  ChildQuery,
  CreateListener,
  Listener,
  UpdateListener,
} from "../../../../core/openstack/octavia-objects.ts";
import { present } from "../../../../core/present.ts";
import { type Cloud, timestamp } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import type { BalancerRecord, ListenerRecord } from "../cloud-records.ts";
import type { Caller } from "../keystone/directory.ts";
import { checkQuota } from "../quota.ts";
import { checkRange, checkTags, checkText } from "../strict.ts";
import { maskedCidrs } from "./access-list.ts";
import { checkVersion, rulesOf } from "./capabilities.ts";
import { checkSupported, unsupported } from "./provider-rules.ts";
import { beginUpdate, checkMutable, neverEnd } from "./provisioning.ts";
import { narrowest } from "./tagged-query.ts";
import { ownBalancer, ownListener } from "./visible.ts";

/** What the port never sends and the wire may. */
export interface WireListener extends CreateListener {
  readonly connectionLimit?: number;
  readonly adminStateUp?: boolean;
}

const defaultTimeoutMs = 50_000;
const longestTimeoutMs = 31_536_000_000;
const datagrams = ["UDP", "SCTP"];

export function listListeners(cloud: Cloud, caller: Caller, query: ChildQuery): readonly Listener[] {
  return narrowest(cloud.tables.listeners, caller, query).map(listenerView);
}

export function createListener(cloud: Cloud, caller: Caller, wanted: WireListener): Listener {
  const { protocol } = wanted;
  checkFields(cloud, wanted);
  checkRange("protocol_port", wanted.port, 1, 65_535);
  const balancer = ownBalancer(cloud, caller, wanted.loadBalancerId);
  checkQuota(cloud, balancer.projectId, "listener");
  checkMutable(balancer);
  checkDuplicate(cloud, balancer, protocol, wanted.port);
  const allowedCidrs = maskedCidrs(wanted.allowedCidrs ?? [], balancer.vipAddress);
  checkSupported(balancer.provider, rulesOf(cloud, balancer.provider).protocols, protocol, "protocol");
  checkAccessList(cloud, balancer, allowedCidrs);
  checkTimeouts(cloud, balancer, wanted);
  const made = cloud.tables.listeners.insert({
    id: cloud.random.uuid(),
    name: wanted.name,
    loadBalancerId: balancer.id,
    projectId: balancer.projectId,
    protocol,
    port: wanted.port,
    allowedCidrs,
    clientTimeoutMs: wanted.clientTimeoutMs ?? defaultTimeoutMs,
    memberTimeoutMs: wanted.memberTimeoutMs ?? defaultTimeoutMs,
    connectionLimit: wanted.connectionLimit ?? -1,
    adminStateUp: wanted.adminStateUp ?? true,
    tags: [...wanted.tags],
    provisioningStatus: "PENDING_CREATE",
    operatingStatus: "OFFLINE",
    createdAt: timestamp(cloud),
  });
  beginUpdate(cloud, balancer.id);
  if (isLate(cloud, made)) neverEnd(cloud, balancer.id);
  return listenerView(made);
}

function isLate(cloud: Cloud, { loadBalancerId, protocol }: ListenerRecord): boolean {
  const provider = cloud.tables.loadbalancers.get(loadBalancerId)?.provider ?? "";
  if (!rulesOf(cloud, provider).hangsOnLateListeners) return false;
  return cloud.tables.healthmonitors
    .find(`balancer:${loadBalancerId}`)
    .some(({ poolId }) => cloud.tables.pools.get(poolId)?.protocol === protocol);
}

export function updateListener(cloud: Cloud, caller: Caller, id: string, change: UpdateListener): Listener {
  const listener = ownListener(cloud, caller, id);
  const balancer = ownBalancer(cloud, caller, listener.loadBalancerId);
  checkFields(cloud, change);
  const allowedCidrs =
    change.allowedCidrs === undefined ? undefined : maskedCidrs(change.allowedCidrs, balancer.vipAddress);
  checkMutable(balancer);
  if (allowedCidrs !== undefined) checkAccessList(cloud, balancer, allowedCidrs);
  checkTimeouts(cloud, balancer, change);
  cloud.tables.listeners.patch(id, { ...change, ...present({ allowedCidrs }) });
  beginUpdate(cloud, balancer.id, { listenerIds: [id] });
  return listenerView(ownListener(cloud, caller, id));
}

/** Its pool stays, and serves nobody. */
export function deleteListener(cloud: Cloud, caller: Caller, id: string): void {
  const listener = ownListener(cloud, caller, id);
  checkMutable(ownBalancer(cloud, caller, listener.loadBalancerId));
  cloud.tables.listeners.patch(id, { provisioningStatus: "PENDING_DELETE", updatedAt: timestamp(cloud) });
  beginUpdate(cloud, listener.loadBalancerId);
}

export function listenerView(row: ListenerRecord): Listener {
  const { projectId: _project, createdAt: _made, updatedAt: _changed, ...listener } = row;
  return listener;
}

function checkFields(cloud: Cloud, fields: UpdateListener): void {
  if (fields.name !== undefined) checkText("name", fields.name);
  checkTags(fields.tags ?? []);
  checkRange("timeout_client_data", fields.clientTimeoutMs, 0, longestTimeoutMs);
  checkRange("timeout_member_data", fields.memberTimeoutMs, 0, longestTimeoutMs);
  checkRange("connection_limit", fields.connectionLimit, -1, 2_147_483_647);
  if (fields.allowedCidrs !== undefined) checkVersion(cloud, "accessLists", "allowed_cidrs");
}

function checkDuplicate(cloud: Cloud, { id }: BalancerRecord, protocol: string, port: number): void {
  const transport = (name: string) => (datagrams.includes(name) ? name : "TCP");
  const taken = cloud.tables.listeners
    .find(`balancer:${id}`)
    .some((other) => other.port === port && transport(other.protocol) === transport(protocol));
  if (taken)
    refuse(409, `Another Listener on this Load Balancer is using protocol ${protocol} and protocol_port ${port}`);
}

function checkAccessList(cloud: Cloud, { provider }: BalancerRecord, cidrs: readonly string[]): void {
  if (cidrs.length > 0 && !rulesOf(cloud, provider).accessLists) unsupported(provider, "allowed_cidrs");
}

function checkTimeouts(
  cloud: Cloud,
  { provider }: BalancerRecord,
  { clientTimeoutMs, memberTimeoutMs }: UpdateListener,
): void {
  const isAsked = clientTimeoutMs !== undefined || memberTimeoutMs !== undefined;
  if (isAsked && !rulesOf(cloud, provider).timeouts) unsupported(provider, "listener timeouts");
}
