// What `clusterctl move` does, on one server: paused, every object written down, deleted without its finalizers, and made again with a new
// uid and without status; then unpaused.

import { setTimeout as sleep } from "node:timers/promises";
import { clusters, machines, openStackMachines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import type { Kind, KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { isKubeError } from "../../../src/core/kube-error.ts";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { until } from "../until.ts";
import { conditionOf, namespace, readInfrastructure } from "./cluster-objects.ts";
import { callsBetween } from "./controller-process.ts";
import type { EndpointLab } from "./endpoint-lab.ts";

type Whole = KubeObject & { readonly spec?: object; readonly status?: unknown };

/** Answers with the number of calls to the cloud from the moment the pause was seen until it ended. */
export async function moveCluster(lab: EndpointLab, name: string): Promise<number> {
  await pause(lab, name, true);
  await until("the pause to be seen", async () =>
    conditionOf(await readInfrastructure(lab, name), "Paused").startsWith("True"),
  );
  const before = await lab.controller.cloudCalls();
  const kinds: readonly Kind<Whole>[] = [
    clusters,
    openStackClusters,
    machines,
    openStackMachines,
  ] as readonly Kind<Whole>[];
  const written: (readonly [Kind<Whole>, Whole])[] = [];
  for (const kind of kinds) {
    const { items } = await lab.kube.list<Whole>(kind, { namespace });
    written.push(...items.filter((object) => belongs(object, name)).map((object) => [kind, object] as const));
  }
  for (const [kind, object] of written.toReversed()) await takeAway(lab, kind, object);
  const uids = new Map<string, string>();
  for (const [kind, object] of written) {
    const made = await lab.kube.create(kind, asMoved(object, uids));
    uids.set(object.metadata.uid ?? "", made.metadata.uid ?? "");
  }
  // Longer than two looks at a cluster that is not paused.
  await sleep(8_000);
  const calls = callsBetween(before, await lab.controller.cloudCalls());
  await pause(lab, name, false);
  return calls;
}

async function pause({ kube }: EndpointLab, name: string, paused: boolean): Promise<void> {
  await kube.patch(clusters, { name, namespace }, { type: "merge", body: { spec: { paused } } });
}

function belongs({ metadata }: Whole, cluster: string): boolean {
  return metadata.name === cluster || metadata.labels?.["cluster.x-k8s.io/cluster-name"] === cluster;
}

/** Deleting first: an object on its way out that is paused must not be taken for one to clean up after. */
async function takeAway({ kube }: EndpointLab, kind: Kind<Whole>, { metadata }: Whole): Promise<void> {
  const ref = { name: metadata.name, namespace };
  await kube.delete(kind, ref);
  await sleep(500);
  try {
    await kube.patch(kind, ref, { type: "merge", body: { metadata: { finalizers: null } } });
  } catch (error) {
    if (!isKubeError(error, "NotFound")) throw error;
  }
}

function asMoved({ apiVersion, kind, metadata, spec }: Whole, uids: ReadonlyMap<string, string>): Whole {
  const { name, labels, annotations, finalizers, ownerReferences = [] } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ownerReferences: ownerReferences.map((owner) => ({ ...owner, uid: uids.get(owner.uid) ?? owner.uid })),
    },
    ...(spec === undefined ? {} : { spec }),
  };
}
