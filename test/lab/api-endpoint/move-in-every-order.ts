// A move of a cluster beside CAPO, in every order in which Cluster, Secret and APIEndpoint can be deleted: nothing in the cloud is touched, and
// the copies find it again. The real garbage collector is at work meanwhile.

import { describe, expect, it } from "vitest";
import { clusters } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { secrets } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { asMoved } from "../../api-endpoint/world/clusterctl-move.ts";
import { step, until } from "../until.ts";
import { type SeenBalancer, seenBalancers } from "./balancers.ts";
import { clusterFor, mapping, namespace } from "./cluster-objects.ts";
import type { EndpointLab } from "./endpoint-lab.ts";
import { credentials } from "./install.ts";
import { removeCluster } from "./machines.ts";
import { pause, takeAway } from "./move-cluster.ts";

const name = "moving-cluster";
const secret = `${name}-cloud-config`;
const parts: readonly (readonly [Kind, string])[] = [
  [secrets, secret],
  [clusters, name],
  [apiEndpoints, name],
];
const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

export function moveInEveryOrder(get: () => EndpointLab): void {
  describe.concurrent("a cluster beside CAPO that is moved", () => {
    it("keeps its balancers, whatever is deleted first", step, async () => {
      const lab = get();
      await lab.kubectl(["apply", "-f", "-"], [credentials(secret, lab.project), clusterFor(name), endpointFor(lab)]);
      await ready(lab);
      const before = await atRest(lab);
      for (const order of orders) {
        await move(lab, order);
        expect([order, await atRest(lab)]).toEqual([order, before]);
      }
      await lab.kube.delete(apiEndpoints, { name, namespace });
      await until("the balancers to be gone", async () => (await seenBalancers(lab, name)).length === 0);
      await removeCluster(lab, name, []);
    });
  });
}

async function move(lab: EndpointLab, order: readonly number[]): Promise<void> {
  const { kube } = lab;
  await pause(lab, name, true);
  await until("the pause to be seen", async () => (await said(lab, "Paused")).startsWith("True"));
  const written: (readonly [Kind, KubeObject])[] = [];
  for (const [kind, at] of parts) written.push([kind, await kube.get(kind, { name: at, namespace })]);
  for (const index of order) {
    const [kind, object] = written[index] ?? [];
    if (kind !== undefined && object !== undefined) await takeAway(lab, kind, object);
  }
  const uids = new Map<string, string>();
  for (const [kind, object] of written) {
    const made = await kube.create(kind, asMoved(object, uids));
    uids.set(object.metadata.uid ?? "", made.metadata.uid ?? "");
  }
  await pause(lab, name, false);
  await ready(lab);
}

async function ready(lab: EndpointLab): Promise<void> {
  await until("the endpoint to be ready", async () => (await said(lab, "Ready")).startsWith("True"));
}

/** The last step of building leaves a balancer PENDING for a moment. */
async function atRest(lab: EndpointLab): Promise<readonly SeenBalancer[]> {
  return until("the balancers to come to rest", async () => {
    const seen = await seenBalancers(lab, name);
    return seen.length > 0 && seen.every(({ status }) => status === "ACTIVE") && seen;
  });
}

async function said({ kube }: EndpointLab, type: string): Promise<string> {
  const { status } = await kube.get(apiEndpoints, { name, namespace });
  const found = status?.conditions?.find((condition) => condition.type === type);
  return `${found?.status ?? ""} ${found?.reason ?? ""}`;
}

function endpointFor({ project }: EndpointLab): KubeObject {
  return {
    apiVersion: "mainstay.dev/v1alpha1",
    kind: "APIEndpoint",
    metadata: { name, namespace },
    spec: {
      clusterRef: { name },
      identityRef: { name: secret, cloudName: "openstack" },
      controlPlaneEndpoint: { host: `api.${name}.example.com`, port: 6443 },
      network: { id: project.networkId },
      apiServerLoadBalancer: mapping(project, 1, 2),
    },
  } as KubeObject;
}
