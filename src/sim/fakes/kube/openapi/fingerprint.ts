// A short hash that changes when a resource's definition changes. Definitions are never changed in place, so each is hashed once.

import type { ResourceDefinition } from "../resource.ts";

const known = new WeakMap<ResourceDefinition, string>();

export function fingerprint(resource: ResourceDefinition): string {
  const before = known.get(resource);
  if (before !== undefined) return before;
  // Built-in kinds never change, and their schemas may be cyclic.
  const hash = fnv1a(resource.crd === undefined ? `${resource.group}/${resource.plural}` : JSON.stringify(resource));
  known.set(resource, hash);
  return hash;
}

/** FNV-1a, 32 bits. */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0").toUpperCase();
}
