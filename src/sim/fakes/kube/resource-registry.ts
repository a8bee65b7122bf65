// Which resources are served right now: the built-in ones, and one for each established CRD in storage.

import { crdResource } from "./crd/crd-resource.ts";
import type { JsonObject } from "./json.ts";
import { objectsAt } from "./json-lists.ts";
import type { ResourceDefinition, ResourceRegistry } from "./resource.ts";
import { objectAt } from "./schema/json-value.ts";
import type { ObjectStore } from "./storage/object-store.ts";

export const crdStorage = "apiextensions.k8s.io/customresourcedefinitions";

export function resourceRegistry(builtin: readonly ResourceDefinition[], store: ObjectStore): ResourceRegistry {
  // A definition lives as long as the stored CRD it was made from, so that what is derived from it can be remembered.
  const made = new WeakMap<JsonObject, ResourceDefinition>();
  function custom(): readonly ResourceDefinition[] {
    return store.list(crdStorage).flatMap(([, crd]) => {
      if (!isEstablished(crd)) return [];
      const definition = made.get(crd) ?? crdResource(crd);
      made.set(crd, definition);
      return [definition];
    });
  }
  const all = (): readonly ResourceDefinition[] => [...builtin, ...custom()];
  return {
    all,
    find: (group, version, plural) =>
      all().find((resource) => resource.group === group && resource.plural === plural && isServed(resource, version)),
    findKind: (group, kind) => all().find((resource) => resource.group === group && resource.kind === kind),
  };
}

function isServed(resource: ResourceDefinition, version: string): boolean {
  return resource.versions.some(({ name, served }) => served && name === version);
}

function isEstablished(crd: JsonObject): boolean {
  const conditions = objectsAt(objectAt(crd, "status"), "conditions");
  return conditions.some(({ type, status }) => type === "Established" && status === "True");
}
