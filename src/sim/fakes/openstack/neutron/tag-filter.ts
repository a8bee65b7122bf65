// Neutron's four ways to ask for tags: all of them, any of them, not all of them, none of them.

import type { TagFilter } from "../../../../core/openstack/neutron-objects.ts";

export function fitsTags(tags: readonly string[], { tags: all, tagsAny, notTags, notTagsAny }: TagFilter): boolean {
  const has = (tag: string) => tags.includes(tag);
  return (
    (all === undefined || all.every(has)) &&
    (tagsAny === undefined || tagsAny.some(has)) &&
    (notTags === undefined || !notTags.every(has)) &&
    (notTagsAny === undefined || !notTagsAny.some(has))
  );
}
