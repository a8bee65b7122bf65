// What the server serves, as `/api`, `/apis` and below tell it: plain documents, and the aggregated ones that newer
// clients ask for by content type. Knows resources only through the registry.

import type { JsonObject } from "../json.ts";
import type { ResourceRegistry } from "../resource.ts";
import { aggregatedDiscovery, aggregatedType } from "./aggregated.ts";
import { apiResource, resourcesOf } from "./api-resources.ts";
import type { ServedDocument } from "./document.ts";
import { type ServedGroup, servedGroups } from "./served-groups.ts";

/** `path` without query. Undefined: the path is not one of discovery's, or its group or version is not served. */
export function discovery(registry: ResourceRegistry, path: string, accept: string): ServedDocument | undefined {
  const words = path.split("/").filter((word) => word !== "");
  const groups = servedGroups(registry);
  if (words[0] === "api") return legacyDiscovery(registry, groups, words.slice(1), accept);
  if (words[0] !== "apis" || words.length > 3) return undefined;
  const [, groupName, version] = words;
  const named = groups.filter(({ name }) => name !== "");
  if (groupName === undefined) return rootDocument(registry, named, accept, groupList(named));
  const group = named.find(({ name }) => name === groupName);
  if (group === undefined) return undefined;
  if (version === undefined) return json({ kind: "APIGroup", apiVersion: "v1", ...groupEntry(group) });
  if (!group.versions.includes(version)) return undefined;
  const groupVersion = `${group.name}/${version}`;
  return json({
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion,
    resources: resourcesOf(registry, group.name, version).flatMap((served) => apiResource(served)),
  });
}

function legacyDiscovery(
  registry: ResourceRegistry,
  groups: readonly ServedGroup[],
  words: readonly string[],
  accept: string,
): ServedDocument | undefined {
  const core = groups.find(({ name }) => name === "");
  if (core === undefined || words.length > 1) return undefined;
  const [version] = words;
  if (version === undefined) {
    return rootDocument(registry, [core], accept, {
      kind: "APIVersions",
      versions: core.versions,
      serverAddressByClientCIDRs: [],
    });
  }
  if (!core.versions.includes(version)) return undefined;
  const resources = resourcesOf(registry, "", version).flatMap((served) => apiResource(served));
  return json({ kind: "APIResourceList", groupVersion: version, resources });
}

function rootDocument(
  registry: ResourceRegistry,
  groups: readonly ServedGroup[],
  accept: string,
  plain: JsonObject,
): ServedDocument {
  const aggregated = aggregatedType(accept);
  return aggregated === undefined
    ? json(plain)
    : { contentType: aggregated.contentType, body: aggregatedDiscovery(registry, groups, aggregated.version) };
}

function groupList(groups: readonly ServedGroup[]): JsonObject {
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map(groupEntry) };
}

function groupEntry(group: ServedGroup): JsonObject {
  const versions = group.versions.map((version) => ({ groupVersion: `${group.name}/${version}`, version }));
  return { name: group.name, versions, ...(versions[0] === undefined ? {} : { preferredVersion: versions[0] }) };
}

function json(body: JsonObject): ServedDocument {
  return { contentType: "application/json", body };
}
