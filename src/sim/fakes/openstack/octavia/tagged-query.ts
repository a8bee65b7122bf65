// Lists by name, tags and balancer, from the narrowest index that fits. Always of the caller's own project.

import type { ChildQuery } from "../../../../core/openstack/octavia-objects.ts";
import type { Caller } from "../keystone/directory.ts";
import type { RecordTable, Row } from "../record-table.ts";

interface Listed extends Row {
  readonly name: string;
  readonly tags: readonly string[];
  readonly projectId: string;
  readonly loadBalancerId?: string;
}

export function narrowest<T extends Listed>(
  table: RecordTable<T>,
  { projectId }: Caller,
  { name, tags, tagsAny, loadBalancerId }: ChildQuery,
): readonly T[] {
  const keys =
    loadBalancerId !== undefined
      ? [`balancer:${loadBalancerId}`]
      : tags?.[0] !== undefined
        ? [`tag:${tags[0]}`]
        : name !== undefined
          ? [`name:${name}`]
          : (tagsAny?.map((tag) => `tag:${tag}`) ?? [`project:${projectId}`]);
  return [...new Set(keys.flatMap((key) => table.find(key)))].filter(
    (row) =>
      row.projectId === projectId &&
      (name === undefined || row.name === name) &&
      (tags === undefined || tags.every((tag) => row.tags.includes(tag))) &&
      (tagsAny === undefined || tagsAny.some((tag) => row.tags.includes(tag))),
  );
}
