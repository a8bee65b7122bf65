// No floating IP is given back to the cloud while people may be on the way to it: while the DNSEndpoint names it, or did so a moment ago. Somebody
// else would have it, and get their traffic. Nor is a VIP, where a cluster goes: one that is rebuilt keeps its own.

import { type DnsEndpoint, dnsEndpoints } from "../../../../apis/external-dns/dns-endpoint.ts";
import { type Checker, isBlindAfterRestore } from "../../../../sim/checkers/checker.ts";
import type { BalancerRecord, FloatingIpRecord } from "../../../../sim/fakes/openstack/cloud-records.ts";
import { publishedBy, recordTtlSeconds } from "../../core/dns/dns-endpoint.ts";
import { resourceOf } from "../endpoint-objects.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { clusterOfRound, type EndpointSim, keyOf, objectFor } from "../endpoint-sim.ts";
import type { SimOf } from "./endpoint-checkers.ts";

export function namedAddressesStay(simOf: SimOf): Checker {
  return {
    name: "named-addresses-stay",
    promise: "no address is released while DNS records of ours name it, or resolvers may remember that they did",
    watch: (view, broken) => {
      const sim = simOf();
      /** By cluster: what its DNSEndpoint named at its last change. */
      const named = new Map<string, readonly string[]>();
      /** As it stands: storage that is restored from a backup changes without an event. */
      const isNamed = (key: string, address: string) =>
        namedBy(view.objectAt(resourceOf(dnsEndpoints), key)).includes(address);
      /** Cluster and address → when it was named last. */
      const namedMs = new Map<string, number>();
      view.on("changed", ({ change: { resource, key } }) => {
        if (resource !== resourceOf(dnsEndpoints)) return;
        for (const address of named.get(key) ?? []) namedMs.set(`${key} ${address}`, view.nowMs());
        named.set(key, namedBy(view.objectAt(resource, key)));
      });
      sim.effects.on(({ call, method, changes }) => {
        const cluster = clusterOfRound(sim, call.actor);
        if (cluster === undefined) return;
        const key = keyOf(cluster);
        if (method === "deleteLoadBalancer" && !isStaying(sim, cluster)) {
          const going = changes.find(({ kind }) => kind === "loadbalancers")?.before as BalancerRecord | undefined;
          if (going !== undefined && isNamed(key, going.vipAddress))
            broken(`${call.process.name} gave back VIP ${going.vipAddress}, which the DNS records name`);
          return;
        }
        if (method !== "deleteFloatingIp") return;
        const gone = changes.find(({ kind }) => kind === "floatingips")?.before as FloatingIpRecord | undefined;
        if (gone === undefined) return;
        if (isNamed(key, gone.address))
          return broken(`${call.process.name} released ${gone.address}, which the DNS records name`);
        const outMs = view.nowMs() - (namedMs.get(`${key} ${gone.address}`) ?? Number.NEGATIVE_INFINITY);
        // When they dropped it, a restore may have made everybody forget.
        if (!isBlindAfterRestore(view) && isStaying(sim, cluster) && outMs < recordTtlSeconds * 1_000)
          broken(`${call.process.name} released ${gone.address} ${outMs} ms after the DNS records dropped it`);
      });
    },
  };
}

function namedBy(object: DnsEndpoint | undefined): readonly string[] {
  return object === undefined ? [] : publishedBy(object).addresses;
}

/** A cluster that goes takes its name along. */
function isStaying(sim: EndpointSim, cluster: EndpointCluster): boolean {
  const object = objectFor(sim, cluster);
  return object !== undefined && object.metadata.deletionTimestamp === undefined;
}
