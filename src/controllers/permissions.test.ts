import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { controllerNames, enabledFeatures } from "./all.ts";
import { readConfiguration } from "./configuration.ts";
import { permissionsOf } from "./permissions.ts";

interface Role {
  readonly metadata: { readonly namespace?: string };
  readonly rules: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
  }[];
}

test("the manifests grant every controller what doctor asks for", () => {
  const { configuration } = readConfiguration({ controllers: controllerNames });
  const features = enabledFeatures(configuration);
  expect(features.length).toBeGreaterThan(0);
  for (const feature of features) {
    const path = join(import.meta.dirname, "..", "..", "deploy", "rbac", `${feature.name}-controller.yaml`);
    const roles = parseAllDocuments(readFileSync(path, "utf8")).map((document) => document.toJS() as Role);
    const missing = permissionsOf(feature).filter(({ kind, verb, subresource, namespace }) => {
      const resource = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`;
      return !roles.some(
        ({ metadata, rules }) =>
          (metadata.namespace === undefined || metadata.namespace === namespace) &&
          rules.some(
            (rule) =>
              rule.apiGroups.includes(kind.group) && rule.resources.includes(resource) && rule.verbs.includes(verb),
          ),
      );
    });
    expect(missing).toEqual([]);
  }
});
