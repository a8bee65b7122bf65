// Aggregated discovery: every group, version and resource in one document, for clients that name it in Accept.

import type { JsonObject } from "../json.ts";
import { mediaRanges } from "../media-ranges.ts";
import type { ResourceRegistry } from "../resource.ts";
import { resourcesOf, type ServedResource, subresourcesOf, verbsOf } from "./api-resources.ts";
import type { ServedGroup } from "./served-groups.ts";

const versions = ["v2", "v2beta1"];

/** The first aggregated type the client names that we speak, unless plain JSON comes before it. */
export function aggregatedType(accept: string): { readonly version: string; readonly contentType: string } | undefined {
  for (const { type, parameters } of mediaRanges(accept)) {
    if (type !== "application/json") continue;
    const wanted = parameters.get("as");
    if (wanted === undefined) return undefined;
    if (parameters.get("g") !== "apidiscovery.k8s.io" || wanted !== "APIGroupDiscoveryList") continue;
    const version = versions.find((known) => known === parameters.get("v"));
    if (version === undefined) continue;
    return { version, contentType: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList` };
  }
  return undefined;
}

export function aggregatedDiscovery(
  registry: ResourceRegistry,
  groups: readonly ServedGroup[],
  version: string,
): JsonObject {
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map((group) => groupDiscovery(registry, group)),
  };
}

function groupDiscovery(registry: ResourceRegistry, group: ServedGroup): JsonObject {
  return {
    metadata: group.name === "" ? {} : { name: group.name },
    versions: group.versions.map((version) => ({
      version,
      resources: resourcesOf(registry, group.name, version).map(resourceDiscovery),
      freshness: "Current",
    })),
  };
}

function resourceDiscovery(served: ServedResource): JsonObject {
  const { resource, version } = served;
  const subresources = subresourcesOf(served).map(({ name, group, version: of, kind, verbs }) => ({
    subresource: name,
    responseKind: { group, version: of, kind },
    verbs,
  }));
  return {
    resource: resource.plural,
    responseKind: { group: resource.group, version: version.name, kind: resource.kind },
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    singularResource: resource.singular,
    verbs: verbsOf(resource),
    ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
    ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}
