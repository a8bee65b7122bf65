// Reads the world for the topology controller: from caches, and Cluster API's objects from the API where asked to. Reads
// only; what could not be read is `unknown`, never absent.

import { configMaps, customResourceDefinitions, nodes } from "../../../apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject, ObjectRef } from "../../../apis/kube/kube-object.ts";
import { formatProblem, isRecord } from "../../../apis/text/problem.ts";
import { MainstayError } from "../../../core/errors.ts";
import type { Reader } from "../../../engine/feature.ts";
import { clusterVersionName, clusterVersions } from "../apis/cluster-version.ts";
import { infrastructures } from "../apis/infrastructure.ts";
import { infrastructureCrd } from "../apis/infrastructure-crd.ts";
import { topologyReports } from "../apis/topology-report.ts";
import type { DeclaredNow, TopologyObserved } from "../core/assess.ts";
import { countNodes } from "../core/fit.ts";
import { declaredByConfigMap, installConfigRef, readDeclaredReplicas, type SourceAnswer } from "./sources.ts";

export interface ObserveOptions {
  /** The Cluster API objects that describe this very cluster. Without it they are not looked at: they may describe others. */
  readonly cluster?: ObjectRef;
}

export function observeTopology({ cluster }: ObserveOptions = {}) {
  return async (key: ObjectRef, reader: Reader): Promise<TopologyObserved | undefined> => {
    const infrastructure = find(reader, infrastructures, key);
    if (infrastructure === "unknown") return undefined;
    const report = find(reader, topologyReports, key);
    const nodeStore = reader.cached(nodes);
    return {
      infrastructure: infrastructure === "absent" ? undefined : infrastructure,
      fields: topologyFieldsIn(find(reader, customResourceDefinitions, { name: infrastructureCrd.metadata.name })),
      report: report === "absent" && reader.cached(topologyReports).state === "not-served" ? "unknown" : report,
      declaredNow: await declaredNow(reader, cluster),
      seen: nodeStore.state === "synced" ? countNodes(nodeStore.list()) : "unknown",
      clusterVersion: find(reader, clusterVersions, { name: clusterVersionName }),
    };
  };
}

function find<T extends KubeObject>(reader: Reader, kind: Kind<T>, ref: ObjectRef): T | "absent" | "unknown" {
  const store = reader.cached(kind);
  const object = store.get(ref);
  if (object !== undefined) return object;
  return store.state === "synced" || store.state === "not-served" ? "absent" : "unknown";
}

async function declaredNow(reader: Reader, cluster: ObjectRef | undefined): Promise<DeclaredNow> {
  const configMap = find(reader, configMaps, installConfigRef);
  if (typeof configMap === "object") return answered(declaredByConfigMap(configMap));
  // The installer's word comes first: not before it is certain that there is none may another be taken.
  if (configMap === "unknown") return { found: "unknown" };
  if (cluster === undefined) return { found: "nothing" };
  try {
    return answered(await readDeclaredReplicas(reader.kube, { cluster, signal: reader.signal }));
  } catch (error) {
    if (error instanceof MainstayError) return { found: "unknown" };
    throw error;
  }
}

function answered(answer: SourceAnswer): DeclaredNow {
  if (answer.found === "declared") {
    return { found: "declared", source: answer.declared.source, replicas: answer.declared.replicas };
  }
  if (answer.found === "nothing") return { found: "nothing" };
  return { found: "invalid", message: `${answer.from}: ${answer.problems.map(formatProblem).join(" ")}` };
}

/** An older definition has no such fields and prunes them without a word. One that preserves unknown fields keeps them. */
export function topologyFieldsIn(crd: KubeObject | "absent" | "unknown"): TopologyObserved["fields"] {
  if (typeof crd === "string") return "unknown";
  const versions = dig(crd, "spec", "versions");
  const served: unknown = Array.isArray(versions)
    ? versions.find((entry: unknown) => dig(entry, "name") === infrastructures.version)
    : undefined;
  const status = dig(served, "schema", "openAPIV3Schema", "properties", "status");
  if (dig(status, "properties", "controlPlaneTopology") !== undefined) return "present";
  return dig(status, "x-kubernetes-preserve-unknown-fields") === true ? "present" : "absent";
}

function dig(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
}
