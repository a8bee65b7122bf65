// The topology controller in the simulation: an installer declares, the controller publishes, people meddle. What was published stays.

import { configMaps, customResourceDefinitions, nodes } from "../../apis/builtin-kinds.ts";
import { clusterVersions } from "../../apis/cluster-version.ts";
import { crds } from "../../apis/crds.ts";
import { type Infrastructure, infrastructureName, infrastructures } from "../../apis/infrastructure.ts";
import { apiVersionOf, type KubeObject } from "../../apis/kube-object.ts";
import { type TopologyReport, topologyReports } from "../../apis/topology-report.ts";
import { topologyFeature } from "../../controllers/topology.ts";
import { installConfigKey, installConfigRef } from "../../controllers/topology-sources.ts";
import { isKubeError } from "../../core/kube-error.ts";
import type { Checker } from "../checkers/checker.ts";
import { between, chance } from "../derive-seed.ts";
import type { JobWorld, SimJobOf } from "../sim-job.ts";

const ref = { name: infrastructureName };
const infrastructureResource = `${infrastructures.group}/${infrastructures.plural}`;
const reportResource = `${topologyReports.group}/${topologyReports.plural}`;

export function topologyJob(): SimJobOf {
  return (world) => {
    const single = chance(world.random, 0.5);
    const expected = single ? "SingleReplica" : "HighlyAvailable";
    return {
      name: "topology",
      ports: [],
      checkers: [publishedStays],
      prepare: () => prepare(world, single ? 1 : 3),
      features: () => [topologyFeature()],
      act: () => act(world),
      insist: () => Promise.resolve(),
      missing: () => missing(world, expected),
    };
  };
}

async function prepare({ kube, canary }: JobWorld, replicas: number): Promise<void> {
  for (const crd of [...crds, clusterVersionCrd]) await kube.create(customResourceDefinitions, crd);
  const text = `controlPlane: {replicas: ${replicas}}\ncompute: [{name: worker, replicas: 0}]\npullSecret: ${canary("pull-secret")}\n`;
  const data = { [installConfigKey]: text };
  await kube.create(configMaps, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: installConfigRef,
    data,
  } as KubeObject);
  for (let i = 1; i <= replicas; i += 1) await kube.create(nodes, nodeNamed(`control-${i}`, "control-plane"));
  await kube.create(infrastructures, {
    apiVersion: apiVersionOf(infrastructures),
    kind: infrastructures.kind,
    metadata: ref,
    spec: {},
  });
}

/** Nodes come and go, somebody deletes the report, somebody annotates. */
async function act({ kube, random }: JobWorld): Promise<void> {
  const worker = nodeNamed(`worker-${between(random, 1, 2)}`, "worker");
  const choice = random.next();
  try {
    if (choice < 0.3) await kube.create(nodes, worker);
    else if (choice < 0.5) await kube.delete(nodes, { name: worker.metadata.name });
    else if (choice < 0.7) await kube.delete(topologyReports, ref);
    else if (choice < 0.9) {
      const annotations = { "example.com/seen": String(between(random, 1, 100)) };
      await kube.patch(infrastructures, ref, { type: "merge", body: { metadata: { annotations } } });
    }
  } catch (error) {
    if (!isKubeError(error, "NotFound", "AlreadyExists", "Conflict")) throw error;
  }
}

function missing({ view }: JobWorld, expected: string): string | undefined {
  const infrastructure = typed<Infrastructure>(view.objectAt(infrastructureResource, infrastructureName));
  const published = infrastructure?.status?.controlPlaneTopology;
  if (published !== expected) return `Infrastructure says ${published ?? "nothing"} instead of ${expected}`;
  const report = typed<TopologyReport>(view.objectAt(reportResource, infrastructureName));
  const condition = report?.status?.conditions?.find(({ type }) => type === "Published");
  return condition?.status === "True" ? undefined : "the TopologyReport does not say that it is published";
}

const publishedStays: Checker = {
  name: "published-stays",
  promise: "a topology that was published is never changed by us",
  watch: (view, broken) =>
    view.on("arrived", ({ call, status, before }) => {
      if (status >= 300 || call.verb !== "PATCH" || !call.target.startsWith(infrastructures.plural)) return;
      const was = typed<Infrastructure>(before)?.status?.controlPlaneTopology ?? "";
      const is = typed<Infrastructure>(view.objectAt(infrastructureResource, infrastructureName))?.status;
      if (was !== "" && is?.controlPlaneTopology !== was)
        broken(
          `${call.process.name} changed the published topology from ${was} to ${is?.controlPlaneTopology ?? "nothing"}`,
        );
    }),
};

/** Found by its resource, so it is of that kind. */
function typed<T extends KubeObject>(object: KubeObject | undefined): T | undefined {
  return object as T | undefined;
}

function nodeNamed(name: string, role: string): KubeObject {
  const labels = role === "worker" ? {} : { [`node-role.kubernetes.io/${role}`]: "" };
  return { apiVersion: "v1", kind: "Node", metadata: { name, labels } };
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
};
