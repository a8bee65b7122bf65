// What a cluster is furnished with for the topology job: definitions, an installer's word, nodes, the version of the cluster.

import { apiVersionOf, type KubeObject } from "../../../apis/kube/kube-object.ts";
import { type ClusterVersion, clusterVersionName, clusterVersions } from "../apis/cluster-version.ts";
import { infrastructureCrd } from "../apis/infrastructure-crd.ts";
import { topologyReportCrd } from "../apis/topology-report.ts";
import { installConfigKey, installConfigRef } from "../controller/sources.ts";

/** Ours refuses what cannot be asked for; the one of a cluster that had its own lets everything be asked. */
export function topologyCrds(strict: boolean): readonly KubeObject[] {
  return [strict ? infrastructureCrd : withoutRules(infrastructureCrd), topologyReportCrd, clusterVersionCrd];
}

function withoutRules(crd: KubeObject): KubeObject {
  return JSON.parse(
    JSON.stringify(crd, (name, value: unknown) =>
      name === "x-kubernetes-validations" || name === "enum" ? undefined : value,
    ),
  ) as KubeObject;
}

export function installConfig(replicas: number, secret: string): KubeObject {
  const text = `controlPlane: {replicas: ${replicas}}\ncompute: [{name: worker, replicas: 0}]\npullSecret: ${secret}\n`;
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: installConfigRef,
    data: { [installConfigKey]: text },
  } as KubeObject;
}

export function nodeNamed(name: string, role: "control-plane" | "worker"): KubeObject {
  const labels = role === "worker" ? {} : { [`node-role.kubernetes.io/${role}`]: "" };
  const status = { conditions: [{ type: "Ready", status: "True" }] };
  return { apiVersion: "v1", kind: "Node", metadata: { name, labels }, status } as KubeObject;
}

export const clusterVersionRef = { name: clusterVersionName };

export function versionStatus(upgrading: boolean): { readonly status: NonNullable<ClusterVersion["status"]> } {
  return { status: { conditions: [{ type: "Progressing", status: upgrading ? "True" : "False" }] } };
}

export function isUpgrading(object: KubeObject | undefined): boolean {
  const { status } = (object ?? {}) as ClusterVersion;
  return status?.conditions?.some(({ type, status: is }) => type === "Progressing" && is === "True") === true;
}

const clusterVersionCrd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${clusterVersions.plural}.${clusterVersions.group}` },
  spec: {
    group: clusterVersions.group,
    scope: "Cluster",
    names: {
      kind: "ClusterVersion",
      listKind: "ClusterVersionList",
      plural: clusterVersions.plural,
      singular: "clusterversion",
    },
    versions: [
      {
        name: clusterVersions.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
} as KubeObject;

export const clusterVersion: ClusterVersion = {
  apiVersion: apiVersionOf(clusterVersions),
  kind: clusterVersions.kind,
  metadata: clusterVersionRef,
};
