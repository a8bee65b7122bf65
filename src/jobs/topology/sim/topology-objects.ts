// The objects of a world with a topology: definitions, what the installer declared, nodes, the version of the cluster.

import { apiVersionOf, type KubeObject } from "../../../apis/kube/kube-object.ts";
import { openCrd } from "../../../sim/fakes/kube/open-crd.ts";
import { type ClusterVersion, clusterVersionName, clusterVersions } from "../apis/cluster-version.ts";
import { infrastructureCrd } from "../apis/infrastructure-crd.ts";
import { topologyReportCrd } from "../apis/topology-report.ts";
import { installConfigKey, installConfigRef } from "../controller/sources.ts";

/** Ours refuses what cannot be asked for; the one of a cluster that had its own lets everything be asked. */
export function topologyCrds(strict: boolean): readonly KubeObject[] {
  return [
    strict ? infrastructureCrd : withoutRules(infrastructureCrd),
    topologyReportCrd,
    openCrd(clusterVersions, { subresources: { status: {} } }),
  ];
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

export const clusterVersion: ClusterVersion = {
  apiVersion: apiVersionOf(clusterVersions),
  kind: clusterVersions.kind,
  metadata: clusterVersionRef,
};
