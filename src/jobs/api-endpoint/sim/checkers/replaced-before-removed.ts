// Make before break, in every pool: a healthy member whose machine stays leaves a pool only when another one is healthy there, or when nobody
// else was meant to be.

import { type Checker, isBlindAfterRestore } from "../../../../sim/checkers/checker.ts";
import type { MemberRecord } from "../../../../sim/fakes/openstack/cloud-records.ts";
import { zoneTagOf } from "../../core/model/ownership.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { clusterOfRound, type EndpointSim } from "../endpoint-sim.ts";
import { followRounds, type Round } from "../follow-rounds.ts";
import { zoneOfMachine } from "../people/machine-objects.ts";
import { machinesOf } from "../people/machines-wanted.ts";
import { isHealthy } from "../ways-in.ts";
import type { SimOf } from "./endpoint-checkers.ts";

export function replacedBeforeRemoved(simOf: SimOf): Checker {
  return {
    name: "replaced-before-removed",
    promise: "a healthy member whose machine stays leaves a pool only after another one was healthy in it",
    watch: (view, broken) => {
      const sim = simOf();
      const roundOf = followRounds(sim, view);
      const { members } = sim.fake.cloud.tables;
      /** Member → when it was last healthy. */
      const healthyMs = new Map<string, number>();
      sim.fake.onChange(({ kind, id, before }) => {
        if (kind === "members" && before !== undefined && isHealthy(before as MemberRecord))
          healthyMs.set(id, view.nowMs());
      });
      sim.effects.on(({ call, method, changes }) => {
        const cluster = clusterOfRound(sim, call.actor);
        const round = roundOf(call);
        if (method !== "deleteMember" || cluster === undefined || round === undefined) return;
        if (isBlindAfterRestore(view)) return;
        const gone = changes.find(({ kind }) => kind === "members")?.before as MemberRecord | undefined;
        if (gone === undefined || !isHealthy(gone) || !stays(sim, cluster, { gone, round })) return;
        const others = members.find(`pool:${gone.poolId}`).filter(({ id }) => id !== gone.id);
        const served = others.some((other) => isHealthy(other) || (healthyMs.get(other.id) ?? -1) >= round.beganMs);
        if (!served && hasOwnMachine(sim, cluster, gone))
          broken(`${call.process.name}: ${gone.name} left its pool before anybody else was healthy there`);
      });
    },
  };
}

/** Its machine is there, not on its way out, and the one that the round knew: another one of its name may have come since. */
function stays(
  sim: EndpointSim,
  cluster: EndpointCluster,
  { gone, round }: { readonly gone: MemberRecord; readonly round: Round },
): boolean {
  return machinesOf(sim, cluster).some(
    ({ metadata }) =>
      gone.name.endsWith(`-${metadata.name}`) &&
      metadata.deletionTimestamp === undefined &&
      round.machineUids.has(metadata.uid),
  );
}

/** A zone without machines has nobody to wait for. */
function hasOwnMachine(sim: EndpointSim, cluster: EndpointCluster, { loadBalancerId }: MemberRecord): boolean {
  const balancer = sim.fake.cloud.tables.loadbalancers.get(loadBalancerId);
  const zone = zoneTagOf(balancer?.tags ?? []);
  return machinesOf(sim, cluster).some(
    (machine) =>
      machine.metadata.deletionTimestamp === undefined && (zone === undefined || zoneOfMachine(machine) === zone),
  );
}
