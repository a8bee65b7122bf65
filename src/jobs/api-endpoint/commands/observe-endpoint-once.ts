// Observes everything a cluster's endpoint is made of, as the controllers do and without their memory; also for objects that they would
// leave alone, for they are paused, or nobody has claimed them, or they are only proposed. Writes nothing.

import { type KubeObject, refOf } from "../../../apis/kube/kube-object.ts";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import { invariant } from "../../../core/errors.ts";
import { observeOnce } from "../../../engine/round/observe-once.ts";
import type { KubeReader } from "../../../ports/kube.ts";
import type { ClusterFacts, FrontDoor } from "../controller/front-door.ts";
import { CloudMemory } from "../controller/memory.ts";
import { observeFrontDoor } from "../controller/observe-front-door.ts";
import { partWatches } from "../controller/watches.ts";
import type { EndpointObserved } from "../core/model/observed.ts";

export interface EndpointQuestion {
  readonly door: FrontDoor;
  readonly object: KubeObject;
  readonly cluster: ClusterFacts;
  readonly kube: KubeReader;
  readonly ports: Pick<CliPorts, "clock" | "openStack" | "interrupted">;
}

/** Stands in where an object has no owner id yet; nothing in any cloud is marked with it. */
const nobody = "unclaimed";

export async function observeEndpointOnce(question: EndpointQuestion): Promise<EndpointObserved> {
  const { door, object, cluster, kube, ports } = question;
  const { clock, openStack, interrupted } = ports;
  const asked = door.intentOf(object, cluster);
  const ownerId = asked.ownerId ?? object.metadata.uid ?? nobody;
  const intent = { ...asked, ownerId };
  const standing = { is: "ours", ownerId } as const;
  const memory = new CloudMemory();
  const once = await observeOnce<EndpointObserved>(
    {
      name: door.name,
      root: door.root,
      watches: partWatches(() => cluster.ref, memory.clusterKeys),
      observe: (_key, reader) =>
        observeFrontDoor({ door, object, cluster, intent, standing, reader, openStack, memory }),
    },
    refOf(object),
    { kube, clock, root: object, ...(interrupted === undefined ? {} : { signal: interrupted }) },
  );
  invariant(once.found === "observed", `${door.name}: nothing that it reads is needed to observe an endpoint once`);
  return once.observed;
}
