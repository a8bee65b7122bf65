import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import type { Permission } from "../../core/job/permission.ts";
import { allJobs } from "../../jobs/all.ts";
import { allFeatures } from "../../jobs/features.ts";
import { noOpenStack } from "../../sim/fakes/openstack/no-openstack.ts";
import { readConfiguration } from "./configuration.ts";
import { enabledFeatures } from "./enabled-features.ts";
import { dashboardPermissions, managerPermissions, permissionsOf } from "./permissions.ts";

interface Role {
  readonly metadata: { readonly namespace?: string };
  readonly rules: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs: readonly string[];
  }[];
}

const rolesIn = (file: string): readonly Role[] => {
  const path = join(import.meta.dirname, "..", "..", "..", "deploy", "rbac", `${file}.yaml`);
  return parseAllDocuments(readFileSync(path, "utf8"))
    .map((document) => document.toJS() as Partial<Role>)
    .filter((object): object is Role => object.rules !== undefined);
};

function missingFrom(roles: readonly Role[], wanted: readonly Permission[]): readonly Permission[] {
  return wanted.filter(({ kind, verb, subresource, namespace, name }) => {
    const resource = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`;
    return !roles.some(
      ({ metadata, rules }) =>
        (metadata.namespace === undefined || metadata.namespace === namespace) &&
        rules.some(
          (rule) =>
            rule.apiGroups.includes(kind.group) &&
            rule.resources.includes(resource) &&
            rule.verbs.includes(verb) &&
            (rule.resourceNames === undefined || (name !== undefined && rule.resourceNames.includes(name))),
        ),
    );
  });
}

test("the manifests grant the manager and the dashboard what doctor asks for", () => {
  const lease = { namespace: "mainstay-system", name: "mainstay-controller" };
  const ofLease = managerPermissions(lease).filter(({ kind }) => kind.plural === "leases");
  expect(missingFrom(rolesIn("manager"), ofLease)).toEqual([]);
  expect(missingFrom(rolesIn("dashboard"), dashboardPermissions)).toEqual([]);
});

test("the manifests grant every controller what doctor asks for", () => {
  const { configuration } = readConfiguration({ jobs: allJobs });
  const features = enabledFeatures(configuration, allFeatures, { openStack: noOpenStack });
  expect(features.length).toBeGreaterThan(0);
  for (const feature of features) {
    const missing = missingFrom(rolesIn(`${feature.name}-controller`), permissionsOf(feature, allJobs));
    expect(missing).toEqual([]);
  }
});
