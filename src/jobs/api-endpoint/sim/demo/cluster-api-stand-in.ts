// Stands in for Cluster API and its OpenStack provider, as small as it goes, for any number of clusters: tells an OpenStackCluster whose it
// is, brings one control-plane machine to each zone when the cluster is provisioned, one after another, and takes everything away again when
// the Cluster goes. The machine of a zone that is no longer mapped stays, as Cluster API would leave it.

import {
  type Cluster,
  clusterNameLabel,
  clusters,
  type Machine,
  machines,
} from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { formatRef, type Kind, type KubeObject, refOf } from "../../../../apis/kube/kube-object.ts";
import { isKubeError } from "../../../../core/kube-error.ts";
import { hasFinalizer, isBeingDeleted } from "../../../../core/ownership.ts";
import type { Clock, Timer } from "../../../../ports/clock.ts";
import { mappingsOf } from "../../apis/load-balancer/api-server-load-balancer.ts";
import { type OpenStackCluster, openStackClusters } from "../../apis/openstack-cluster/openstack-cluster.ts";
import { bringMachine, type MachinePorts, ownerOf, serverNameOf } from "./bring-machine.ts";

export interface ClusterApiStandInOptions extends MachinePorts {
  readonly clock: Clock;
}

const roundMs = 500;
/** Between two machines of a cluster. */
const paceMs = 1_500;
/** A machine that goes is drained first: long enough to see it leave its pool. */
const drainMs = 3_000;
const clusterFinalizer = "cluster.cluster.x-k8s.io";

export class ClusterApiStandIn {
  readonly #options: ClusterApiStandInOptions;
  #timer: Timer | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;
  /** When the next machine of a cluster may come, by the cluster: each goes at its own pace. */
  readonly #nextMachineMs = new Map<string, number>();

  constructor(options: ClusterApiStandInOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#stopped) return;
    this.#running = this.#round().finally(() => {
      if (!this.#stopped) this.#timer = this.#options.clock.after(roundMs, () => this.start());
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#running;
  }

  async #round(): Promise<void> {
    const { kube, servers } = this.#options;
    await lookAgainLater(async () => {
      const [owners, all] = await Promise.all([kube.list(clusters), kube.list(machines)]);
      for (const cluster of owners.items) {
        const own = all.items.filter((machine) => isOf(cluster, machine));
        await lookAgainLater(() => (isBeingDeleted(cluster) ? this.#remove(cluster, own) : this.#keep(cluster, own)));
      }
      for (const machine of all.items) if (isBeingDeleted(machine)) await lookAgainLater(() => this.#drained(machine));
      servers.keep(new Set(all.items.map(serverNameOf)));
    });
  }

  async #keep(cluster: Cluster, own: readonly Machine[]): Promise<void> {
    const { kube } = this.#options;
    if (!hasFinalizer(cluster, clusterFinalizer)) await this.#finalize(clusters, cluster, [clusterFinalizer]);
    const infrastructure = await this.#infrastructureOf(cluster);
    if (infrastructure === undefined || isBeingDeleted(infrastructure)) return;
    await this.#adopt(cluster, infrastructure);
    if (infrastructure.status?.initialization?.provisioned !== true) return;
    if (cluster.spec?.controlPlaneEndpoint === undefined) {
      const body = {
        spec: { controlPlaneEndpoint: infrastructure.spec?.controlPlaneEndpoint },
        status: { phase: "Provisioned" },
      };
      await kube.patch(clusters, refOf(cluster), { type: "merge", body });
    }
    await this.#bringNext(cluster, own, mappingsOf(infrastructure.spec?.apiServerLoadBalancer));
  }

  /** For the first zone that has no machine. */
  async #bringNext(
    cluster: Cluster,
    own: readonly Machine[],
    mappings: readonly { readonly availabilityZone: string }[],
  ): Promise<void> {
    const nowMs = this.#options.clock.monotonicMs();
    const key = formatRef(refOf(cluster));
    if (nowMs < (this.#nextMachineMs.get(key) ?? 0)) return;
    const empty = mappings.find(({ availabilityZone: zone }) => !own.some(({ spec }) => spec?.failureDomain === zone));
    if (empty === undefined) return;
    this.#nextMachineMs.set(key, nowMs + paceMs);
    await bringMachine(this.#options, cluster, empty.availabilityZone);
  }

  async #adopt(cluster: Cluster, infrastructure: OpenStackCluster): Promise<void> {
    const { ownerReferences = [], labels = {} } = infrastructure.metadata;
    if (ownerReferences.some(({ kind }) => kind === clusters.kind)) return;
    const metadata = {
      ownerReferences: [...ownerReferences, ownerOf(cluster)],
      labels: { ...labels, [clusterNameLabel]: cluster.metadata.name },
    };
    const change = { type: "merge", body: { metadata } } as const;
    await this.#options.kube.patch(openStackClusters, refOf(infrastructure), change);
  }

  /** Machines first, then what they stood on, then the Cluster itself. */
  async #remove(cluster: Cluster, own: readonly Machine[]): Promise<void> {
    const { kube } = this.#options;
    for (const machine of own) if (!isBeingDeleted(machine)) await kube.delete(machines, refOf(machine));
    if (own.length > 0) return;
    const infrastructure = await this.#infrastructureOf(cluster);
    if (infrastructure === undefined) await this.#finalize(clusters, cluster, []);
    else if (!isBeingDeleted(infrastructure)) await kube.delete(openStackClusters, refOf(infrastructure));
  }

  async #drained(machine: Machine): Promise<void> {
    const sinceMs = Date.parse(machine.metadata.deletionTimestamp ?? "");
    if (this.#options.clock.nowMs() - sinceMs < drainMs) return;
    await this.#finalize(machines, machine, []);
  }

  async #finalize(kind: Kind, object: KubeObject, finalizers: readonly string[]): Promise<void> {
    await this.#options.kube.patch(kind, refOf(object), { type: "merge", body: { metadata: { finalizers } } });
  }

  async #infrastructureOf({ metadata, spec }: Cluster): Promise<OpenStackCluster | undefined> {
    const { kind, name } = spec?.infrastructureRef ?? {};
    if (kind !== openStackClusters.kind || name === undefined) return undefined;
    const ref = { name, namespace: metadata.namespace ?? "" };
    return await this.#options.kube.get(openStackClusters, ref).catch((error: unknown) => {
      if (isKubeError(error, "NotFound")) return undefined;
      throw error;
    });
  }
}

function isOf({ metadata: { name, namespace } }: Cluster, { metadata, spec }: Machine): boolean {
  return spec?.clusterName === name && metadata.namespace === namespace;
}

/** People and controllers write meanwhile: what is refused is tried again in the next round, and holds up nothing else of this one. */
async function lookAgainLater(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!isKubeError(error)) throw error;
  }
}
