// deploy/rbac/viewer.yaml: what a person needs who looks at Mainstay's objects with the dashboard, the command line or kubectl. It is all
// that controllers read, except Secrets, and it changes nothing.

import { secrets } from "../../src/apis/kube/builtin-kinds.ts";
import { byText } from "../../src/core/by-text.ts";
import type { ControllerRoles } from "./rbac.ts";
import { comment, metadata, type Rule, ruleText } from "./rbac-text.ts";

const head =
  "What a person needs who looks: the kinds that controllers read, except Secrets, and Events. Everybody with the role `view` has it too, by aggregation. For others, such as an account for the dashboard: kubectl create clusterrolebinding my-viewer --clusterrole=mainstay-viewer --serviceaccount=my-namespace:my-account. Generated from src/jobs by `npm run generate`.";
const ofCluster =
  "What `view` does not show either: namespaces, nodes and definitions. With it, too, plans and log are shown in full.";

const aggregateToView = '    rbac.authorization.k8s.io/aggregate-to-view: "true"';

export function viewerManifest(roles: readonly ControllerRoles[]): string {
  const rules = readRules(roles);
  const role = (about: string, name: string, labels: readonly string[], some: readonly Rule[]) =>
    [
      comment(about, ""),
      "apiVersion: rbac.authorization.k8s.io/v1",
      "kind: ClusterRole",
      metadata(name),
      ...labels,
      "rules:",
      ...some.map(ruleText),
    ].join("\n");
  const forView = role(
    head,
    "mainstay-viewer",
    [aggregateToView],
    rules.filter((rule) => !isOfCluster(rule)),
  );
  return `${forView}\n---\n${role(ofCluster, "mainstay-cluster-viewer", [], rules.filter(isOfCluster))}\n`;
}

function isOfCluster({ group, resource }: Rule): boolean {
  return resource !== "events" && ["", "apiextensions.k8s.io"].includes(group);
}

/** What stands in one namespace alone, such as kube-system, people read by the rights that they have there. */
function readRules(roles: readonly ControllerRoles[]): readonly Rule[] {
  const rights = roles.flatMap(({ groups }) => groups).flatMap(({ rights: some }) => some);
  const kinds = rights
    .filter(
      ({ kind, namespace, subresource }) => kind !== secrets && namespace === undefined && subresource === undefined,
    )
    .map(({ kind: { group, plural } }) => ({ group, resource: plural }));
  const all = [...kinds, ...["", "events.k8s.io"].map((group) => ({ group, resource: "events" }))];
  const byName = new Map(all.map((one) => [`${one.group}/${one.resource}`, one]));
  return [...byName].toSorted(byText(([name]) => name)).map(([, one]) => ({ ...one, verbs: ["get", "list", "watch"] }));
}
