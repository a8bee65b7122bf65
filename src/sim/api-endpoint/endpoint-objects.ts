// The Kubernetes objects of a world with API endpoints, as Cluster API and people make them, and the definitions they need.

import { stringify } from "yaml";
import { apiEndpoints } from "../../apis/api-endpoint.ts";
import { externallyManagedAnnotation, publishDnsAnnotation } from "../../apis/api-endpoint-annotations.ts";
import { apiEndpointCrd } from "../../apis/api-endpoint-crd.ts";
import {
  clusterNameLabel,
  clusters,
  controlPlaneLabel,
  machines,
  openStackMachines,
} from "../../apis/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../apis/dns-endpoint.ts";
import { apiVersionOf, type Kind, type KubeObject } from "../../apis/kube-object.ts";
import { openStackClusters } from "../../apis/openstack-cluster.ts";
import { openStackClusterCrd } from "../../apis/openstack-cluster-crd.ts";
import type { LabShaped } from "../fakes/openstack/lab-shaped.ts";
import type { Door, EndpointCluster } from "./endpoint-setting.ts";
import { apiPort, blockOf, type EndpointWish } from "./endpoint-wish.ts";

/** Somebody else's hold on a Machine: it goes when its server has gone. */
export const machineFinalizer = "machine.cluster.x-k8s.io";
const identityRef = { name: "cloud", cloudName: "lab" };

export const endpointCrds: readonly KubeObject[] = [
  openStackClusterCrd(),
  apiEndpointCrd,
  ...[clusters, machines, openStackMachines, dnsEndpoints].map(openCrd),
];

export function kindOf(door: Door): Kind {
  return door === "openstack-cluster" ? openStackClusters : apiEndpoints;
}

export function resourceOf({ group, plural }: Kind): string {
  return `${group}/${plural}`;
}

/** A definition that takes any object: those of other projects are not what is tried here. */
function openCrd({ group, version, kind, plural, namespaced }: Kind): KubeObject {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    // Groups of Kubernetes' own projects must say who approved them.
    metadata: { name: `${plural}.${group}`, annotations: { "api-approved.kubernetes.io": "unapproved, for tests" } },
    spec: {
      group,
      scope: namespaced ? "Namespaced" : "Cluster",
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  } as KubeObject;
}

export function cloudsYaml({ clouds }: LabShaped, password: string): string {
  const { authUrl } = clouds.password;
  const domain = { user_domain_name: "Default", project_domain_name: "Default" };
  return stringify({
    clouds: { lab: { auth: { auth_url: authUrl, username: "demo", password, project_name: "demo", ...domain } } },
  });
}

export function secretOf(namespace: string, text: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: identityRef.name, namespace },
    data: { "clouds.yaml": btoa(text) },
  } as KubeObject;
}

export function clusterObject({ namespace, name, door, object }: EndpointCluster): KubeObject {
  const infrastructure = door === "openstack-cluster" ? object : `${name}-capo`;
  return objectOf(
    clusters,
    { name, namespace },
    { infrastructureRef: { kind: "OpenStackCluster", name: infrastructure } },
  );
}

/** CAPO's own, beside an APIEndpoint: nothing of it is ours but the endpoint that it waits for. */
export function capoObject({ namespace, name }: EndpointCluster): KubeObject {
  return objectOf(
    openStackClusters,
    { name: `${name}-capo`, namespace },
    { identityRef, apiServerLoadBalancer: { enabled: false } },
  );
}

/** The object that stands for a cluster. `kept` is of an earlier life. */
export function endpointObject(
  cluster: EndpointCluster,
  {
    wish,
    lab,
    owner,
    kept = {},
  }: {
    readonly wish: EndpointWish;
    readonly lab: LabShaped;
    /** Of the Cluster. */
    readonly owner: KubeObject;
    readonly kept?: Pick<KubeObject["metadata"], "annotations" | "finalizers">;
  },
): KubeObject {
  const { namespace, object: name, door, host, floatingIps, publishDns } = cluster;
  const endpoint = host === "" ? {} : { controlPlaneEndpoint: { host, port: apiPort } };
  const common = {
    identityRef,
    ...endpoint,
    apiServerLoadBalancer: withoutNulls(blockOf(wish, lab)),
    network: { id: lab.networkId },
    subnets: lab.subnetIds.map((id) => ({ id })),
  };
  if (door === "api-endpoint") {
    const spec = {
      ...common,
      clusterRef: { name: cluster.name },
      floatingIP: { enabled: floatingIps },
      openGate: cluster.gate,
      publishDNS: publishDns,
    };
    return objectOf(apiEndpoints, { ...kept, name, namespace }, spec);
  }
  const { uid = "" } = owner.metadata;
  const metadata = {
    ...kept,
    name,
    namespace,
    annotations: {
      [externallyManagedAnnotation]: "mainstay",
      ...(publishDns ? { [publishDnsAnnotation]: "true" } : {}),
      ...kept.annotations,
    },
    ownerReferences: [{ apiVersion: apiVersionOf(clusters), kind: "Cluster", name: cluster.name, uid }],
  };
  return objectOf(openStackClusters, metadata, { ...common, disableAPIServerFloatingIP: !floatingIps });
}

export interface MachinePlan {
  readonly name: string;
  readonly zone: string;
  readonly address: string;
}

export function machineObjects({ namespace, name: cluster }: EndpointCluster, { name, zone, address }: MachinePlan) {
  const labels = { [clusterNameLabel]: cluster, [controlPlaneLabel]: "" };
  const place = { name, namespace, labels };
  const infrastructure = objectOf(openStackMachines, place, {}, { addresses: [{ type: "InternalIP", address }] });
  const machine = objectOf(
    machines,
    { ...place, finalizers: [machineFinalizer] },
    { clusterName: cluster, failureDomain: zone, infrastructureRef: { kind: "OpenStackMachine", name } },
  );
  return { infrastructure, machine };
}

function objectOf(kind: Kind, metadata: KubeObject["metadata"], spec: object, status?: object): KubeObject {
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec };
  return (status === undefined ? object : { ...object, status }) as KubeObject;
}

function withoutNulls(block: object): object {
  return Object.fromEntries(Object.entries(block).filter(([, value]) => value !== null));
}
