// The roles and bindings an API server creates for itself at start: enough to look around, `cluster-admin`, and the
// three roles for people, shortened to the kinds this server serves.

import type { JsonObject } from "../json.ts";

const apiGroup = "rbac.authorization.k8s.io";
const info = ["/healthz", "/livez", "/readyz", "/version", "/version/"];
const looking = ["/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*"];
const read = ["get", "list", "watch"];
const write = ["create", "delete", "deletecollection", "patch", "update"];
const everyday = [
  "configmaps",
  "endpoints",
  "events",
  "pods",
  "pods/status",
  "serviceaccounts",
  "services",
  "services/status",
];

export function bootstrapPolicy(): readonly JsonObject[] {
  return [
    clusterRole("cluster-admin", [
      { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
      { nonResourceURLs: ["*"], verbs: ["*"] },
    ]),
    clusterRole("system:basic-user", [
      {
        apiGroups: ["authorization.k8s.io"],
        resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
        verbs: ["create"],
      },
      { apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"], verbs: ["create"] },
    ]),
    clusterRole("system:discovery", [{ nonResourceURLs: [...looking, ...info].sort(), verbs: ["get"] }]),
    clusterRole("system:public-info-viewer", [{ nonResourceURLs: info, verbs: ["get"] }]),
    ...rolesForPeople(),
    clusterRoleBinding("cluster-admin", ["system:masters"]),
    clusterRoleBinding("system:basic-user", ["system:authenticated"]),
    clusterRoleBinding("system:discovery", ["system:authenticated"]),
    clusterRoleBinding("system:public-info-viewer", ["system:authenticated", "system:unauthenticated"]),
  ];
}

function rolesForPeople(): readonly JsonObject[] {
  const roles = { apiGroups: [apiGroup], resources: ["roles", "rolebindings"], verbs: [...write, ...read] };
  const secrets = { apiGroups: [""], resources: ["secrets"], verbs: [...write, ...read] };
  return [
    aggregated("admin", "aggregate-to-admin"),
    aggregated("edit", "aggregate-to-edit", { [`${apiGroup}/aggregate-to-admin`]: "true" }),
    aggregated("view", "aggregate-to-view", { [`${apiGroup}/aggregate-to-edit`]: "true" }),
    clusterRole("system:aggregate-to-admin", [roles], { [`${apiGroup}/aggregate-to-admin`]: "true" }),
    clusterRole(
      "system:aggregate-to-edit",
      [
        { apiGroups: [""], resources: ["configmaps", "events", "pods", "services"], verbs: write },
        secrets,
        leases(write),
      ],
      { [`${apiGroup}/aggregate-to-edit`]: "true" },
    ),
    clusterRole(
      "system:aggregate-to-view",
      [{ apiGroups: [""], resources: [...everyday, "namespaces"], verbs: read }, endpointSlices()],
      { [`${apiGroup}/aggregate-to-view`]: "true" },
    ),
  ];
}

function leases(verbs: readonly string[]): JsonObject {
  return { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: [...verbs, ...read] };
}

function endpointSlices(): JsonObject {
  return { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: read };
}

function aggregated(name: string, label: string, labels: JsonObject = {}): JsonObject {
  const selector = { matchLabels: { [`${apiGroup}/${label}`]: "true" } };
  return { ...clusterRole(name, [], labels), aggregationRule: { clusterRoleSelectors: [selector] } };
}

function clusterRole(name: string, rules: readonly JsonObject[], labels: JsonObject = {}): JsonObject {
  return { apiVersion: `${apiGroup}/v1`, kind: "ClusterRole", metadata: metadata(name, labels), rules };
}

function clusterRoleBinding(name: string, groups: readonly string[]): JsonObject {
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: "ClusterRoleBinding",
    metadata: metadata(name, {}),
    roleRef: { apiGroup, kind: "ClusterRole", name },
    subjects: groups.map((group) => ({ apiGroup, kind: "Group", name: group })),
  };
}

function metadata(name: string, labels: JsonObject): JsonObject {
  return {
    name,
    labels: { "kubernetes.io/bootstrapping": "rbac-defaults", ...labels },
    annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
  };
}
