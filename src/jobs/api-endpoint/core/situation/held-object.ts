// An object that is being deleted, that we are done with, and that somebody else's finalizer holds. Silence would look as if we did.

import type { Refusal } from "../../../../core/plan.ts";
import { capoFinalizer } from "../../apis/openstack-cluster/openstack-cluster.ts";
import type { EndpointObserved } from "../model/observed.ts";

export function heldRefusals({ intent, object: { foreignFinalizers = [] } }: EndpointObserved): readonly Refusal[] {
  const { namespace = "", name } = intent.object;
  return foreignFinalizers.toSorted().map((finalizer) => {
    const whose =
      finalizer === capoFinalizer
        ? "it is CAPO's, which leaves alone what somebody else manages; remove it when nothing is left of what CAPO made"
        : "whoever set it must remove it";
    const message = `${intent.door} ${namespace}/${name}: Mainstay is done with it, and finalizer ${finalizer} still holds it: ${whose}`;
    return { reason: "ForeignFinalizer", message };
  });
}
