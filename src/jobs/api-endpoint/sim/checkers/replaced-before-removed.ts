// Make before break, in every pool: a healthy member whose machine stays leaves a pool only when another one is healthy there, or when nobody
// else was meant to be.

import { clusterNameLabel, type Machine, machines } from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { blindAfterRestoreMs, type Checker } from "../../../../sim/checkers/checker.ts";
import type { MemberRecord } from "../../../../sim/fakes/openstack/cloud-records.ts";
import { zoneTagOf } from "../../core/model/ownership.ts";
import { resourceOf } from "../endpoint-objects.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { clusterOfRound, type EndpointStage } from "../endpoint-stage.ts";
import { zoneOfMachine } from "../people/machine-objects.ts";
import { followRounds, type Round } from "../rounds-begun.ts";
import { isHealthy } from "../ways-in.ts";
import type { StageOf } from "./endpoint-checkers.ts";

export function replacedBeforeRemoved(stageOf: StageOf): Checker {
  return {
    name: "replaced-before-removed",
    promise: "a healthy member whose machine stays leaves a pool only after another one was healthy in it",
    watch: (view, broken) => {
      const stage = stageOf();
      const roundOf = followRounds(stage, view);
      const { members } = stage.fake.cloud.tables;
      /** Member → when it was last healthy. */
      const healthyMs = new Map<string, number>();
      stage.fake.onChange(({ kind, id, before }) => {
        if (kind === "members" && before !== undefined && isHealthy(before as MemberRecord))
          healthyMs.set(id, view.nowMs());
      });
      stage.deeds.on(({ call, method, changes }) => {
        const cluster = clusterOfRound(stage, call.actor);
        const round = roundOf(call);
        if (method !== "deleteMember" || cluster === undefined || round === undefined) return;
        if (view.nowMs() < view.restoredAtMs() + blindAfterRestoreMs) return;
        const gone = changes.find(({ kind }) => kind === "members")?.before as MemberRecord | undefined;
        if (gone === undefined || !isHealthy(gone) || !stays(stage, cluster, { gone, round })) return;
        const others = members.find(`pool:${gone.poolId}`).filter(({ id }) => id !== gone.id);
        const served = others.some((other) => isHealthy(other) || (healthyMs.get(other.id) ?? -1) >= round.beganMs);
        if (!served && hasOwnMachine(stage, cluster, gone))
          broken(`${call.process.name}: ${gone.name} left its pool before anybody else was healthy there`);
      });
    },
  };
}

function controlPlane({ world }: EndpointStage, { namespace, name }: EndpointCluster): readonly Machine[] {
  return world.view
    .objects(resourceOf(machines))
    .filter(({ metadata }) => metadata.namespace === namespace && metadata.labels?.[clusterNameLabel] === name);
}

/** Its machine is there, not on its way out, and the one that the round knew: another one of its name may have come since. */
function stays(
  stage: EndpointStage,
  cluster: EndpointCluster,
  { gone, round }: { readonly gone: MemberRecord; readonly round: Round },
): boolean {
  return controlPlane(stage, cluster).some(
    ({ metadata }) =>
      gone.name.endsWith(`-${metadata.name}`) &&
      metadata.deletionTimestamp === undefined &&
      round.machineUids.has(metadata.uid),
  );
}

/** A zone without machines has nobody to wait for. */
function hasOwnMachine(stage: EndpointStage, cluster: EndpointCluster, { loadBalancerId }: MemberRecord): boolean {
  const balancer = stage.fake.cloud.tables.loadbalancers.get(loadBalancerId);
  const zone = zoneTagOf(balancer?.tags ?? []);
  return controlPlane(stage, cluster).some(
    (machine) =>
      machine.metadata.deletionTimestamp === undefined && (zone === undefined || zoneOfMachine(machine) === zone),
  );
}
