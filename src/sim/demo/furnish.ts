// What the demonstration's cluster holds at first: a cluster of one node, as an installer would leave it. Declared, and not yet published.

import { stringify } from "yaml";
import { crds } from "../../apis/crds.ts";
import { configMaps, leases, namespaces, nodes } from "../../apis/kube/builtin-kinds.ts";
import { apiVersionOf, type KubeObject } from "../../apis/kube/kube-object.ts";
import { installCrds } from "../../cli/install-crds.ts";
import { infrastructureName, infrastructures } from "../../jobs/topology/apis/infrastructure.ts";
import { installConfigKey, installConfigRef } from "../../jobs/topology/controller/sources.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Kube } from "../../ports/kube.ts";
import { demoLease } from "./demo-managers.ts";

export async function furnish(kube: Kube, clock: Clock, definitions = crds): Promise<void> {
  await installCrds(kube, clock, definitions);
  const { namespace: name } = demoLease.ref;
  await kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  // As a former holder leaves it: the first manager need not wait for anybody.
  const released = { leaseDurationSeconds: 1 };
  await kube.create(leases, {
    apiVersion: apiVersionOf(leases),
    kind: "Lease",
    metadata: demoLease.ref,
    spec: released,
  } as KubeObject);
  const configMap = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: installConfigRef,
    data: declaring(1),
  };
  await kube.create(configMaps, configMap);
  await kube.create<KubeObject>(nodes, readyNode("control-plane-0"));
  await kube.create(infrastructures, {
    apiVersion: apiVersionOf(infrastructures),
    kind: infrastructures.kind,
    metadata: { name: infrastructureName },
    spec: {},
  });
}

function declaring(controlPlane: number) {
  const text = `controlPlane: {name: master, replicas: ${controlPlane}}\ncompute: [{name: worker, replicas: 0}]\n`;
  return { [installConfigKey]: text };
}

/** A patch for what the installer left: the cluster is to have three control-plane nodes. */
export const threeDeclared = stringify({ data: declaring(3) });

function readyNode(name: string) {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "node-role.kubernetes.io/control-plane": "" } },
    status: { conditions: [{ type: "Ready", status: "True" }] },
  };
}

/** For people to bring with kubectl: what a cluster of one lacks to be highly available. */
export const moreNodes = ["control-plane-1", "control-plane-2"].map((name) => stringify(readyNode(name))).join("---\n");
