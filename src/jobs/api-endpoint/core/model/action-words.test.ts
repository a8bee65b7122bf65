import { describe, expect, test } from "vitest";
import { describeAction } from "../../../../core/describe-action.ts";
import { explainDone } from "../../../../core/explain.ts";
import type { EndpointAction } from "./action.ts";
import { endpointActionWords } from "./action-words.ts";
import { fallbackLane, singleLane } from "./lanes.ts";
import { tcpPort } from "./port.ts";

const name = "k8s-clusterapi-cluster-clusters-blue-az1-kubeapi";
const port = `${name}-6443`;
const tags = ["mainstay-owner=o1", "mainstay-zone=az1"];
const timings = { delaySeconds: 10, timeoutSeconds: 5, maxRetries: 5, maxRetriesDown: 3 };
const address = "203.0.113.10";
const floating = {
  id: "f1",
  address,
  seen: { revisionNumber: 3 },
  lane: { part: "az1", aspect: "floating-ip" },
} as const;
const balancer = { name, description: "", tags, vipSubnetId: "s1" };

type Kind = EndpointAction["kind"];
type Row = readonly [EndpointAction, string];

// biome-ignore format: a table reads best as a table
const spoken: { readonly [K in Kind]: readonly Row[] } = {
  "add-finalizer": [[{ kind: "add-finalizer", because: "FinalizerMissing" }, "add the finalizer to the object because FinalizerMissing"]],
  "claim-owner-id": [[{ kind: "claim-owner-id", ownerId: "o1", because: "OwnerUnclaimed" }, "write owner id o1 to the object because OwnerUnclaimed"]],
  "record-location": [[{ kind: "record-location", location: "p/RegionOne", because: "ProjectUnrecorded" }, "record project and region p/RegionOne because ProjectUnrecorded"]],
  "record-tags": [
    [{ kind: "record-tags", record: { is: "applying", tags: ["a", "b"] }, because: "TagsChanged" }, "record that the tags of the spec change, and that these may be in the cloud: a, b because TagsChanged"],
    [{ kind: "record-tags", record: { is: "applied", tags: ["b"] }, because: "TagsApplied" }, "record that everything has the tags of the spec, and none that left it because TagsApplied"],
  ],
  "set-cluster-owner": [
    [{ kind: "set-cluster-owner", owner: { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name: "blue", uid: "u1" }, because: "ClusterOwnerDiffers" }, "make Cluster blue an owner of the object because ClusterOwnerDiffers"],
    [{ kind: "set-cluster-owner", owner: undefined, because: "ClusterOwnerDiffers" }, "remove the Cluster from the owners of the object because ClusterOwnerDiffers"],
  ],
  "delete-endpoint": [[{ kind: "delete-endpoint", removes: "APIEndpoint clusters/blue", because: "ClusterDeleted" }, "delete APIEndpoint clusters/blue because ClusterDeleted"]],
  "set-endpoint": [
    [{ kind: "set-endpoint", host: "api.example.com", port: 6443, because: "EndpointMissing" }, "set the endpoint to api.example.com:6443 because EndpointMissing"],
    [{ kind: "set-endpoint", host: "2001:db8::1", port: 6443, because: "EndpointMissing" }, "set the endpoint to [2001:db8::1]:6443 because EndpointMissing"],
  ],
  "hand-off-endpoint": [[{ kind: "hand-off-endpoint", host: "api.example.com", port: 6443, because: "GateClosed" }, "write the endpoint api.example.com:6443 to the OpenStackCluster that waits for it because GateClosed"]],
  "remove-finalizer": [
    [{ kind: "remove-finalizer", because: "EndpointDeleted" }, "remove the finalizer from the object because EndpointDeleted"],
    [{ kind: "remove-finalizer", releases: "cloud", because: "EndpointDeleted" }, "remove the finalizer from the object and from Secret cloud because EndpointDeleted"],
  ],
  "record-clean-up": [[{ kind: "record-clean-up", because: "EndpointDeleted" }, "record that nothing of the object is left in the cloud because EndpointDeleted"]],
  "hold-secret": [
    [{ kind: "hold-secret", secret: "new", lane: { part: "credentials" }, because: "SecretUnheld" }, "add the finalizer to Secret new because SecretUnheld"],
    [{ kind: "hold-secret", secret: "new", instead: "old", lane: { part: "credentials" }, because: "SecretUnheld" }, "add the finalizer to Secret new and remove it from Secret old because SecretUnheld"],
  ],
  "release-secret": [[{ kind: "release-secret", secret: "old", lane: { part: "credentials" }, because: "SecretDeleted" }, "remove the finalizer from Secret old because SecretDeleted"]],
  "apply-dns-endpoint": [[{ kind: "apply-dns-endpoint", host: "api.example.com", addresses: [address, "203.0.113.11"], lane: { part: "dns" }, because: "DnsRecordsChanged" }, "publish 203.0.113.10, 203.0.113.11 for api.example.com because DnsRecordsChanged"]],
  "delete-dns-endpoint": [[{ kind: "delete-dns-endpoint", removes: "DNSEndpoint of api.example.com", lane: { part: "dns" }, because: "DnsUnwanted" }, "delete the DNSEndpoint of api.example.com because DnsUnwanted"]],
  "create-load-balancer": [
    [{ kind: "create-load-balancer", name, wanted: balancer, lane: { part: "az1" }, because: "LoadBalancerMissing" }, `create load balancer ${name} in subnet s1 for zone az1 because LoadBalancerMissing`],
    [{ kind: "create-load-balancer", name, wanted: { ...balancer, vipAddress: "10.0.1.9", provider: "amphora", availabilityZone: "az1" }, lane: { part: "az1" }, because: "LoadBalancerMissing" }, `create load balancer ${name} in subnet s1 with address 10.0.1.9 by provider amphora in Octavia availability zone az1 for zone az1 because LoadBalancerMissing`],
    [{ kind: "create-load-balancer", name, wanted: { name, description: "", tags, vipNetworkId: "n1" }, lane: { part: "single" }, because: "LoadBalancerMissing" }, `create load balancer ${name} in network n1 because LoadBalancerMissing`],
  ],
  "update-load-balancer": [
    [{ kind: "update-load-balancer", name, id: "b1", change: { name, tags }, lane: { part: "az1" }, because: "LegacyMigrated" }, `rename load balancer b1 to ${name} and tag it for zone az1 because LegacyMigrated`],
    [{ kind: "update-load-balancer", name, id: "b1", change: { name }, lane: { part: "az1" }, because: "LegacyMigrated" }, `rename load balancer b1 to ${name} for zone az1 because LegacyMigrated`],
    [{ kind: "update-load-balancer", name, id: "b1", change: { description: "", tags }, lane: { part: "az1" }, because: "LoadBalancerDrifted" }, `correct description and tags of load balancer ${name} for zone az1 because LoadBalancerDrifted`],
  ],
  "delete-load-balancer": [
    [{ kind: "delete-load-balancer", name, id: "b1", removes: `load balancer ${name}`, lane: { part: "az1" }, because: "ZoneRemoved" }, `delete load balancer ${name} with everything below it for zone az1 because ZoneRemoved`],
    [{ kind: "delete-load-balancer", name, id: "b1", removes: `load balancer ${name}`, lane: { part: "az1" }, because: "LoadBalancerInError" }, `delete load balancer ${name} with everything below it, to make it again for zone az1 because LoadBalancerInError`],
  ],
  "failover-load-balancer": [[{ kind: "failover-load-balancer", name, id: "b1", provider: "amphora", lane: { part: "az1" }, because: "LoadBalancerInError" }, `ask Octavia to fail over load balancer ${name} for zone az1 because LoadBalancerInError`]],
  "create-listener": [[{ kind: "create-listener", provider: "amphora", name: port, port: tcpPort(6443), wanted: { loadBalancerId: "b1", name: port, protocol: "TCP", port: 6443, tags }, lane: { part: "az1" }, because: "ListenerMissing" }, `create listener ${port} on port 6443 for zone az1 because ListenerMissing`]],
  "update-listener": [[{ kind: "update-listener", provider: "amphora", name: port, id: "l1", change: { allowedCidrs: [], clientTimeoutMs: 1, memberTimeoutMs: 1 }, lane: { part: "az1" }, because: "ListenerDrifted" }, `correct access list and timeouts of listener ${port} for zone az1 because ListenerDrifted`]],
  "delete-listener": [[{ kind: "delete-listener", name: port, id: "l1", removes: `listener ${port}`, lane: { part: "az1" }, because: "PortRemoved" }, `delete listener ${port} for zone az1 because PortRemoved`]],
  "create-pool": [[{ kind: "create-pool", name: port, wanted: { listenerId: "l1", name: port, protocol: "TCP", algorithm: "ROUND_ROBIN", tags }, lane: { part: "az1" }, because: "PoolMissing" }, `create pool ${port} (ROUND_ROBIN) for zone az1 because PoolMissing`]],
  "update-pool": [[{ kind: "update-pool", name: port, id: "p1", change: { name: port }, lane: { part: "az1" }, because: "PoolDrifted" }, `correct name of pool ${port} for zone az1 because PoolDrifted`]],
  "delete-pool": [[{ kind: "delete-pool", name: port, id: "p1", removes: `pool ${port}`, lane: { part: "az1" }, because: "PortRemoved" }, `delete pool ${port} for zone az1 because PortRemoved`]],
  "create-monitor": [[{ kind: "create-monitor", name: port, provider: "amphora", wanted: { poolId: "p1", name: port, type: "TCP", tags, ...timings }, lane: { part: "az1" }, because: "MonitorMissing" }, `create health monitor ${port}, every 10 s for zone az1 because MonitorMissing`]],
  "delete-monitor": [[{ kind: "delete-monitor", name, id: "m1", removes: "", lane: { part: "az1" }, because: "MonitorDrifted" }, `delete health monitor ${name} for zone az1 because MonitorDrifted`]],
  "update-monitor": [[{ kind: "update-monitor", name: port, id: "m1", change: { delaySeconds: 5, timeoutSeconds: 3, maxRetriesDown: 2 }, lane: { part: "az1" }, because: "MonitorDrifted" }, `correct delay, timeout and retries down of health monitor ${port} for zone az1 because MonitorDrifted`]],
  "merge-members": [[{ kind: "merge-members", provider: "amphora", batch: true, name: port, poolId: "p1", members: [], addresses: "10.0.1.11, 10.0.1.12", lane: { part: "az1" }, because: "MembersMissing" }, `add 10.0.1.11, 10.0.1.12 to pool ${port} for zone az1 because MembersMissing`]],
  "remove-member": [[{ kind: "remove-member", name: `${port}-blue-1`, poolId: "p1", id: "x1", address: "10.0.1.11", lane: { part: "az1" }, because: "MemberStale" }, `remove member ${port}-blue-1 (10.0.1.11) from its pool for zone az1 because MemberStale`]],
  "create-floating-ip": [
    [{ kind: "create-floating-ip", wanted: { floatingNetworkId: "e1", portId: "v1", description: "" }, lane: { part: "az1", aspect: "floating-ip" }, because: "FloatingIpMissing" }, "create floating IP on the load balancer for zone az1 because FloatingIpMissing"],
    [{ kind: "create-floating-ip", wanted: { floatingNetworkId: "e1", description: "", address }, address, lane: { part: "floating-ip" }, because: "FloatingIpMissing" }, "create floating IP 203.0.113.10 for a machine to take because FloatingIpMissing"],
  ],
  "attach-floating-ip": [[{ kind: "attach-floating-ip", ...floating, portId: "v1", because: "FloatingIpDetached" }, "attach floating IP 203.0.113.10 to the load balancer for zone az1 because FloatingIpDetached"]],
  "detach-floating-ip": [[{ kind: "detach-floating-ip", ...floating, removes: "", because: "EndpointDeleted" }, "detach floating IP 203.0.113.10 for zone az1 because EndpointDeleted"]],
  "tag-floating-ip": [[{ kind: "tag-floating-ip", ...floating, tags, because: "FloatingIpUnmarked" }, "tag floating IP 203.0.113.10 as Mainstay's for zone az1 because FloatingIpUnmarked"]],
  "delete-floating-ip": [[{ kind: "delete-floating-ip", ...floating, removes: "", because: "FloatingIpUnwanted" }, "delete floating IP 203.0.113.10 for zone az1 because FloatingIpUnwanted"]],
};

describe("an action of the api-endpoint job, as people read it", () => {
  test.each(Object.values(spoken).flat())("$kind", (action, sentence) => {
    expect(describeAction({ ...action, words: endpointActionWords(action) })).toBe(sentence);
  });

  test.each(Object.values(spoken).flat())("$kind, once it was done, and why", (action) => {
    const { text } = explainDone("LoadBalancerCreated", { ...action, words: endpointActionWords(action) });
    expect(text).toMatch(
      /^(Added|Asked|Attached|Corrected|Created|Deleted|Detached|Made|Published|Recorded|Removed|Renamed|Set|Tagged|Wrote) /,
    );
    expect(text).toMatch(/\. Cause: [A-Z`].+[^.]$/);
    expect(text, "what was done is no cause of itself").not.toContain("Cause: Mainstay");
    expect(text).not.toContain(action.because);
  });

  test("the single balancer and the legacy one are no zones", () => {
    const change = { tags };
    const action = { kind: "update-load-balancer", name, id: "b1", change, because: "LoadBalancerDrifted" } as const;
    for (const lane of [singleLane, fallbackLane])
      expect(endpointActionWords({ ...action, lane })).toBe(`correct tags of load balancer ${name}`);
  });
});
