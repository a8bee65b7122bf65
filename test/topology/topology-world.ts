// A cluster for topology tests: definitions installed, nothing in it, and everything taken away afterwards. It runs on the
// fake and on a real API server alike.

import { configMaps, customResourceDefinitions, namespaces, nodes } from "../../src/apis/kube/builtin-kinds.ts";
import type { CustomResourceDefinition } from "../../src/apis/kube/crd.ts";
import { type Kind, type KubeObject, type ObjectRef, refOf } from "../../src/apis/kube/kube-object.ts";
import { installCrds } from "../../src/cli/install-crds.ts";
import { definitionsOf } from "../../src/core/job/declaration.ts";
import { isKubeError } from "../../src/core/kube-error.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { systemRandom } from "../../src/drivers/system/system-random.ts";
import type { Metrics } from "../../src/engine/report/metrics.ts";
import { allJobs } from "../../src/jobs/all.ts";
import { clusterVersions } from "../../src/jobs/topology/apis/cluster-version.ts";
import { type Infrastructure, infrastructures } from "../../src/jobs/topology/apis/infrastructure.ts";
import { type TopologyReport, topologyReports } from "../../src/jobs/topology/apis/topology-report.ts";
import { type TopologySettings, topologyFeature } from "../../src/jobs/topology/controller/feature.ts";
import { installConfigRef } from "../../src/jobs/topology/controller/sources.ts";
import type { Kube } from "../../src/ports/kube.ts";
import type { Log } from "../../src/ports/log.ts";
import type { KubeTargetSession } from "../contract/kube-target.ts";
import { quietLog } from "../support/quiet-log.ts";
import { startTestManager } from "../support/test-manager.ts";

export interface RunningManager {
  readonly metrics: Metrics;
  stop(): Promise<void>;
}

const crds = definitionsOf(allJobs).map(({ crd }) => crd);

export class TopologyWorld {
  readonly kube: Kube;
  readonly session: KubeTargetSession;
  readonly #managers: RunningManager[] = [];
  readonly #made: { readonly kind: Kind; readonly ref: ObjectRef }[] = [];

  constructor(session: KubeTargetSession) {
    this.session = session;
    this.kube = session.admin;
  }

  async installDefinitions(definitions: readonly CustomResourceDefinition[] = crds): Promise<void> {
    await installCrds(
      this.kube,
      systemClock,
      definitions.map((crd) => ({ crd })),
    );
    await eventually(async () => {
      for (const { spec } of definitions) {
        const [version] = spec.versions;
        await this.kube.request({ method: "GET", path: `/apis/${spec.group}/${version?.name}/${spec.names.plural}` });
      }
    });
  }

  async create<T extends KubeObject>(kind: Kind<T>, object: T): Promise<T> {
    const created = await this.kube.create(kind, object);
    this.#made.push({ kind, ref: refOf(object) });
    return created;
  }

  /** As other writers do it: whatever else they say, the schema's defaults come with it. */
  async setStatus(status: Readonly<Record<string, unknown>>): Promise<Infrastructure> {
    return await this.kube.patch(
      infrastructures,
      cluster,
      { type: "merge", body: { status } },
      { subresource: "status" },
    );
  }

  async request(controlPlaneTopology: string | null): Promise<Infrastructure> {
    return await this.kube.patch(infrastructures, cluster, { type: "merge", body: { spec: { controlPlaneTopology } } });
  }

  async infrastructure(): Promise<Infrastructure> {
    return await this.kube.get(infrastructures, cluster);
  }

  async report(): Promise<TopologyReport> {
    return await this.kube.get(topologyReports, cluster);
  }

  async condition(type: string): Promise<string> {
    const { status } = await this.report();
    const found = status?.conditions?.find((condition) => condition.type === type);
    return `${found?.status} ${found?.reason}`;
  }

  async published(): Promise<readonly [string | undefined, string | undefined]> {
    const { status } = await this.infrastructure();
    return [status?.controlPlaneTopology, status?.infrastructureTopology];
  }

  async addNodes(role: string, count: number, ready = true): Promise<void> {
    for (let number = 0; number < count; number += 1) {
      const name = `topology-${role}-${number}`;
      const labels = role === "worker" ? {} : { [`node-role.kubernetes.io/${role}`]: "" };
      await this.create(nodes, { apiVersion: "v1", kind: "Node", metadata: { name, labels } });
      const status = { conditions: [{ type: "Ready", status: ready ? "True" : "False" }] };
      await this.kube.patch(nodes, { name }, { type: "merge", body: { status } }, { subresource: "status" });
      // The real server's admission taints a new node until a controller has looked at it.
      await this.kube.patch(nodes, { name }, { type: "merge", body: { spec: { taints: null, unschedulable: null } } });
    }
  }

  async declareInstallConfig(text: string): Promise<void> {
    const object = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: installConfigRef,
      data: { "install-config": text },
    };
    await this.create(configMaps, object);
  }

  async setClusterVersion(progressing: string): Promise<void> {
    const ref = { name: "version" };
    const body = { status: { conditions: [{ type: "Progressing", status: progressing }] } };
    await this.kube.patch(clusterVersions, ref, { type: "merge", body }, { subresource: "status" });
  }

  startManager(
    settings: Partial<TopologySettings> = {},
    kube: Kube = this.kube,
    log: Log = quietLog(),
  ): RunningManager {
    const { manager, metrics } = startTestManager({
      kube,
      clock: systemClock,
      random: systemRandom,
      log,
      features: [topologyFeature(settings)],
      identity: "topology-test",
    });
    const running = { metrics, stop: () => manager.stop() };
    this.#managers.push(running);
    return running;
  }

  /** Back to an empty cluster. */
  async clear(): Promise<void> {
    for (const manager of this.#managers.splice(0)) await manager.stop();
    for (const { kind, ref } of this.#made.splice(0).toReversed()) await gone(this.kube, kind, ref);
    for (const kind of [infrastructures, topologyReports]) await gone(this.kube, kind, cluster);
  }

  async removeDefinitions(): Promise<void> {
    for (const crd of [...crds, clusterVersionCrd]) await gone(this.kube, customResourceDefinitions, refOf(crd));
  }

  async ensureNamespace(name: string): Promise<void> {
    await this.kube
      .create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } })
      .catch((error: unknown) => {
        if (!isKubeError(error, "AlreadyExists")) throw error;
      });
  }
}

export const cluster: ObjectRef = { name: "cluster" };

/** OpenShift's own kind, as loosely as a test needs it. */
export const clusterVersionCrd: CustomResourceDefinition = looseCrd(
  "config.openshift.io",
  "v1",
  "ClusterVersion",
  "clusterversions",
  "Cluster",
);

export function looseCrd(
  group: string,
  version: string,
  kind: string,
  plural: string,
  scope: "Cluster" | "Namespaced",
): CustomResourceDefinition {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
  };
}

/** Waits for a thing to become true in its own time; says what was last wrong when it does not. */
export async function eventually(check: () => Promise<void>, timeoutMs = 15_000): Promise<void> {
  const endMs = systemClock.monotonicMs() + timeoutMs;
  while (true) {
    try {
      return await check();
    } catch (error) {
      if (systemClock.monotonicMs() > endMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

export async function gone(kube: Kube, kind: Kind, ref: ObjectRef): Promise<void> {
  await kube.delete(kind, ref).catch(ignoreAbsent);
  await eventually(async () => {
    const found = await kube.get(kind, ref).catch(ignoreAbsent);
    if (found !== undefined) throw new Error(`${kind.kind} ${ref.name} is still there`);
  });
}

function ignoreAbsent(error: unknown): undefined {
  if (isKubeError(error, "NotFound", "KindNotServed")) return undefined;
  throw error;
}
