// Delete is desiring nothing: when an object goes, everything it had in the cloud is gone already, and nothing that was asked for comes
// afterwards. What an operator prepared stays.

import type { KubeObject } from "../../../../apis/kube/kube-object.ts";
import { finalizerOf, hasFinalizer } from "../../../../core/ownership.ts";
import type { Checker } from "../../../../sim/checkers/checker.ts";
import type { BalancerRecord } from "../../../../sim/fakes/openstack/cloud-records.ts";
import { isFloatingIpMade, ownerTag } from "../../core/model/ownership.ts";
import { kindOf, resourceOf } from "../endpoint-objects.ts";
import { type EndpointSim, keyOf, objectFor, ownerIdOf } from "../endpoint-sim.ts";
import type { SimOf } from "./endpoint-checkers.ts";

export function nothingLeft(simOf: SimOf): Checker {
  return {
    name: "nothing-left",
    promise:
      "an object goes only after every balancer and every floating IP that was made for it, and none comes after it",
    watch: (view, broken) => {
      const sim = simOf();
      // A restore may bring an object back from before it was held.
      const unheld = new Set<string | undefined>();
      /** Owner ids whose object has gone for good. */
      const gone = new Set<string>();
      sim.fake.onChange(({ kind, before, after }) => {
        if (kind !== "loadbalancers" || before !== undefined || after === undefined) return;
        const { name, tags } = after as BalancerRecord;
        if ([...gone].some((owner) => tags.includes(ownerTag(owner))))
          broken(`load balancer ${name} came after its object had gone`);
      });
      view.on("restored", () => {
        for (const cluster of sim.setting.clusters) {
          const object = objectFor(sim, cluster);
          if (object !== undefined && !hasFinalizer(object, finalizerOf(cluster.door))) unheld.add(object.metadata.uid);
          // Or one that had gone.
          gone.delete(ownerIdOf(object) ?? "");
        }
      });
      view.on("changed", ({ change }) => {
        const cluster = sim.setting.clusters.find(
          (each) => resourceOf(kindOf(each.door)) === change.resource && keyOf(each) === change.key,
        );
        if (cluster === undefined) return;
        const object = change.object as unknown as KubeObject;
        const owner = ownerIdOf(object);
        if (owner !== undefined)
          sim.owners.set(owner, new Set([...(sim.owners.get(owner) ?? []), object.metadata.uid ?? ""]));
        if (change.type !== "DELETED" && hasFinalizer(object, finalizerOf(cluster.door)))
          unheld.delete(object.metadata.uid);
        if (owner !== undefined && change.type !== "DELETED") gone.delete(owner);
        if (change.type !== "DELETED" || owner === undefined || sim.moving.has(change.key)) return;
        if (!unheld.has(object.metadata.uid) && !sim.world.lostUids.has(object.metadata.uid ?? "")) gone.add(owner);
        const left = unheld.has(object.metadata.uid) ? undefined : leftOf(sim, owner);
        if (left !== undefined) broken(`${change.key} is gone and left ${left}`);
      });
    },
  };
}

export function leftOf({ fake }: EndpointSim, owner: string): string | undefined {
  const { loadbalancers, floatingips } = fake.cloud.tables;
  const [balancer] = loadbalancers.find(`tag:${ownerTag(owner)}`);
  if (balancer !== undefined) return `load balancer ${balancer.name}`;
  const floating = floatingips.all().find((one) => isFloatingIpMade(one, owner));
  return floating === undefined ? undefined : `floating IP ${floating.address}`;
}
