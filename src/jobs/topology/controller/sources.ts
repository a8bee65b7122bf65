// Where a cluster itself declares how many machines it has: the installer's ConfigMap, else Cluster API's objects.
// Declarations only. Nodes are not a source, and this file must never read them.

import {
  clusterNameLabel,
  kubeadmControlPlanes,
  type MachineOwner,
  machineDeployments,
} from "../../../apis/cluster-api/cluster-api-kinds.ts";
import { configMaps } from "../../../apis/kube/builtin-kinds.ts";
import { formatRef, type Kind, type KubeObject, type ObjectRef, refOf } from "../../../apis/kube/kube-object.ts";
import { type Checked, isRecord, type Problem } from "../../../apis/text/problem.ts";
import { isKubeError } from "../../../core/kube-error.ts";
import { parseYaml } from "../../../core/yaml-text.ts";
import { firstServedVersion } from "../../../engine/round/first-served-version.ts";
import type { CallOptions, KubeReader } from "../../../ports/kube.ts";
import {
  checkReplicas,
  checkTogether,
  type DeclaredReplicas,
  type ReplicaSource,
  unusable,
} from "../apis/declared-replicas.ts";
import { readInstallConfig } from "../apis/install-config.ts";

/** The installer leaves its configuration here, as YAML inside a ConfigMap. */
export const installConfigRef: ObjectRef = { namespace: "kube-system", name: "cluster-config-v1" };
export const installConfigKey = "install-config";

export interface Declared {
  readonly source: ReplicaSource;
  /** Where it was read, for people. */
  readonly from: string;
  readonly replicas: DeclaredReplicas;
  readonly notes: readonly string[];
}

export type SourceAnswer =
  | { readonly found: "declared"; readonly declared: Declared }
  | { readonly found: "invalid"; readonly from: string; readonly problems: readonly Problem[] }
  | { readonly found: "nothing" };

export interface SourceOptions extends CallOptions {
  /** The Cluster whose Cluster API objects count. Without it they count only when there is exactly one. */
  readonly cluster?: ObjectRef;
  /** False: look at the installer's ConfigMap alone. */
  readonly clusterApi?: boolean;
}

/** Throws a KubeError when something could not be read: that is not the same as nothing there. */
export async function readDeclaredReplicas(kube: KubeReader, options: SourceOptions = {}): Promise<SourceAnswer> {
  const { cluster, clusterApi = true, ...call } = options;
  if (cluster === undefined) {
    const configMap = await kube.get(configMaps, installConfigRef, call).catch(ignoreNotFound);
    if (configMap !== undefined) return declaredByConfigMap(configMap);
  }
  return clusterApi ? declaredByClusterApi(kube, cluster, call) : { found: "nothing" };
}

export function declaredByConfigMap(configMap: KubeObject): SourceAnswer {
  const from = `ConfigMap ${formatRef(refOf(configMap))}`;
  const checked = readInstallConfigIn(configMap);
  return checked.ok
    ? {
        found: "declared",
        declared: { source: "cluster-config-v1", from, replicas: checked.value, notes: checked.notes },
      }
    : { found: "invalid", from, problems: checked.problems };
}

/** The install-config inside the installer's ConfigMap, be it from a cluster or from a manifest file. */
export function readInstallConfigIn(configMap: unknown, external = false): Checked<DeclaredReplicas> {
  const data = isRecord(configMap) && isRecord(configMap["data"]) ? configMap["data"] : {};
  const text = data[installConfigKey];
  if (typeof text !== "string") {
    const message = text === undefined ? "not set" : "not a text";
    return {
      ok: false,
      problems: [{ where: `data.${installConfigKey}`, message, hint: "Name the ConfigMap that the installer wrote." }],
    };
  }
  const parsed = parseYaml(text, `data.${installConfigKey}`);
  return parsed.ok ? readInstallConfig(parsed.value, { external }) : parsed;
}

async function declaredByClusterApi(
  kube: KubeReader,
  cluster: ObjectRef | undefined,
  call: CallOptions,
): Promise<SourceAnswer> {
  const controlPlanes = (await listAny(kube, kubeadmControlPlanes, cluster, call)).filter((object) =>
    belongsTo(object, cluster),
  );
  if (controlPlanes.length === 0) return { found: "nothing" };
  const [controlPlane] = controlPlanes;
  if (controlPlane === undefined || controlPlanes.length > 1) return tooMany(controlPlanes);
  const owner = { name: clusterNameOf(controlPlane) ?? controlPlane.metadata.name, ...namespaceOf(controlPlane) };
  const pools = (await listAny(kube, machineDeployments, owner, call)).filter((object) => belongsTo(object, owner));
  return declaredByMachines(controlPlane, pools.toSorted(byName), owner);
}

function declaredByMachines(
  controlPlane: MachineOwner,
  pools: readonly MachineOwner[],
  cluster: ObjectRef,
): SourceAnswer {
  const problems: Problem[] = [];
  const notes: string[] = [];
  const count = (object: MachineOwner): number => {
    const where = `${object.kind} ${formatRef(refOf(object))} spec.replicas`;
    if (object.spec?.replicas === undefined) notes.push(`${where} is not set: Cluster API makes 1`);
    const replicas = checkReplicas(where, object.spec?.replicas ?? 1);
    if (typeof replicas === "number") return replicas;
    problems.push(replicas);
    return unusable;
  };
  const replicas: DeclaredReplicas = { controlPlane: count(controlPlane), workers: pools.map(count), arbiters: 0 };
  const where = `${controlPlane.kind} ${formatRef(refOf(controlPlane))} spec.replicas`;
  problems.push(...checkTogether(replicas, { controlPlane: where, arbiters: where }));
  const from = `Cluster API objects of cluster ${formatRef(cluster)}`;
  return problems.length > 0
    ? { found: "invalid", from, problems }
    : { found: "declared", declared: { source: "cluster-api", from, replicas, notes } };
}

function tooMany(controlPlanes: readonly MachineOwner[]): SourceAnswer {
  const names = controlPlanes.toSorted(byName).map((object) => formatRef(refOf(object)));
  return {
    found: "invalid",
    from: "Cluster API objects",
    problems: [
      {
        where: "KubeadmControlPlane",
        message: `there are ${names.length}: ${names.join(", ")}`,
        hint: "Say which cluster is meant, as namespace/name.",
      },
    ],
  };
}

/** The newest version the server has; none when it has none. */
async function listAny(
  kube: KubeReader,
  versions: readonly Kind<MachineOwner>[],
  cluster: ObjectRef | undefined,
  call: CallOptions,
): Promise<readonly MachineOwner[]> {
  const query = cluster?.namespace === undefined ? {} : { namespace: cluster.namespace };
  return (await firstServedVersion(versions, (served) => kube.list(served, query, call)))?.items ?? [];
}

function belongsTo(object: MachineOwner, cluster: ObjectRef | undefined): boolean {
  if (cluster === undefined) return true;
  const sameNamespace = cluster.namespace === undefined || cluster.namespace === object.metadata.namespace;
  return sameNamespace && clusterNameOf(object) === cluster.name;
}

/** A KubeadmControlPlane has no clusterName in its spec; the label is on both. */
function clusterNameOf(object: MachineOwner): string | undefined {
  return object.spec?.clusterName ?? object.metadata.labels?.[clusterNameLabel];
}

function namespaceOf(object: KubeObject): { readonly namespace?: string } {
  return object.metadata.namespace === undefined ? {} : { namespace: object.metadata.namespace };
}

function byName(a: KubeObject, b: KubeObject): number {
  return formatRef(refOf(a)) < formatRef(refOf(b)) ? -1 : 1;
}

function ignoreNotFound(error: unknown): undefined {
  if (isKubeError(error, "NotFound")) return undefined;
  throw error;
}
