// deploy/rbac/manager.yaml: where the manager's lease lives, who the manager is, and the bindings that give it the rights of its
// controllers.

import type { ControllerRoles } from "./rbac.ts";
import { comment, metadata } from "./rbac-text.ts";

const namespace = "mainstay-system";
const account = "mainstay";
const rbac = "apiVersion: rbac.authorization.k8s.io/v1";

export function managerManifest(roles: readonly ControllerRoles[]): string {
  const head = comment(
    "The controller manager itself: where its lease lives, who it is, and what it may do whichever jobs it runs. Each controller's own rights stand in a file of their own; the bindings here give them to the manager's service account. Generated from src/jobs by `npm run generate`.",
    "",
  );
  const documents = [
    [head, "apiVersion: v1", "kind: Namespace", metadata(namespace)],
    ["apiVersion: v1", "kind: ServiceAccount", metadata(account, namespace)],
    [
      "# The leader lease. Its name depends on namespace and watch filter, so the rule names none.",
      rbac,
      "kind: Role",
      metadata("mainstay-manager", namespace),
      "rules:",
      "  - apiGroups: [coordination.k8s.io]",
      "    resources: [leases]",
      "    verbs: [get, create, patch]",
    ],
    binding("Role", "mainstay-manager", namespace),
    ...roles.flatMap(({ controller, namespaces }) => {
      const name = `mainstay-${controller}-controller`;
      return [binding("ClusterRole", name), ...namespaces.map((one) => binding("Role", name, one))];
    }),
  ];
  return `${documents.map((lines) => lines.join("\n")).join("\n---\n")}\n`;
}

function binding(kind: "Role" | "ClusterRole", name: string, where?: string): readonly string[] {
  return [
    rbac,
    `kind: ${kind}Binding`,
    metadata(name, where),
    "roleRef:",
    "  apiGroup: rbac.authorization.k8s.io",
    `  kind: ${kind}`,
    `  name: ${name}`,
    "subjects:",
    "  - kind: ServiceAccount",
    `    name: ${account}`,
    `    namespace: ${namespace}`,
  ];
}
