// What each part of the manager must be allowed to do: what its job declares, and listing and watching what its feature watches. The
// manifests of deploy/rbac are made from this, and doctor asks for the same.

import { coreEvents, events, leases, subjectAccessReviews, tokenReviews } from "../../apis/kube/builtin-kinds.ts";
import { isSameKind, type ObjectRef } from "../../apis/kube/kube-object.ts";
import type { JobDeclaration } from "../../core/job/declaration.ts";
import type { Permission, PermissionGroup } from "../../core/job/permission.ts";
import { present } from "../../core/present.ts";
import type { Feature, Watch } from "../../engine/feature.ts";
import type { WatchScope } from "../../engine/informer/watch-filter.ts";

/** In the order of the declaration; what is only read comes last. */
export function permissionGroups(
  { name, root, watches }: Feature,
  jobs: readonly JobDeclaration[],
  scope: WatchScope = {},
): readonly PermissionGroup[] {
  const declaration = jobs.map(({ controllers }) => controllers[name]).find((one) => one !== undefined);
  const { permissions = [], follows = "" } = declaration ?? {};
  // Without its own objects a controller is idle, whatever it can do without: that is worth a failed check.
  const reads = watches.map((watch) => (isSameKind(watch.kind, root) ? { ...watch, optional: false } : watch));
  return [...permissions, { purpose: follows, rights: reads.flatMap((watch) => readsOf(watch, scope)) }];
}

export function permissionsOf(
  feature: Feature,
  jobs: readonly JobDeclaration[],
  scope?: WatchScope,
): readonly Permission[] {
  return permissionGroups(feature, jobs, scope)
    .filter(({ forSomeConfigurations }) => forSomeConfigurations !== true)
    .flatMap(({ rights }) => rights);
}

/** Of the manager itself: its lease and its events. */
export function managerPermissions({ name, namespace = "" }: ObjectRef): readonly Permission[] {
  return [
    { kind: leases, verb: "create", namespace },
    ...["get", "patch"].map((verb) => ({ kind: leases, verb, namespace, name })),
    ...["create", "patch"].map((verb) => ({ kind: coreEvents, verb, optional: true })),
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
    ...present({ namespace, name }),
    ...(optional ? { optional } : {}),
  }));
}
