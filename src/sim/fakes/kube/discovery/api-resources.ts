// One resource as discovery lists it: its verbs and its subresources.

import type { JsonObject } from "../json.ts";
import type { ResourceDefinition, ResourceRegistry, ResourceVersionDefinition } from "../resource.ts";

export interface ServedResource {
  readonly resource: ResourceDefinition;
  readonly version: ResourceVersionDefinition;
}

export interface ServedSubresource {
  readonly name: string;
  readonly verbs: readonly string[];
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const storedVerbs = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
// The order in which the real server lists the verbs of a custom resource.
const customVerbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const readAndWrite = ["get", "patch", "update"];

export function resourcesOf(registry: ResourceRegistry, group: string, version: string): readonly ServedResource[] {
  return registry.all().flatMap((resource) => {
    if (resource.group !== group) return [];
    return resource.versions
      .filter(({ name, served }) => served && name === version)
      .map((served) => ({ resource, version: served }));
  });
}

export function verbsOf(resource: ResourceDefinition): readonly string[] {
  return resource.verbs ?? (resource.crd === undefined ? storedVerbs : customVerbs);
}

export function subresourcesOf({ resource, version }: ServedResource): readonly ServedSubresource[] {
  const own = { group: resource.group, version: version.name, kind: resource.kind };
  const scale = { group: "autoscaling", version: "v1", kind: "Scale", verbs: readAndWrite };
  const token = { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest", verbs: ["create"] };
  return [
    ...(resource.strategy.subresources ?? []).map((name) => ({ name, ...own, verbs: ["update"] })),
    ...(version.hasStatus ? [{ name: "status", ...own, verbs: readAndWrite }] : []),
    ...(version.scale === undefined ? [] : [{ name: "scale", ...scale }]),
    ...(version.issuesTokens === true ? [{ name: "token", ...token }] : []),
  ];
}

/** The resource and each of its subresources, as entries of an APIResourceList. */
export function apiResource(served: ServedResource): readonly JsonObject[] {
  const { resource } = served;
  const own = {
    name: resource.plural,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: verbsOf(resource),
    ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
    ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
  };
  const parts = subresourcesOf(served).map(({ name, group, version, kind, verbs }) => ({
    name: `${resource.plural}/${name}`,
    singularName: "",
    namespaced: resource.namespaced,
    ...(kind === resource.kind ? {} : { group, version }),
    kind,
    verbs,
  }));
  return [own, ...parts];
}
