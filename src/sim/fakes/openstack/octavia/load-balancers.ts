// Load balancers of the fake Octavia: what a request must say, where the VIP comes from, and when one may be changed or deleted.

import type {
  CreateLoadBalancer,
  LoadBalancer,
  TaggedQuery,
  UpdateLoadBalancer,
} from "../../../../core/openstack/octavia-objects.ts";
import { present } from "../../../../core/present.ts";
import { type Cloud, timestamp } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import type { Caller } from "../keystone/directory.ts";
import { checkQuota } from "../quota.ts";
import { checkTags, checkText } from "../strict.ts";
import { checkVersion, checkZone, chooseProvider, rulesOf } from "./capabilities.ts";
import { unsupported } from "./provider-rules.ts";
import { beginPhase, beginUpdate } from "./provisioning.ts";
import { narrowest } from "./tagged-query.ts";
import { createVipPort, resolveVip } from "./vip.ts";
import { ownBalancer } from "./visible.ts";

export function listLoadBalancers(cloud: Cloud, caller: Caller, query: TaggedQuery): readonly LoadBalancer[] {
  return narrowest(cloud.tables.loadbalancers, caller, query);
}

export function createLoadBalancer(cloud: Cloud, caller: Caller, wanted: CreateLoadBalancer): LoadBalancer {
  const { name, description, tags, availabilityZone, flavorId } = wanted;
  checkTexts(cloud, wanted);
  const where = resolveVip(cloud, caller, wanted);
  checkZone(cloud, availabilityZone);
  const provider = chooseProvider(cloud, wanted.provider, flavorId);
  const rules = rulesOf(cloud, provider);
  checkQuota(cloud, caller.projectId, "load_balancer");
  if (availabilityZone !== undefined && rules.zones === false) unsupported(provider, "availability zones");
  if (availabilityZone !== undefined && rules.zones === "mistaken")
    refuse(400, `Validation failure: availability zone ${availabilityZone} does not fit provider '${provider}'`);
  const id = cloud.random.uuid();
  const port = createVipPort(cloud, caller, { balancerId: id, provider, rules, ...where });
  const made = cloud.tables.loadbalancers.insert({
    id,
    name,
    description,
    tags: [...tags],
    adminStateUp: true,
    projectId: caller.projectId,
    provider,
    ...present({ flavorId, availabilityZone }),
    vipAddress: port.address,
    vipPortId: port.id,
    vipSubnetId: where.subnetId,
    vipNetworkId: where.networkId,
    provisioningStatus: "PENDING_CREATE",
    operatingStatus: "OFFLINE",
    createdAt: timestamp(cloud),
  });
  beginPhase(cloud, id, "PENDING_CREATE", "create");
  return made;
}

export function updateLoadBalancer(cloud: Cloud, caller: Caller, id: string, change: UpdateLoadBalancer): LoadBalancer {
  const balancer = ownBalancer(cloud, caller, id);
  checkTexts(cloud, change);
  if (balancer.provisioningStatus !== "ACTIVE") invalidState(balancer);
  cloud.tables.loadbalancers.patch(id, change);
  beginUpdate(cloud, id);
  return ownBalancer(cloud, caller, id);
}

export function deleteLoadBalancer(cloud: Cloud, caller: Caller, id: string, cascade: boolean): void {
  const balancer = ownBalancer(cloud, caller, id);
  const children = cloud.tables.listeners.count(`balancer:${id}`) + cloud.tables.pools.count(`balancer:${id}`);
  if (children > 0 && !cascade) refuse(400, `Validation failure: Cannot delete Load Balancer ${id} - it has children`);
  if (!["ACTIVE", "ERROR"].includes(balancer.provisioningStatus)) invalidState(balancer);
  beginPhase(cloud, id, "PENDING_DELETE", "delete");
}

export function failoverLoadBalancer(cloud: Cloud, caller: Caller, id: string): void {
  const balancer = ownBalancer(cloud, caller, id);
  if (!caller.admin) refuse(403, "Policy does not allow this request to be performed.");
  if (!["ACTIVE", "ERROR"].includes(balancer.provisioningStatus)) invalidState(balancer);
  if (!rulesOf(cloud, balancer.provider).failover) unsupported(balancer.provider, "failover");
  beginPhase(cloud, id, "PENDING_UPDATE", "create");
}

function checkTexts(cloud: Cloud, { name, description, tags }: UpdateLoadBalancer): void {
  if (name !== undefined) checkText("name", name);
  if (description !== undefined) checkText("description", description);
  if (tags === undefined) return;
  if (tags.length > 0) checkVersion(cloud, "tags", "tags");
  checkTags(tags);
}

function invalidState({ id, provisioningStatus }: LoadBalancer): never {
  refuse(409, `Invalid state ${provisioningStatus} of loadbalancer resource ${id}`);
}
