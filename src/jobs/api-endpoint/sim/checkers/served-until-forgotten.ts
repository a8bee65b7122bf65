// A balancer that lets people in goes only when nobody can be on the way to it any more: its zone has been out of the mapping for as long
// as a resolver may remember it. Checked by what is desired alone, which is never younger than the records that were made of it.

import { type Checker, isBlindAfterRestore } from "../../../../sim/checkers/checker.ts";
import type { BalancerRecord } from "../../../../sim/fakes/openstack/cloud-records.ts";
import { recordTtlSeconds } from "../../core/dns/dns-endpoint.ts";
import { ownerTag, zoneTagOf } from "../../core/model/ownership.ts";
import { kindOf, resourceOf } from "../endpoint-objects.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { clusterOfRound, type EndpointSim, keyOf, objectFor, ownerIdOf } from "../endpoint-sim.ts";
import { followRounds } from "../follow-rounds.ts";
import { followWays } from "../ways-in.ts";
import type { SimOf } from "./endpoint-checkers.ts";

interface Wished {
  readonly spec?: {
    readonly apiServerLoadBalancer?: {
      readonly availabilityZoneSubnets?: readonly { availabilityZone: string }[] | null;
    };
  };
  readonly status?: { readonly initialization?: { readonly provisioned?: boolean } };
}

export function servedUntilForgotten(simOf: SimOf): Checker {
  return {
    name: "served-until-forgotten",
    promise:
      "a balancer that serves goes only when its zone has been out of the mapping for as long as resolvers remember it",
    watch: (view, broken) => {
      const sim = simOf();
      const roundOf = followRounds(sim, view);
      const history = followWays(sim);
      /** Cluster and zone → when it was last mapped. */
      const mappedMs = new Map<string, number>();
      const note = (cluster: EndpointCluster): void => {
        for (const zone of mappedZones(sim, cluster)) mappedMs.set(`${keyOf(cluster)} ${zone}`, view.nowMs());
      };
      view.on("changed", ({ change }) => {
        for (const cluster of sim.setting.clusters)
          if (change.resource === resourceOf(kindOf(cluster.door)) && change.key === keyOf(cluster)) note(cluster);
      });
      // The change itself comes after what it changed: what held until then is noted here.
      view.on("arrived", () => sim.setting.clusters.forEach(note));
      sim.effects.on(({ call, method, changes }) => {
        const cluster = clusterOfRound(sim, call.actor);
        const round = roundOf(call);
        const row = changes.find(({ kind }) => kind === "loadbalancers")?.before as BalancerRecord | undefined;
        if (method !== "deleteLoadBalancer" || cluster === undefined || round === undefined || row === undefined)
          return;
        if (isBlindAfterRestore(view)) return;
        const zone = zoneTagOf(row.tags);
        if (zone === undefined || !isWanted(sim, cluster) || hasDuplicate(sim, cluster, row)) return;
        if (mappedZones(sim, cluster).includes(zone)) return;
        // The last state is what the effect itself led to.
        const before = history.since(cluster, round.beganMs).slice(0, -1);
        const served = before.length > 0 && before.every((ways) => ways.has(row.id));
        const outMs = view.nowMs() - (mappedMs.get(`${keyOf(cluster)} ${zone}`) ?? 0);
        if (served && outMs < recordTtlSeconds * 1_000)
          broken(`${call.process.name}: ${row.name} went ${outMs} ms after its zone, while people were led to it`);
      });
    },
  };
}

function wished(sim: EndpointSim, cluster: EndpointCluster): Wished | undefined {
  return objectFor(sim, cluster) as Wished | undefined;
}

function mappedZones(sim: EndpointSim, cluster: EndpointCluster): readonly string[] {
  const mapping = wished(sim, cluster)?.spec?.apiServerLoadBalancer?.availabilityZoneSubnets ?? [];
  return mapping.map(({ availabilityZone }) => availabilityZone);
}

/** Being deleted is the end of its name, and one that never began had none. */
function isWanted(sim: EndpointSim, cluster: EndpointCluster): boolean {
  const object = objectFor(sim, cluster);
  const isProvisioned = wished(sim, cluster)?.status?.initialization?.provisioned ?? false;
  return object !== undefined && object.metadata.deletionTimestamp === undefined && isProvisioned;
}

function hasDuplicate(sim: EndpointSim, cluster: EndpointCluster, { id, tags }: BalancerRecord): boolean {
  const owner = ownerIdOf(objectFor(sim, cluster)) ?? "";
  const zone = zoneTagOf(tags);
  return sim.fake.cloud.tables.loadbalancers
    .all()
    .some((other) => other.id !== id && other.tags.includes(ownerTag(owner)) && zoneTagOf(other.tags) === zone);
}
