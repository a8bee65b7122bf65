// What each controller must be allowed to do, beside listing and watching what it watches. The manifests of deploy/rbac grant the same;
// a test compares the two.

import { events, leases } from "../apis/builtin-kinds.ts";
import { infrastructures } from "../apis/infrastructure.ts";
import type { Kind } from "../apis/kube-object.ts";
import { topologyReports } from "../apis/topology-report.ts";
import type { Feature } from "../engine/feature.ts";

export interface Permission {
  readonly kind: Kind;
  readonly subresource?: "status";
  readonly verb: string;
  /** Absent: everywhere. */
  readonly namespace?: string;
  /** Something works without it. */
  readonly optional?: boolean;
}

const writes: Readonly<Record<string, readonly Permission[]>> = {
  topology: [
    { kind: infrastructures, verb: "patch" },
    { kind: infrastructures, subresource: "status", verb: "patch" },
    { kind: topologyReports, verb: "create" },
    { kind: topologyReports, verb: "delete" },
    { kind: topologyReports, subresource: "status", verb: "patch" },
  ],
};

export function permissionsOf({ name, watches }: Feature): readonly Permission[] {
  const reads = watches.flatMap(({ kind, namespace, optional = false }) =>
    ["list", "watch"].map((verb) => ({
      kind,
      verb,
      ...(namespace === undefined || !kind.namespaced ? {} : { namespace }),
      ...(optional ? { optional } : {}),
    })),
  );
  return [...reads, ...(writes[name] ?? [])];
}

/** Of the manager itself: its lease and its events. */
export function managerPermissions(leaseNamespace: string): readonly Permission[] {
  return [
    ...["get", "create", "patch"].map((verb) => ({ kind: leases, verb, namespace: leaseNamespace })),
    ...["create", "patch"].map((verb) => ({ kind: events, verb, optional: true })),
  ];
}
