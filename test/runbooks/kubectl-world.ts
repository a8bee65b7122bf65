// A management cluster as it is when somebody opens a runbook page: our kinds and those of others in the version that kubectl then
// prefers, a cluster `blue` with all that pages name, Mainstay's rights and its Pod.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { clusters, machines, openStackMachines } from "../../src/apis/cluster-api/cluster-api-kinds.ts";
import { customResourceDefinitions } from "../../src/apis/kube/builtin-kinds.ts";
import { type CrdConversion, webhookConversion } from "../../src/apis/kube/crd.ts";
import type { KubeObject } from "../../src/apis/kube/kube-object.ts";
import { convertPath } from "../../src/apis/kube/webhook-configuration.ts";
import { installCrds } from "../../src/cli/install-crds.ts";
import { definitionsOf } from "../../src/core/job/declaration.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { allJobs } from "../../src/jobs/all.ts";
import { openStackClusterCrd } from "../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster-crd.ts";
import { clusterVersions } from "../../src/jobs/topology/apis/cluster-version.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { openCrd } from "../../src/sim/fakes/kube/open-crd.ts";
import { dnsEndpointCrd } from "../lab/api-endpoint/dns-endpoint-crd.ts";

/** Of Cluster API's contract. In a cluster that serves both, kubectl takes v1beta2. */
export type Preferred = "v1beta1" | "v1beta2";

export interface Definitions {
  readonly preferred: Preferred;
  /** Where the API server finds our conversion webhook. */
  readonly webhook: { readonly url: string; readonly caBundle: string };
  /** Folder with Cluster API's own definitions. */
  readonly clusterApi: string;
}

const clusterOperators = {
  group: "config.openshift.io",
  version: "v1",
  kind: "ClusterOperator",
  plural: "clusteroperators",
  namespaced: false,
};

export async function installKinds(kube: Kube, definitions: Definitions): Promise<void> {
  const conversion = conversionOf(definitions);
  const ours = definitionsOf(allJobs).map(({ crd }) =>
    crd.spec.names.kind === "OpenStackCluster" ? openStackClusterCrd(conversion) : crd,
  );
  await installCrds(
    kube,
    systemClock,
    ours.map((crd) => ({ crd })),
  );
  const others = [
    ...[clusters, machines].map(({ plural }) => clusterApiCrd(plural, definitions)),
    openCrd({ ...openStackMachines, version: definitions.preferred }),
    openCrd(clusterVersions),
    openCrd(clusterOperators),
    dnsEndpointCrd(),
  ];
  for (const crd of others) await kube.create(customResourceDefinitions, crd);
}

/** Without the webhook, our own definition serves v1beta1 alone. */
function conversionOf({ preferred, webhook: { url, caBundle } }: Definitions): CrdConversion | undefined {
  return preferred === "v1beta1" ? undefined : webhookConversion({ url: `${url}${convertPath}`, caBundle });
}

interface VersionedCrd extends KubeObject {
  readonly spec: { readonly versions: readonly { readonly name: string }[]; readonly conversion?: unknown };
}

/** Cluster API's own definition, without its conversion webhook: objects are made in the version that is asked for. */
function clusterApiCrd(plural: string, { preferred, clusterApi }: Definitions): KubeObject {
  const path = join(clusterApi, "config", "core", `cluster.x-k8s.io_${plural}.yaml`);
  const { metadata, spec, ...crd } = parse(readFileSync(path, "utf8")) as VersionedCrd;
  const { conversion: _, ...rest } = spec;
  const versions = spec.versions
    .filter(({ name }) => name <= preferred)
    .map((version) => ({ ...version, served: true, storage: version.name === preferred }));
  const annotations = { ...metadata.annotations, "api-approved.kubernetes.io": "unapproved, for tests" };
  return { ...crd, metadata: { name: metadata.name, annotations }, spec: { ...rest, versions } } as KubeObject;
}
