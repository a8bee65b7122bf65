// The Kubernetes objects of a world with API endpoints, as Cluster API and people make them.

import { stringify } from "yaml";
import { clusters } from "../../../apis/cluster-api/cluster-api-kinds.ts";
import { apiVersionOf, type Kind, type KubeObject } from "../../../apis/kube/kube-object.ts";
import type { LabShaped } from "../../../sim/fakes/openstack/lab-shaped.ts";
import { externallyManagedAnnotation, publishDnsAnnotation } from "../apis/annotations.ts";
import { apiEndpoints } from "../apis/api-endpoint/api-endpoint.ts";
import { openStackClusters, openStackClustersV1beta2 } from "../apis/openstack-cluster/openstack-cluster.ts";
import { toV1beta2 } from "../apis/openstack-cluster/openstack-cluster-conversion.ts";
import { blockOf, placeOf, withoutNulls } from "./endpoint-block.ts";
import type { Door, EndpointCluster } from "./endpoint-setting.ts";
import type { EndpointSim } from "./endpoint-sim.ts";
import { apiPort, type DesiredEndpoint } from "./people/desired-endpoint.ts";

const identityRef = { name: "cloud", cloudName: "lab" };

/** In the version that is stored: what checkers see. */
export function kindOf(door: Door): Kind {
  return door === "openstack-cluster" ? openStackClusters : apiEndpoints;
}

/** In the version that its people write. */
export function authoredKind({ door, authoring }: EndpointCluster): Kind {
  return authoring === "v1beta2" ? openStackClustersV1beta2 : kindOf(door);
}

export function resourceOf({ group, plural }: Kind): string {
  return `${group}/${plural}`;
}

/** Each user has a project of the same name. */
export function cloudsYaml(
  { clouds }: LabShaped,
  { user, password }: { readonly user: string; readonly password: string },
): string {
  const { authUrl } = clouds.password;
  const domain = { user_domain_name: "Default", project_domain_name: "Default" };
  return stringify({
    clouds: { lab: { auth: { auth_url: authUrl, username: user, password, project_name: user, ...domain } } },
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
  const infrastructure = door === "openstack-cluster" ? object : capoName({ name });
  return objectOf(
    clusters,
    { name, namespace },
    { infrastructureRef: { kind: "OpenStackCluster", name: infrastructure } },
  );
}

export function capoName({ name }: Pick<EndpointCluster, "name">): string {
  return `${name}-capo`;
}

/** CAPO's own, beside an APIEndpoint: nothing of it is ours but the endpoint that it waits for. */
export function capoObject(cluster: EndpointCluster): KubeObject {
  return objectOf(
    openStackClusters,
    { name: capoName(cluster), namespace: cluster.namespace },
    { identityRef, apiServerLoadBalancer: { enabled: false } },
  );
}

interface EndpointInput {
  readonly desired: DesiredEndpoint;
  readonly sim: EndpointSim;
  /** Of the Cluster. */
  readonly owner: KubeObject;
  /** Of an earlier life. */
  readonly kept?: Pick<KubeObject["metadata"], "annotations" | "finalizers">;
}

/** The object that stands for a cluster, as its people write it. */
export function endpointObject(cluster: EndpointCluster, input: EndpointInput): KubeObject {
  const { desired, sim, kept = {} } = input;
  const { namespace, object: name, door, host } = cluster;
  const common = {
    identityRef,
    ...(host === "" ? {} : { controlPlaneEndpoint: { host, port: apiPort.number } }),
    apiServerLoadBalancer: withoutNulls(blockOf(desired, cluster, sim)),
    ...placeOf(cluster, sim),
  };
  if (door === "openstack-cluster") return openStackCluster(cluster, common, input);
  const spec = {
    ...common,
    clusterRef: { name: cluster.name },
    floatingIP: { enabled: cluster.floatingIps },
    openGate: cluster.capoWaits,
    publishDNS: desired.publish,
  };
  return objectOf(apiEndpoints, { ...kept, name, namespace }, spec);
}

function openStackCluster(
  cluster: EndpointCluster,
  common: object,
  { desired, owner, kept = {} }: EndpointInput,
): KubeObject {
  const { namespace, object: name, floatingIps, fixedIp, authoring } = cluster;
  const { uid = "" } = owner.metadata;
  const metadata = {
    ...kept,
    name,
    namespace,
    annotations: {
      ...kept.annotations,
      [externallyManagedAnnotation]: "mainstay",
      ...(desired.publish ? { [publishDnsAnnotation]: "true" } : {}),
    },
    ownerReferences: [{ apiVersion: apiVersionOf(clusters), kind: "Cluster", name: cluster.name, uid }],
  };
  const fixed = fixedIp === undefined ? {} : { apiServerFixedIP: fixedIp };
  const spec = { ...common, ...fixed, disableAPIServerFloatingIP: !floatingIps };
  const object = objectOf(openStackClusters, metadata, spec);
  return authoring === "v1beta2" ? toV1beta2(object) : object;
}

/** Turns the object into what is wanted now, as a merge patch in the version that its people write. */
export function desiredPatch(cluster: EndpointCluster, desired: DesiredEndpoint, sim: EndpointSim): object {
  const block = blockOf(desired, cluster, sim);
  if (cluster.door === "api-endpoint") return { spec: { apiServerLoadBalancer: block, publishDNS: desired.publish } };
  const metadata = { annotations: { [publishDnsAnnotation]: desired.publish ? "true" : null } };
  const spec =
    cluster.authoring === "v1beta2" ? { apiServer: { managedLoadBalancer: block } } : { apiServerLoadBalancer: block };
  return { metadata, spec };
}

export function objectOf(kind: Kind, metadata: KubeObject["metadata"], spec: object, status?: object): KubeObject {
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec };
  return (status === undefined ? object : { ...object, status }) as KubeObject;
}
