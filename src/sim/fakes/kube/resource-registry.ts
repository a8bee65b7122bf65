// Which resources are served right now: the built-in ones, and one for each established CRD in storage.

import { crdResource } from "./crd/crd-resource.ts";
import type { JsonObject } from "./json.ts";
import { objectsAt } from "./json-lists.ts";
import type { ResourceDefinition, ResourceRegistry } from "./resource.ts";
import { objectAt } from "./schema/json-value.ts";
import type { Entries, ObjectStore } from "./storage/object-store.ts";

export const crdStorage = "apiextensions.k8s.io/customresourcedefinitions";

export function resourceRegistry(builtin: readonly ResourceDefinition[], store: ObjectStore): ResourceRegistry {
  // A definition lives as long as the stored CRD it was made from, so that what is derived from it can be remembered.
  const made = new WeakMap<JsonObject, ResourceDefinition>();
  let served: { readonly crds: Entries; readonly all: readonly ResourceDefinition[] } | undefined;
  const definitionOf = (crd: JsonObject): ResourceDefinition => {
    const definition = made.get(crd) ?? crdResource(crd);
    made.set(crd, definition);
    return definition;
  };
  const all = (): readonly ResourceDefinition[] => {
    const crds = store.list(crdStorage);
    if (served?.crds !== crds) {
      const custom = crds.flatMap(([, crd]) => (isEstablished(crd) ? [definitionOf(crd)] : []));
      served = { crds, all: [...builtin, ...custom] };
    }
    return served.all;
  };
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
