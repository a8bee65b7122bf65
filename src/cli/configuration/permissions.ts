// What each controller must be allowed to do, beside listing and watching what it watches. The manifests of deploy/rbac grant the same;
// a test compares the two.

import { clusters } from "../../apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../apis/external-dns/dns-endpoint.ts";
import {
  events,
  leases,
  namespaces,
  secrets,
  subjectAccessReviews,
  tokenReviews,
} from "../../apis/kube/builtin-kinds.ts";
import { type Kind, type ObjectRef, resourceName } from "../../apis/kube/kube-object.ts";
import { openStackClusterIdentities } from "../../apis/openstack/openstack-cluster-identity.ts";
import type { Feature, Watch } from "../../engine/feature.ts";
import type { WatchScope } from "../../engine/informer/watch-filter.ts";
import { apiEndpoints } from "../../jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { openStackClusters } from "../../jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { infrastructureName, infrastructures } from "../../jobs/topology/apis/infrastructure.ts";
import { topologyReports } from "../../jobs/topology/apis/topology-report.ts";

export interface Permission {
  readonly kind: Kind;
  readonly subresource?: "status";
  readonly verb: string;
  /** Absent: everywhere. */
  readonly namespace?: string;
  /** The one object it is needed for: a rule that names it is enough. Absent: any, or one whose name is not known yet. */
  readonly name?: string;
  /** Something works without it. */
  readonly optional?: boolean;
}

const writes: Readonly<Record<string, readonly Permission[]>> = {
  topology: [
    { kind: infrastructures, verb: "patch", name: infrastructureName },
    { kind: infrastructures, subresource: "status", verb: "patch", name: infrastructureName },
    { kind: topologyReports, verb: "create" },
    { kind: topologyReports, verb: "delete", name: infrastructureName },
    { kind: topologyReports, subresource: "status", verb: "patch", name: infrastructureName },
  ],
  "openstack-cluster": endpointWrites(openStackClusters),
  "api-endpoint": [
    ...endpointWrites(apiEndpoints),
    { kind: openStackClusters, verb: "get", optional: true },
    { kind: openStackClusters, verb: "patch", optional: true },
    { kind: clusters, verb: "get" },
  ],
};

/** Beside its own object: credentials are read, DNS records are written for those who ask for it. */
function endpointWrites(root: Kind): readonly Permission[] {
  return [
    { kind: root, verb: "get" },
    { kind: root, verb: "patch" },
    { kind: root, subresource: "status", verb: "patch" },
    { kind: secrets, verb: "get" },
    { kind: namespaces, verb: "get", optional: true },
    { kind: openStackClusterIdentities, verb: "get", optional: true },
    ...["get", "create", "patch", "delete"].map((verb) => ({ kind: dnsEndpoints, verb, optional: true })),
  ];
}

export function permissionsOf({ name, root, watches }: Feature, scope: WatchScope = {}): readonly Permission[] {
  // Without its own objects a controller is idle, whatever it can do without: that is worth a failed check.
  const reads = watches.map((watch) => (sameKind(watch.kind, root) ? { ...watch, optional: false } : watch));
  return [...reads.flatMap((watch) => readsOf(watch, scope)), ...(writes[name] ?? [])];
}

/** Of the manager itself: its lease and its events. */
export function managerPermissions({ name, namespace = "" }: ObjectRef): readonly Permission[] {
  return [
    { kind: leases, verb: "create", namespace },
    ...["get", "patch"].map((verb) => ({ kind: leases, verb, namespace, name })),
    ...["create", "patch"].map((verb) => ({ kind: events, verb, optional: true })),
  ];
}

/** Of the dashboard: whose token it was given, what they may see, and the events that it shows. */
export const dashboardPermissions: readonly Permission[] = [
  { kind: tokenReviews, verb: "create" },
  { kind: subjectAccessReviews, verb: "create" },
  { kind: events, verb: "list", optional: true },
];

function readsOf({ kind, namespace: own, fieldSelector = "", optional = false }: Watch, scope: WatchScope) {
  const namespace = kind.namespaced ? (own ?? scope.namespace) : undefined;
  const name = /^metadata\.name=([^,]+)$/.exec(fieldSelector)?.[1];
  return ["list", "watch"].map((verb) => ({
    kind,
    verb,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(optional ? { optional } : {}),
  }));
}

function sameKind(one: Kind, other: Kind): boolean {
  return resourceName(one) === resourceName(other);
}
