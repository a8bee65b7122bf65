// What the demonstration's cluster holds at first: a cluster of one node, as an installer would leave it. Declared, and not yet published.

import { configMaps, leases, namespaces, nodes } from "../../apis/builtin-kinds.ts";
import { infrastructureName, infrastructures } from "../../apis/infrastructure.ts";
import { apiVersionOf, type KubeObject } from "../../apis/kube-object.ts";
import { installCrds } from "../../cli/install-crds.ts";
import { installConfigKey, installConfigRef } from "../../controllers/topology-sources.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Kube } from "../../ports/kube.ts";
import { demoLease } from "./demo-managers.ts";

export async function furnish(kube: Kube, clock: Clock): Promise<void> {
  await installCrds(kube, clock);
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
  const installConfig = "controlPlane: {name: master, replicas: 1}\ncompute: [{name: worker, replicas: 0}]\n";
  const configMap = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: installConfigRef,
    data: { [installConfigKey]: installConfig },
  };
  await kube.create(configMaps, configMap);
  await addNode(kube, "control-plane-0");
  await kube.create(infrastructures, {
    apiVersion: apiVersionOf(infrastructures),
    kind: infrastructures.kind,
    metadata: { name: infrastructureName },
    spec: {},
  });
}

async function addNode(kube: Kube, name: string): Promise<void> {
  const labels = { "node-role.kubernetes.io/control-plane": "" };
  await kube.create(nodes, { apiVersion: "v1", kind: "Node", metadata: { name, labels } });
  const body = { status: { conditions: [{ type: "Ready", status: "True" }] } };
  await kube.patch(nodes, { name }, { type: "merge", body }, { subresource: "status" });
}
