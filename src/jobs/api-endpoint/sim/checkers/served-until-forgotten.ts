// A balancer that lets people in goes only when nobody can be on the way to it any more: its zone has been out of the mapping for as long
// as a resolver may remember it. Judged by the wish alone, which is never younger than the records that were made of it.

import { blindAfterRestoreMs, type Checker } from "../../../../sim/checkers/checker.ts";
import type { BalancerRecord } from "../../../../sim/fakes/openstack/cloud-records.ts";
import { recordTtlSeconds } from "../../core/dns/dns-endpoint.ts";
import { ownerTag, zoneTagOf } from "../../core/model/ownership.ts";
import { kindOf, resourceOf } from "../endpoint-objects.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { clusterOfRound, type EndpointStage, keyOf, objectFor, ownerIdOf } from "../endpoint-stage.ts";
import { followRounds } from "../rounds-begun.ts";
import { followWays } from "../ways-in.ts";
import type { StageOf } from "./endpoint-checkers.ts";

interface Wished {
  readonly spec?: {
    readonly apiServerLoadBalancer?: {
      readonly availabilityZoneSubnets?: readonly { availabilityZone: string }[] | null;
    };
  };
  readonly status?: { readonly initialization?: { readonly provisioned?: boolean } };
}

export function servedUntilForgotten(stageOf: StageOf): Checker {
  return {
    name: "served-until-forgotten",
    promise:
      "a balancer that serves goes only when its zone has been out of the mapping for as long as resolvers remember it",
    watch: (view, broken) => {
      const stage = stageOf();
      const roundOf = followRounds(stage, view);
      const history = followWays(stage);
      /** Cluster and zone → when it was last mapped. */
      const mappedMs = new Map<string, number>();
      const note = (cluster: EndpointCluster): void => {
        for (const zone of mappedZones(stage, cluster)) mappedMs.set(`${keyOf(cluster)} ${zone}`, view.nowMs());
      };
      view.on("changed", ({ change }) => {
        for (const cluster of stage.setting.clusters)
          if (change.resource === resourceOf(kindOf(cluster.door)) && change.key === keyOf(cluster)) note(cluster);
      });
      // What held until a change is told only after it.
      view.on("arrived", () => stage.setting.clusters.forEach(note));
      stage.deeds.on(({ call, method, changes }) => {
        const cluster = clusterOfRound(stage, call.actor);
        const round = roundOf(call);
        const row = changes.find(({ kind }) => kind === "loadbalancers")?.before as BalancerRecord | undefined;
        if (method !== "deleteLoadBalancer" || cluster === undefined || round === undefined || row === undefined)
          return;
        if (view.nowMs() < view.restoredAtMs() + blindAfterRestoreMs) return;
        const zone = zoneTagOf(row.tags);
        if (zone === undefined || !isWanted(stage, cluster) || hasTwin(stage, cluster, row)) return;
        if (mappedZones(stage, cluster).includes(zone)) return;
        // The last state is what the deed itself led to.
        const before = history.since(cluster, round.beganMs).slice(0, -1);
        const served = before.length > 0 && before.every((ways) => ways.has(row.id));
        const outMs = view.nowMs() - (mappedMs.get(`${keyOf(cluster)} ${zone}`) ?? 0);
        if (served && outMs < recordTtlSeconds * 1_000)
          broken(`${call.process.name}: ${row.name} went ${outMs} ms after its zone, while people were led to it`);
      });
    },
  };
}

function wished(stage: EndpointStage, cluster: EndpointCluster): Wished | undefined {
  return objectFor(stage, cluster) as Wished | undefined;
}

function mappedZones(stage: EndpointStage, cluster: EndpointCluster): readonly string[] {
  const mapping = wished(stage, cluster)?.spec?.apiServerLoadBalancer?.availabilityZoneSubnets ?? [];
  return mapping.map(({ availabilityZone }) => availabilityZone);
}

/** Being deleted is the end of its name, and one that never began had none. */
function isWanted(stage: EndpointStage, cluster: EndpointCluster): boolean {
  const object = objectFor(stage, cluster);
  const isProvisioned = wished(stage, cluster)?.status?.initialization?.provisioned ?? false;
  return object !== undefined && object.metadata.deletionTimestamp === undefined && isProvisioned;
}

function hasTwin(stage: EndpointStage, cluster: EndpointCluster, { id, tags }: BalancerRecord): boolean {
  const owner = ownerIdOf(objectFor(stage, cluster)) ?? "";
  const zone = zoneTagOf(tags);
  return stage.fake.cloud.tables.loadbalancers
    .all()
    .some((other) => other.id !== id && other.tags.includes(ownerTag(owner)) && zoneTagOf(other.tags) === zone);
}
