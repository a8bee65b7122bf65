// Which groups are served in which versions, the preferred version first.

import { compareVersions } from "../compare-versions.ts";
import type { ResourceRegistry } from "../resource.ts";

export interface ServedGroup {
  /** Empty for the core group. */
  readonly name: string;
  readonly versions: readonly string[];
}

export function servedGroups(registry: ResourceRegistry): readonly ServedGroup[] {
  const byGroup = new Map<string, Set<string>>();
  for (const resource of registry.all()) {
    const versions = byGroup.get(resource.group) ?? new Set();
    for (const { name, served } of resource.versions) if (served) versions.add(name);
    byGroup.set(resource.group, versions);
  }
  return [...byGroup]
    .filter(([, versions]) => versions.size > 0)
    .map(([name, versions]) => ({ name, versions: [...versions].sort(compareVersions) }));
}
