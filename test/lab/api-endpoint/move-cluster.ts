// What `clusterctl move` does, on one server: paused, every object written down, deleted as clusterctl does it, and made again with a new
// uid and without status; then unpaused.

import { setTimeout as sleep } from "node:timers/promises";
import { clusters, machines, openStackMachines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import type { Kind, KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { asMoved, stepsOf, unlessGone } from "../../api-endpoint/world/clusterctl-move.ts";
import { until } from "../until.ts";
import { conditionOf, namespace, readInfrastructure } from "./cluster-objects.ts";
import { callsBetween } from "./controller-process.ts";
import type { EndpointLab } from "./endpoint-lab.ts";

/** Answers with the number of calls to the cloud from the moment the pause was seen until it ended. */
export async function moveCluster(lab: EndpointLab, name: string): Promise<number> {
  await pause(lab, name, true);
  await until("the pause to be seen", async () =>
    conditionOf(await readInfrastructure(lab, name), "Paused").startsWith("True"),
  );
  const before = await lab.controller.cloudCalls();
  const kinds: readonly Kind[] = [clusters, openStackClusters, machines, openStackMachines];
  const written: (readonly [Kind, KubeObject])[] = [];
  for (const kind of kinds) {
    const { items } = await lab.kube.list<KubeObject>(kind, { namespace });
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

export async function pause({ kube }: EndpointLab, name: string, paused: boolean): Promise<void> {
  await kube.patch(clusters, { name, namespace }, { type: "merge", body: { spec: { paused } } });
}

function belongs({ metadata }: KubeObject, cluster: string): boolean {
  return metadata.name === cluster || metadata.labels?.["cluster.x-k8s.io/cluster-name"] === cluster;
}

/**
 * Slowly before and after: whoever takes it for an object to clean up after has the time. The finalizers go again and again, as Cluster API's
 * managers may put theirs back in between.
 */
export async function takeAway({ kube }: EndpointLab, kind: Kind, { metadata }: KubeObject): Promise<void> {
  const ref = { name: metadata.name, namespace };
  const [mark, ...deletion] = stepsOf("clusterctl");
  if (mark !== undefined) await unlessGone(mark(kube, kind, ref));
  await sleep(500);
  await until(`${kind.plural}/${ref.name} to be gone`, async () => {
    for (const step of deletion) await unlessGone(step(kube, kind, ref));
    const { items } = await kube.list<KubeObject>(kind, { namespace });
    return !items.some((object) => object.metadata.name === ref.name);
  });
  await sleep(500);
}
