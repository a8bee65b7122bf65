// deploy/rbac/*-controller.yaml, manager.yaml and viewer.yaml: the rights of every controller, from what its job declares and from what its
// feature watches, the manager's bindings to them, and what people need who only look. Other roles are written by hand beside them.

import { coreEvents } from "../../src/apis/kube/builtin-kinds.ts";
import { checkConfiguration } from "../../src/cli/configuration/configuration.ts";
import { enabledFeatures } from "../../src/cli/configuration/enabled-features.ts";
import { permissionGroups } from "../../src/cli/configuration/permissions.ts";
import type { Permission, PermissionGroup } from "../../src/core/job/permission.ts";
import { allJobs } from "../../src/jobs/all.ts";
import { allFeatures } from "../../src/jobs/features.ts";
import { noOpenStack } from "../../src/sim/fakes/openstack/no-openstack.ts";
import { managerManifest } from "./manager-manifest.ts";
import { comment, metadata, type Rule, ruleText } from "./rbac-text.ts";
import { viewerManifest } from "./viewer-manifest.ts";

export interface ControllerRoles {
  readonly controller: string;
  readonly groups: readonly PermissionGroup[];
  /** Namespaces in which it needs a Role of its own. */
  readonly namespaces: readonly string[];
}

export function rbacManifests(): readonly (readonly [name: string, text: string])[] {
  const roles = controllerRoles();
  return [
    ["manager.yaml", managerManifest(roles)],
    ...roles.map((role) => [`${role.controller}-controller.yaml`, controllerManifest(role)] as const),
    ["viewer.yaml", viewerManifest(roles)],
  ];
}

function controllerRoles(): readonly ControllerRoles[] {
  const checked = checkConfiguration({ jobs: allJobs });
  if (!("configuration" in checked)) throw new Error("the defaults are a valid configuration");
  return enabledFeatures(checked.configuration, allFeatures, { openStack: noOpenStack }).map((feature) => {
    const groups = permissionGroups(feature, allJobs);
    const namespaces = groups.flatMap(({ rights }) => rights).flatMap(({ namespace }) => namespace ?? []);
    return { controller: feature.name, groups, namespaces: [...new Set(namespaces)].toSorted() };
  });
}

function controllerManifest({ controller, groups, namespaces }: ControllerRoles): string {
  const name = `mainstay-${controller}-controller`;
  const head = `What the controller ${controller} needs. Its lease comes with the manager (manager.yaml), which is also given these rights there. Generated from src/jobs by \`npm run generate\`.`;
  const everywhere = [...sections(groups, undefined), { rules: [ruleOf(coreEvents, ["create", "patch"])] }];
  const clusterRole = [
    comment(head, ""),
    "apiVersion: rbac.authorization.k8s.io/v1",
    "kind: ClusterRole",
    metadata(name),
    "rules:",
    ...everywhere.map(sectionText),
  ];
  const roles = namespaces.map((namespace) => [
    "apiVersion: rbac.authorization.k8s.io/v1",
    "kind: Role",
    metadata(name, namespace),
    "rules:",
    ...sections(groups, namespace).map(sectionText),
  ]);
  return `${[clusterRole, ...roles].map((lines) => lines.join("\n")).join("\n---\n")}\n`;
}

interface Section {
  readonly purpose?: string;
  readonly rules: readonly Rule[];
}

/** The rights of one namespace, or those that count everywhere. A resource has one rule, where it is named first. */
function sections(groups: readonly PermissionGroup[], namespace: string | undefined): readonly Section[] {
  const named = new Set<string>();
  const here = groups.flatMap(({ rights }) => rights).filter((right) => right.namespace === namespace);
  return groups.flatMap(({ purpose, rights }) => {
    const keys = new Set(rights.filter((right) => right.namespace === namespace).map(keyOf));
    const rules = [...keys]
      .filter((key) => !named.has(key))
      .flatMap((key) => ruleFor(here.filter((right) => keyOf(right) === key)));
    for (const key of keys) named.add(key);
    return rules.length === 0 ? [] : [{ ...(purpose === undefined ? {} : { purpose }), rules }];
  });
}

function keyOf({ kind, subresource }: Permission): string {
  return `${kind.group}/${kind.plural}/${subresource ?? ""}`;
}

function ruleFor(rights: readonly Permission[]): readonly Rule[] {
  const [first] = rights;
  if (first === undefined) return [];
  const verbs = new Set(rights.map(({ verb }) => verb));
  // A controller that watches a kind also reads single objects of it, when its cache may be too old.
  if (verbs.has("watch")) verbs.add("get");
  const { namespace, name, kind, subresource } = first;
  return [
    { ...ruleOf(kind, [...verbs], subresource), ...(namespace === undefined || name === undefined ? {} : { name }) },
  ];
}

function ruleOf(kind: Permission["kind"], verbs: readonly string[], subresource?: string): Rule {
  const resource = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`;
  return { group: kind.group, resource, verbs };
}

function sectionText({ purpose, rules }: Section): string {
  return [...(purpose === undefined ? [] : [comment(purpose, "  ")]), ...rules.map(ruleText)].join("\n");
}
