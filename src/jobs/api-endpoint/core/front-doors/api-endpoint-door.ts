// The second door: an APIEndpoint beside an OpenStackCluster of CAPO's, in and out of the same words.

import { type ObjectRef, refOf } from "../../../../apis/kube/kube-object.ts";
import { type ApiEndpoint, apiEndpoints } from "../../apis/api-endpoint/api-endpoint.ts";
import { apiEndpointProblems } from "../../apis/api-endpoint/api-endpoint-validation.ts";
import type { IdentityRef } from "../../apis/load-balancer/api-server-load-balancer.ts";
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

export const apiEndpointDoor = {
  root: apiEndpoints,
  clusterOf: ({ metadata, spec }: ApiEndpoint): ObjectRef | undefined => {
    const name = spec?.clusterRef?.name ?? "";
    return name === "" ? undefined : { name, namespace: metadata.namespace ?? "" };
  },
  namesCluster: true,
  identityOf: ({ spec }: ApiEndpoint): IdentityRef | undefined => spec?.identityRef,
  intentOf: apiEndpointIntent,
  problemsOf: (object: ApiEndpoint) => holding(apiEndpointProblems(object)),
  recordedOf: ({ status }: ApiEndpoint): RecordedEndpoint => recordedEndpoint(status),
  isProvisioned: ({ status }: ApiEndpoint): boolean => status?.initialization?.provisioned ?? false,
  handsOffEndpoint: ({ spec }: ApiEndpoint): boolean => spec?.openGate ?? false,
  statusOf: apiEndpointStatus,
} as const;

export function apiEndpointIntent(object: ApiEndpoint, cluster: ClusterOfDoor): EndpointIntent {
  const { metadata, spec = {} } = object;
  const { apiServerLoadBalancer: block, controlPlaneEndpoint: endpoint } = spec;
  return {
    door: "APIEndpoint",
    object: refOf(object),
    cluster: cluster.ref,
    deleting: metadata.deletionTimestamp !== undefined,
    ...annotatedIntent(metadata),
    ...blockIntent({ block, endpoint, apiServerPort: undefined }),
    clusterEndpoint: cluster.endpoint,
    floatingIp: { enabled: spec.floatingIP?.enabled ?? true, address: spec.floatingIP?.address || undefined },
    fixedIp: spec.fixedIP || undefined,
    clusterNetwork: spec.network === undefined ? undefined : networkSelector(spec.network),
    clusterSubnets: (spec.subnets ?? []).map(subnetSelector),
    externalNetwork: spec.externalNetwork === undefined ? undefined : networkSelector(spec.externalNetwork),
    externalNetworkDisabled: false,
    ...taggedIntent(spec.tags),
    publishDns: spec.publishDNS ?? false,
  };
}

/** What nobody could find out this time stays as the object has it; being provisioned is never taken back. */
export function apiEndpointStatus(
  status: EndpointStatus,
  { status: before }: ApiEndpoint,
): Readonly<Record<string, unknown>> {
  const provisioned = status.provisioned || (before?.initialization?.provisioned ?? false);
  return {
    initialization: { provisioned },
    controlPlaneEndpoint: status.endpoint,
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
    failureDomains: status.failureDomains ?? before?.failureDomains,
  };
}
