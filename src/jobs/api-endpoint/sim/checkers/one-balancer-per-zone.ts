// One balancer for each zone and owner, whatever was lost on the way; and none that nobody would find again.

import type { Checker } from "../../../../sim/checkers/checker.ts";
import type { BalancerRecord } from "../../../../sim/fakes/openstack/cloud-records.ts";
import { zoneTagOf } from "../../core/model/ownership.ts";
import type { SimOf } from "./endpoint-checkers.ts";

export function oneBalancerPerZone(simOf: SimOf): Checker {
  return {
    name: "one-balancer-per-zone",
    promise: "there is at most one balancer for each owner and zone, and it bears its owner's mark",
    watch: (_view, broken) => {
      const sim = simOf();
      const { cloud, calls } = sim.fake;
      const { loadbalancers } = cloud.tables;
      const ownerOf = ({ tags }: BalancerRecord): string | undefined =>
        tags.find((tag) => tag.startsWith("mainstay-owner="));
      sim.effects.on(({ call, method, changes }) => {
        if (method !== "createLoadBalancer") return;
        const made = changes.find(({ kind }) => kind === "loadbalancers")?.after as BalancerRecord | undefined;
        if (made === undefined) return;
        const owner = ownerOf(made);
        if (owner === undefined) return broken(`${call.process.name} made ${made.name} without a mark`);
        const zone = zoneTagOf(made.tags);
        // One that the cloud makes late can come after any observation and before any write; that it goes again is checked by `converges`.
        const rivals = loadbalancers
          .all()
          .filter((one) => ownerOf(one) === owner && zoneTagOf(one.tags) === zone && !calls.late.made.has(one.id));
        if (rivals.length > 1)
          broken(`${call.process.name}: ${rivals.length} balancers for ${zone ?? "no zone"} of ${made.name}`);
      });
    },
  };
}
