// No floating IP is leaked: a lost answer, a crash or a move never leads to a second one for the same balancer.

import type { Checker } from "../../../../sim/checkers/checker.ts";
import type { FloatingIpRecord } from "../../../../sim/fakes/openstack/cloud-records.ts";
import { isFloatingIpFor, isFloatingIpMade } from "../../core/model/ownership.ts";
import { zonesOfCloud } from "../endpoint-setting.ts";
import type { SimOf } from "./endpoint-checkers.ts";

export function oneFloatingIpPerZone(simOf: SimOf): Checker {
  return {
    name: "one-floating-ip-per-zone",
    promise: "there is at most one floating IP that we made for each owner and zone, and it bears its owner's mark",
    watch: (_view, broken) => {
      const sim = simOf();
      const { floatingips } = sim.fake.cloud.tables;
      sim.effects.on(({ method, changes, call }) => {
        if (method !== "createFloatingIp") return;
        const made = changes.find(({ kind }) => kind === "floatingips")?.after as FloatingIpRecord | undefined;
        if (made === undefined) return;
        const owner = [...sim.owners.keys()].find((id) => isFloatingIpMade(made, id));
        if (owner === undefined) return broken(`${call.process.name} made floating IP ${made.address} without a mark`);
        // By its own mark: it may be on no port yet.
        const zone = [undefined, ...zonesOfCloud].find((each) => isFloatingIpFor(made, owner, each));
        const rivals = floatingips
          .all()
          .filter((one) => isFloatingIpMade(one, owner) && isFloatingIpFor(one, owner, zone));
        if (rivals.length > 1) broken(`${rivals.map(({ address }) => address).join(" and ")} are for one balancer`);
      });
    },
  };
}
