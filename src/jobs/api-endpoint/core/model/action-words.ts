// Every action of the api-endpoint job in words: what a plan, an event and a log line say. A forgotten kind does not compile.

import type { Lane } from "../../../../core/plan.ts";
import type { EndpointAction } from "./action.ts";
import { zoneOfLane } from "./lanes.ts";
import { portWords } from "./port.ts";

type WordsOf = {
  readonly [K in EndpointAction["kind"]]: (action: Extract<EndpointAction, { readonly kind: K }>) => string;
};

const words: WordsOf = {
  "add-finalizer": () => "add the finalizer to the object",
  "claim-owner-id": ({ ownerId }) => `write owner id ${ownerId} to the object`,
  "record-location": ({ location }) => `record project and region ${location}`,
  "record-tags": ({ record: { is, tags } }) =>
    is === "applying"
      ? `record that the tags of the spec change, and that these may be in the cloud: ${tags.join(", ")}`
      : "record that everything has the tags of the spec, and none that left it",
  "set-cluster-owner": ({ owner }) =>
    owner === undefined
      ? "remove the Cluster from the owners of the object"
      : `make Cluster ${owner.name} an owner of the object`,
  "delete-endpoint": ({ removes }) => `delete ${removes ?? "the object"}`,
  "set-endpoint": ({ host, port }) => `set the endpoint to ${hostAndPort(host, port)}`,
  "hand-off-endpoint": ({ host, port }) =>
    `write the endpoint ${hostAndPort(host, port)} to the OpenStackCluster that waits for it`,
  "remove-finalizer": ({ releases }) =>
    `remove the finalizer from the object${releases === undefined ? "" : ` and from Secret ${releases}`}`,
  "record-clean-up": () => "record that nothing of the object is left in the cloud",
  "hold-secret": ({ secret, instead }) =>
    `add the finalizer to Secret ${secret}${instead === undefined ? "" : ` and remove it from Secret ${instead}`}`,
  "release-secret": ({ secret }) => `remove the finalizer from Secret ${secret}`,
  "apply-dns-endpoint": ({ host, addresses }) => `publish ${addresses.join(", ")} for ${host}`,
  "delete-dns-endpoint": ({ removes }) => `delete the ${removes ?? "DNSEndpoint"}`,
  "create-load-balancer": ({ name, wanted }) => `create load balancer ${name} ${placeOf(wanted)}`,
  "update-load-balancer": ({ name, id, change }) =>
    change.name === undefined
      ? `correct ${fieldsOf(change)} of load balancer ${name}`
      : `rename load balancer ${id} to ${name}${change.tags === undefined ? "" : " and tag it"}`,
  "delete-load-balancer": ({ name, because }) =>
    `delete load balancer ${name} with everything below it${because === "LoadBalancerInError" ? ", to make it again" : ""}`,
  "failover-load-balancer": ({ name }) => `ask Octavia to fail over load balancer ${name}`,
  "create-listener": ({ name, port }) => `create listener ${name} on port ${portWords(port)}`,
  "update-listener": ({ name, change }) => `correct ${fieldsOf(change)} of listener ${name}`,
  "delete-listener": ({ name }) => `delete listener ${name}`,
  "create-pool": ({ name, wanted }) => `create pool ${name} (${wanted.algorithm})`,
  "update-pool": ({ name, change }) => `correct ${fieldsOf(change)} of pool ${name}`,
  "delete-pool": ({ name }) => `delete pool ${name}`,
  "create-monitor": ({ name, wanted }) => `create health monitor ${name}, every ${wanted.delaySeconds} s`,
  "delete-monitor": ({ name }) => `delete health monitor ${name}`,
  "update-monitor": ({ name, change }) => `correct ${fieldsOf(change)} of health monitor ${name}`,
  "merge-members": ({ name, addresses, because }) =>
    because === "MembersMissing" ? `add ${addresses} to pool ${name}` : `correct members ${addresses} of pool ${name}`,
  "remove-member": ({ name, address }) => `remove member ${name} (${address}) from its pool`,
  "create-floating-ip": ({ wanted, address }) =>
    `create floating IP${address === undefined ? "" : ` ${address}`} ${wanted.portId === undefined ? "for a machine to take" : "on the load balancer"}`,
  "attach-floating-ip": ({ address }) => `attach floating IP ${address} to the load balancer`,
  "detach-floating-ip": ({ address }) => `detach floating IP ${address}`,
  "tag-floating-ip": ({ address }) => `tag floating IP ${address} as Mainstay's`,
  "delete-floating-ip": ({ address }) => `delete floating IP ${address}`,
};

export function endpointActionWords(action: EndpointAction): string {
  const say = words[action.kind] as (action: EndpointAction) => string;
  return `${say(action)}${zoneWords(action.lane)}`;
}

function zoneWords(lane: Lane | undefined): string {
  const zone = lane === undefined ? undefined : zoneOfLane(lane);
  return zone === undefined ? "" : ` for zone ${zone}`;
}

function hostAndPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

function placeOf({
  vipSubnetId,
  vipNetworkId,
  vipAddress,
  availabilityZone,
  provider,
}: Extract<EndpointAction, { readonly kind: "create-load-balancer" }>["wanted"]): string {
  const place =
    vipSubnetId === undefined ? `in network ${vipNetworkId ?? "of the cluster"}` : `in subnet ${vipSubnetId}`;
  return [
    place,
    ...(vipAddress === undefined ? [] : [`with address ${vipAddress}`]),
    ...(provider === undefined ? [] : [`by provider ${provider}`]),
    ...(availabilityZone === undefined ? [] : [`in Octavia availability zone ${availabilityZone}`]),
  ].join(" ");
}

const fieldWords: Readonly<Record<string, string>> = {
  allowedCidrs: "access list",
  clientTimeoutMs: "timeouts",
  memberTimeoutMs: "timeouts",
  connectionLimit: "connection limit",
  adminStateUp: "admin state",
  delaySeconds: "delay",
  timeoutSeconds: "timeout",
  maxRetries: "retries",
  maxRetriesDown: "retries down",
};

function fieldsOf(change: object): string {
  const known = Object.keys(fieldWords);
  const keys = Object.keys(change).toSorted((a, b) => known.indexOf(a) - known.indexOf(b) || (a < b ? -1 : 1));
  const fields = [...new Set(keys.map((field) => fieldWords[field] ?? field))];
  return fields.length < 2 ? fields.join("") : `${fields.slice(0, -1).join(", ")} and ${fields.at(-1)}`;
}
