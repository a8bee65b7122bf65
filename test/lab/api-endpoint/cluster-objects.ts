// The Kubernetes objects of a cluster in the lab, as a user writes and reads them.

import { type Cluster, clusters } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import { events } from "../../../src/apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { isKubeError } from "../../../src/core/kube-error.ts";
import {
  type OpenStackCluster,
  openStackClusters,
} from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import type { OwnProject } from "../openstack/own-project.ts";
import { until } from "../until.ts";
import type { EndpointLab } from "./endpoint-lab.ts";

export const namespace = "clusters";

/** What Cluster API makes of a Cluster, as far as tests look. */
export interface ProvisionedCluster extends Cluster {
  readonly status?: {
    readonly phase?: string;
    readonly failureDomains?: readonly { readonly name: string; readonly controlPlane?: boolean }[];
    readonly initialization?: { readonly infrastructureProvisioned?: boolean };
  };
}

/** A Cluster for an infrastructure object of the same name. */
export function clusterFor(name: string, spec: object = {}): KubeObject & { readonly spec: object } {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { name, namespace },
    spec: {
      infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "OpenStackCluster", name },
      ...spec,
    },
  };
}

/** An OpenStackCluster that Mainstay looks after. */
export function infrastructureFor(name: string, spec: object, annotations: object = {}): KubeObject {
  return {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "OpenStackCluster",
    metadata: { name, namespace, annotations: { "cluster.x-k8s.io/managed-by": "mainstay", ...annotations } },
    spec: { identityRef: { name: "my-cluster-cloud-config", cloudName: "openstack" }, ...spec },
  } as KubeObject;
}

/** The block with one balancer for each of these zones. */
export function mapping({ networkId, subnetIds }: OwnProject, ...zones: readonly number[]): object {
  return {
    network: { id: networkId },
    availabilityZoneSubnets: zones.map((zone) => ({
      availabilityZone: `az${zone}`,
      subnet: { id: subnetIds[zone - 1] },
    })),
  };
}

export async function patchSpec({ kube }: EndpointLab, name: string, spec: object): Promise<void> {
  await kube.patch(openStackClusters, { name, namespace }, { type: "merge", body: { spec } });
}

export async function readCluster({ kube }: EndpointLab, name: string): Promise<ProvisionedCluster | undefined> {
  return await unlessGone(kube.get<ProvisionedCluster>(clusters, { name, namespace }));
}

export async function readInfrastructure(
  { kube }: Pick<EndpointLab, "kube">,
  name: string,
): Promise<OpenStackCluster | undefined> {
  return await unlessGone(kube.get(openStackClusters, { name, namespace }));
}

export async function provisioned(lab: EndpointLab, name: string): Promise<ProvisionedCluster> {
  return await until(`${name} to be provisioned`, async () => {
    const cluster = await readCluster(lab, name);
    return cluster?.status?.phase === "Provisioned" ? cluster : undefined;
  });
}

/** Words of the condition, such as `False MembersUnhealthy az1: …`. */
export function conditionOf(object: OpenStackCluster | undefined, type: string): string {
  const found = object?.status?.conditions?.find((one) => one.type === type);
  return found === undefined ? "" : `${found.status} ${found.reason ?? ""} ${found.message ?? ""}`;
}

export async function notesOn({ kube }: EndpointLab, name: string): Promise<readonly string[]> {
  interface Note extends KubeObject {
    readonly reason?: string;
    readonly note?: string;
    readonly type?: string;
    readonly regarding?: { readonly name?: string };
  }
  const { items } = await kube.list<Note>(events, { namespace });
  return items
    .filter(({ regarding }) => regarding?.name === name)
    .map(({ type, reason, note }) => `${type} ${reason} ${note}`);
}

/** What external-dns would publish, one line for each record with its targets; undefined when there is nothing for it. */
export async function publishedRecords({ kube }: EndpointLab, name: string): Promise<string | undefined> {
  const { items } = await kube.list(dnsEndpoints, { namespace });
  const { spec } = items.find(({ metadata }) => metadata.name === name) ?? {};
  return spec?.endpoints
    ?.map(({ dnsName, recordTTL, recordType, targets }) => [dnsName, recordTTL, recordType, ...targets].join(" "))
    .join("\n");
}

async function unlessGone<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isKubeError(error, "NotFound")) return undefined;
    throw error;
  }
}
