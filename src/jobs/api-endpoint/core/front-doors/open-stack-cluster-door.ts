// The first door: an OpenStackCluster in v1beta1, the seed's API, in and out of the job's words. An object in v1beta2 comes through
// the same door after openstack-cluster-conversion.ts has put it into v1beta1, and goes out through it the same way.

import type { KubeObject, ObjectRef } from "../../../../apis/kube/kube-object.ts";
import { refOf } from "../../../../apis/kube/kube-object.ts";
import { externallyManagedAnnotation, isKeeping, publishDnsAnnotation } from "../../apis/annotations.ts";
import type { IdentityRef } from "../../apis/load-balancer/api-server-load-balancer.ts";
import { type OpenStackCluster, openStackClusters } from "../../apis/openstack-cluster/openstack-cluster.ts";
import { openStackClusterProblems } from "../../apis/openstack-cluster/openstack-cluster-validation.ts";
import type { EndpointIntent } from "../model/intent.ts";
import type { RecordedEndpoint } from "../model/observed.ts";
import {
  lastKnownEntries,
  leavingEntries,
  legacyEntry,
  recordedEndpoint,
  singleEntry,
  unansweredEntry,
  zoneEntries,
} from "./balancer-entries.ts";
import {
  annotatedIntent,
  blockIntent,
  type ClusterOfDoor,
  holding,
  networkSelector,
  subnetSelector,
  taggedIntent,
} from "./block-intent.ts";
import type { EndpointStatus } from "./endpoint-status.ts";

/** `annotated`: only objects that say somebody else than CAPO looks after them. `all`: every one, where there is no CAPO. */
export type Claims = "annotated" | "all";

/** What an OpenStackCluster lacks for anything to be done for it. */
export interface Lack {
  readonly says: string;
  /** What to do, in the imperative. */
  readonly fix: string;
}

const managedByMark: Lack = {
  says: `it has no annotation ${externallyManagedAnnotation}, so it is CAPO's`,
  fix: "Set it to mainstay, or make an APIEndpoint beside the object.",
};
const ownerReference: Lack = {
  says: "it has no owner reference to a Cluster",
  fix: "Name this object in the infrastructureRef of a Cluster: Cluster API then sets one.",
};

export function openStackClusterDoor(claims: Claims) {
  return {
    root: openStackClusters,
    clusterOf: (object: OpenStackCluster) =>
      claims === "all" || isExternallyManaged(object) ? ownerCluster(object) : undefined,
    lacks: (object: OpenStackCluster): readonly Lack[] => [
      ...(claims === "all" || isExternallyManaged(object) ? [] : [managedByMark]),
      ...(ownerCluster(object) === undefined ? [ownerReference] : []),
    ],
    namesCluster: false,
    identityOf: ({ spec }: OpenStackCluster): IdentityRef | undefined => spec?.identityRef,
    intentOf: openStackClusterIntent,
    problemsOf: (object: OpenStackCluster) => holding(openStackClusterProblems(object)),
    recordedOf: ({ status }: OpenStackCluster): RecordedEndpoint => recordedEndpoint(status),
    isProvisioned: ({ status }: OpenStackCluster): boolean => status?.initialization?.provisioned ?? false,
    handsOffEndpoint: (): boolean => false,
    statusOf: openStackClusterStatus,
  } as const;
}

/** The contract speaks of a label, the code of an annotation: either counts, with any value. */
function isExternallyManaged({ metadata: { annotations = {}, labels = {} } }: KubeObject): boolean {
  return annotations[externallyManagedAnnotation] !== undefined || labels[externallyManagedAnnotation] !== undefined;
}

/** Nothing is done for an object before Cluster API has said whose it is. */
export function ownerCluster({ metadata }: KubeObject): ObjectRef | undefined {
  const owner = (metadata.ownerReferences ?? []).find(
    ({ apiVersion, kind }) => kind === "Cluster" && apiVersion.startsWith("cluster.x-k8s.io/"),
  );
  return owner === undefined ? undefined : { name: owner.name, namespace: metadata.namespace ?? "" };
}

export function openStackClusterIntent(object: OpenStackCluster, cluster: ClusterOfDoor): EndpointIntent {
  const { metadata, spec = {} } = object;
  const { apiServerLoadBalancer: block, controlPlaneEndpoint: endpoint, apiServerPort } = spec;
  const withoutExternal = spec.disableExternalNetwork ?? false;
  return {
    door: "OpenStackCluster",
    object: refOf(object),
    cluster: cluster.ref,
    deleting: metadata.deletionTimestamp !== undefined,
    ...annotatedIntent(metadata),
    ...blockIntent({ block, endpoint, apiServerPort }),
    clusterEndpoint: cluster.endpoint,
    floatingIp: {
      enabled: spec.disableAPIServerFloatingIP !== true && !withoutExternal,
      address: spec.apiServerFloatingIP || undefined,
    },
    fixedIp: spec.apiServerFixedIP || undefined,
    clusterNetwork: spec.network === undefined ? undefined : networkSelector(spec.network),
    clusterSubnets: (spec.subnets ?? []).map(subnetSelector),
    externalNetwork: spec.externalNetwork === undefined ? undefined : networkSelector(spec.externalNetwork),
    externalNetworkDisabled: withoutExternal,
    ...taggedIntent(spec.tags),
    controlPlaneZones: spec.controlPlaneAvailabilityZones ?? [],
    controlPlaneOmitsZone: spec.controlPlaneOmitAvailabilityZone ?? false,
    publishDns: isKeeping(metadata.annotations?.[publishDnsAnnotation]),
  };
}

/** What nobody could find out this time stays as the object has it; being provisioned is never taken back. */
export function openStackClusterStatus(
  status: EndpointStatus,
  { status: before }: OpenStackCluster,
): Readonly<Record<string, unknown>> {
  const provisioned = status.provisioned || (before?.initialization?.provisioned ?? false);
  const domains = status.failureDomains?.map(({ name, controlPlane }) => [name, { controlPlane }] as const);
  return {
    ready: provisioned,
    initialization: { provisioned },
    zonesServed: status.zonesServed,
    apiServerLoadBalancers: zoneEntries(status),
    apiServerLoadBalancer: singleEntry(status),
    lastKnownConditions: lastKnownEntries(status),
    leavingLoadBalancers: leavingEntries(status),
    legacyLoadBalancer: legacyEntry(status),
    unansweredUntil: unansweredEntry(status),
    project: status.location,
    network: status.network ?? before?.network,
    externalNetwork: status.externalNetwork ?? before?.externalNetwork,
    failureDomains: domains === undefined ? before?.failureDomains : Object.fromEntries(domains),
  };
}
