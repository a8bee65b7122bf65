// Stands in for Cluster API and its OpenStack provider, as small as it goes: tells an OpenStackCluster whose it is, brings one control-plane
// machine to each zone when the cluster is provisioned, one after another, and takes everything away again when the Cluster goes.

import {
  type Cluster,
  clusterNameLabel,
  clusters,
  type Machine,
  machines,
} from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { type Kind, type KubeObject, refOf } from "../../../../apis/kube/kube-object.ts";
import { isKubeError } from "../../../../core/kube-error.ts";
import { hasFinalizer, isBeingDeleted } from "../../../../core/ownership.ts";
import type { Clock, Timer } from "../../../../ports/clock.ts";
import { mappingsOf } from "../../apis/load-balancer/api-server-load-balancer.ts";
import { type OpenStackCluster, openStackClusters } from "../../apis/openstack-cluster/openstack-cluster.ts";
import { bringMachine, type MachinePorts, ownerOf } from "./bring-machine.ts";

export interface ClusterApiStandInOptions extends MachinePorts {
  readonly clock: Clock;
}

const roundMs = 500;
/** Between two machines that come or go. */
const paceMs = 1_500;
/** A machine that goes is drained first: long enough to see it leave its pool. */
const drainMs = 3_000;
const clusterFinalizer = "cluster.cluster.x-k8s.io";

export class ClusterApiStandIn {
  readonly #options: ClusterApiStandInOptions;
  #timer: Timer | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;
  #nextStepMs = 0;

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
    try {
      const [owners, all] = await Promise.all([kube.list(clusters), kube.list(machines)]);
      for (const cluster of owners.items) {
        const own = all.items.filter(({ spec }) => spec?.clusterName === cluster.metadata.name);
        if (isBeingDeleted(cluster)) await this.#remove(cluster, own);
        else await this.#keep(cluster, own);
      }
      for (const machine of all.items) if (isBeingDeleted(machine)) await this.#drained(machine);
      servers.keep(new Set(all.items.map(({ metadata }) => metadata.name)));
    } catch (error) {
      // People and controllers write meanwhile: the next round looks again.
      if (!isKubeError(error)) throw error;
    }
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
    await this.#oneStep(cluster, own, mappingsOf(infrastructure.spec?.apiServerLoadBalancer));
  }

  /** A machine that is missing, else one too many: one at a time, as a rollout goes. */
  async #oneStep(
    cluster: Cluster,
    own: readonly Machine[],
    mappings: readonly { readonly availabilityZone: string }[],
  ): Promise<void> {
    const { kube, clock } = this.#options;
    if (mappings.length === 0 || clock.monotonicMs() < this.#nextStepMs) return;
    const wanted = mappings.map(({ availabilityZone }) => availabilityZone);
    const zoneOf = ({ spec }: Machine) => spec?.failureDomain ?? "";
    const empty = wanted.find((zone) => !own.some((machine) => zoneOf(machine) === zone));
    this.#nextStepMs = clock.monotonicMs() + paceMs;
    if (empty !== undefined) return await bringMachine(this.#options, cluster, empty);
    const unwanted = own.find((machine) => !wanted.includes(zoneOf(machine)) && !isBeingDeleted(machine));
    if (unwanted !== undefined) await kube.delete(machines, refOf(unwanted));
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
