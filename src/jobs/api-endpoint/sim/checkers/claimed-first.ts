// Nothing is made before the object says by which id it will be found again, and before it is held: or a crash right after would leak it.

import { finalizerOf, hasFinalizer } from "../../../../core/ownership.ts";
import { type Checker, isBlindAfterRestore } from "../../../../sim/checkers/checker.ts";
import { clusterOfRound, keyOf, objectFor, ownerIdOf } from "../endpoint-sim.ts";
import type { SimOf } from "./endpoint-checkers.ts";

export function claimedFirst(simOf: SimOf): Checker {
  return {
    name: "claimed-first",
    promise: "a balancer or a floating IP is made only for an object that bears its owner id and our finalizer",
    watch: (view, broken) => {
      const sim = simOf();
      view.on("arrived", ({ call }) => {
        if (call.port !== "cloud" || !["createLoadBalancer", "createFloatingIp"].includes(call.verb)) return;
        const cluster = clusterOfRound(sim, call.actor);
        const object = cluster === undefined ? undefined : objectFor(sim, cluster);
        if (cluster === undefined || object === undefined || object.metadata.uid !== call.actor?.uid) return;
        if (sim.moving.has(keyOf(cluster)) || isBlindAfterRestore(view)) return;
        const owner = ownerIdOf(object);
        const isMarked = /mainstay-owner=|for owner /.test(call.body);
        if (owner === undefined || (isMarked && !call.body.includes(owner)))
          broken(`${call.process.name} made something for ${keyOf(cluster)} under an id that the object does not bear`);
        else if (!hasFinalizer(object, finalizerOf(cluster.door)))
          broken(`${call.process.name} made something for ${keyOf(cluster)}, which nothing holds`);
      });
    },
  };
}
