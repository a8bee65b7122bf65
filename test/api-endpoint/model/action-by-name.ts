// The planner's action behind a random change, with the ids of the cloud that is to carry it out.

import type { FloatingIpSeen } from "../../../src/core/openstack/neutron-objects.ts";
import type { CreateMember } from "../../../src/core/openstack/octavia-objects.ts";
import type { EndpointAction } from "../../../src/jobs/api-endpoint/core/model/action.ts";
import { floatingIpDescription } from "../../../src/jobs/api-endpoint/core/model/names.ts";
import { tcpPort } from "../../../src/jobs/api-endpoint/core/model/port.ts";
import { ownerId, zoneBalancerName } from "./endpoint-builders.ts";
import type { CallOfPlanner } from "./random-cloud-calls.ts";
import { type RandomMember, ownTag as tag } from "./random-fields.ts";

/** How one side finds its own ids. What is not there has an id that nothing has. */
export interface IdsByName {
  readonly balancer: (name: string) => string;
  readonly vipPort: (balancerName: string) => string;
  readonly listener: (name: string) => string;
  readonly pool: (name: string) => string;
  readonly monitor: (name: string) => string;
  readonly member: (poolName: string, address: string) => string;
  readonly floatingIp: (description: string) => string;
  readonly floatingIpSeen: (description: string) => FloatingIpSeen;
  readonly subnet: (zone: string) => string;
  readonly network: string;
}

const why = { because: "AsExpected", lane: { part: "z" } } as const;
const address = (host: number) => `10.0.3.${host}`;

/** The action of the planner that this call stands for, with the ids of one side. */
// oxlint-disable-next-line complexity -- one case for each kind of call
export function actionOf(call: CallOfPlanner, ids: IdsByName): EndpointAction {
  const balancer = zoneBalancerName(call.zone);
  const name = "port" in call ? `${balancer}-${call.port}` : balancer;
  const of = { name, ...why };
  const description = floatingIpDescription(ownerId, call.zone);
  const seenOne = () => {
    const { revisionNumber = 0, ...seen } = ids.floatingIpSeen(description);
    const isOutdated = "outdated" in call && call.outdated;
    const seenBefore = { ...seen, revisionNumber: isOutdated ? revisionNumber - 1 : revisionNumber };
    return { id: ids.floatingIp(description), address: "", seen: seenBefore };
  };
  switch (call.call) {
    case "create-load-balancer": {
      const place = { vipSubnetId: ids.subnet(call.zone), ...(call.vip ? { vipAddress: vipOf(call.zone) } : {}) };
      const wanted = {
        name,
        description: "ours",
        tags: [tag],
        ...place,
        ...(call.placed ? { availabilityZone: call.zone } : {}),
      };
      return { kind: call.call, wanted, ...of };
    }
    case "update-load-balancer":
      return { kind: call.call, id: ids.balancer(name), change: call.fields, ...of };
    case "delete-load-balancer":
      return { kind: call.call, id: ids.balancer(name), ...of };
    case "failover-load-balancer":
      return { kind: call.call, id: ids.balancer(name), provider: "", ...of };
    case "create-listener": {
      const { connectionLimit: _limit, adminStateUp: _up, ...fields } = call.fields;
      const wanted = {
        tags: [tag],
        protocol: "TCP",
        ...fields,
        loadBalancerId: ids.balancer(balancer),
        name,
        port: call.port,
      };
      return { kind: call.call, wanted, port: tcpPort(call.port), provider: "", ...of };
    }
    case "update-listener":
      return { kind: call.call, id: ids.listener(name), change: call.fields, provider: "", ...of };
    case "delete-listener":
      return { kind: call.call, id: ids.listener(name), ...of };
    case "create-pool": {
      const wanted = { listenerId: ids.listener(name), name, protocol: "TCP", algorithm: call.algorithm, tags: [tag] };
      return { kind: call.call, wanted, ...of };
    }
    case "update-pool":
      return { kind: call.call, id: ids.pool(name), change: call.fields, ...of };
    case "delete-pool":
      return { kind: call.call, id: ids.pool(name), ...of };
    case "create-monitor": {
      const wanted = { poolId: ids.pool(name), name, type: "TCP", tags: [tag], ...call.fields };
      return { kind: call.call, wanted, provider: "", ...of };
    }
    case "update-monitor":
      return { kind: call.call, id: ids.monitor(name), change: call.fields, ...of };
    case "delete-monitor":
      return { kind: call.call, id: ids.monitor(name), ...of };
    case "merge-members": {
      const members = call.members.map((member) => memberOf(member, name, ids));
      return { kind: call.call, poolId: ids.pool(name), members, addresses: "", provider: "", batch: true, ...of };
    }
    case "remove-member": {
      const at = address(call.host);
      return { kind: call.call, poolId: ids.pool(name), id: ids.member(name, at), address: at, ...of };
    }
    case "create-floating-ip":
      return {
        kind: call.call,
        wanted: { floatingNetworkId: ids.network, portId: ids.vipPort(name), description },
        ...why,
      };
    case "attach-floating-ip":
      return { kind: call.call, ...seenOne(), portId: ids.vipPort(name), ...why };
    case "tag-floating-ip":
      return { kind: call.call, id: ids.floatingIp(description), address: "", tags: [tag], ...why };
    case "detach-floating-ip":
    case "delete-floating-ip":
      return { kind: call.call, ...seenOne(), ...why };
  }
}

function memberOf({ host, inSubnet, suffix, tags }: RandomMember, pool: string, ids: IdsByName): CreateMember {
  const place = inSubnet ? { subnetId: ids.subnet("az3") } : {};
  return { name: `${pool}-m${host}${suffix}`, address: address(host), port: 6443, tags, ...place };
}

function vipOf(zone: CallOfPlanner["zone"]): string {
  return zone === "az1" ? "10.0.1.99" : "10.0.2.99";
}
