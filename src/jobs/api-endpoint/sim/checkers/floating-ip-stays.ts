// No floating IP is taken from where it is, and none is put anywhere but on a VIP of the one it is done for.

import type { Checker } from "../../../../sim/checkers/checker.ts";
import type { FloatingIpRecord } from "../../../../sim/fakes/openstack/cloud-records.ts";
import { ownerTag } from "../../core/model/ownership.ts";
import { clusterOfRound, objectFor, ownerIdOf } from "../endpoint-sim.ts";
import type { SimOf } from "./endpoint-checkers.ts";

export function floatingIpStays(simOf: SimOf): Checker {
  return {
    name: "floating-ip-stays",
    promise: "a floating IP is never moved from one port to another, and attached to our own VIPs alone",
    watch: (_view, broken) => {
      const sim = simOf();
      const { loadbalancers } = sim.fake.cloud.tables;
      sim.effects.on(({ call, changes }) => {
        const cluster = clusterOfRound(sim, call.actor);
        const owner = cluster === undefined ? undefined : ownerIdOf(objectFor(sim, cluster));
        if (cluster === undefined || owner === undefined) return;
        const vips = new Set(
          loadbalancers
            .all()
            .filter(({ id, tags }) => tags.includes(ownerTag(owner)) || sim.legacy.get(id) === cluster)
            .map(({ vipPortId }) => vipPortId),
        );
        for (const { kind, before, after } of changes) {
          if (kind !== "floatingips" || after === undefined) continue;
          const was = (before as FloatingIpRecord | undefined)?.portId;
          const { portId: is, address } = after as FloatingIpRecord;
          if (is === undefined || is === was) continue;
          if (was !== undefined)
            return broken(`${call.process.name} moved floating IP ${address} from port ${was} to ${is}`);
          if (!vips.has(is))
            return broken(`${call.process.name} put floating IP ${address} on port ${is}, which is no VIP of ours`);
        }
      });
    },
  };
}
