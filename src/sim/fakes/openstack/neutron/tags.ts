// Tags are set in a call of their own, all at once; those of a port also when it is made, where Neutron can.

import type { TaggedResource } from "../../../../core/openstack/neutron-objects.ts";
import type { Cloud } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import type { Caller } from "../keystone/directory.ts";
import { checkText, duplicateTag } from "../strict.ts";
import { tagFloatingIp } from "./floating-ips.ts";
import { owns } from "./visible.ts";

export function replaceTags(
  cloud: Cloud,
  caller: Caller,
  resource: TaggedResource,
  id: string,
  tags: readonly string[],
): void {
  const row = cloud.tables[resource].get(id);
  if (row === undefined || !owns(caller, row))
    refuse(404, `Resource ${resource} ${id} could not be found.`, "TagResourceNotFound");
  if (new Set(tags).size < tags.length) refuse(400, "A tag is given twice", "InvalidInput");
  checkStorable(tags);
  if (resource === "floatingips") return tagFloatingIp(cloud, id, tags);
  if (resource === "ports") return tagPort(cloud, id, tags);
  cloud.tables[resource].patch(id, { tags: [...tags] });
}

/** Of a port that is to be made. One that will not be tagged is still refused for some. */
export function checkNewTags(tags: readonly string[], isTagged: boolean): void {
  if (new Set(tags).size < tags.length) refuse(400, "Invalid input for tags. Reason: Duplicate items in the list");
  if (tags.some((tag) => tag.length > 255)) refuse(400, "Invalid input for tags. Reason: a tag is too long");
  if (isTagged) checkStorable(tags);
}

function checkStorable(tags: readonly string[]): void {
  for (const tag of tags) checkText("tag", tag);
  const duplicate = duplicateTag(tags);
  if (duplicate !== undefined)
    refuse(409, `Failed to create a duplicate Tag: ${duplicate}`, "NeutronDbObjectDuplicateEntry");
}

/** However many change, it is one change; none is none. */
function tagPort({ tables }: Cloud, id: string, tags: readonly string[]): void {
  const row = tables.ports.get(id);
  if (row === undefined || (row.tags.length === tags.length && tags.every((tag) => row.tags.includes(tag)))) return;
  tables.ports.replace({ ...row, tags: [...tags], revisionNumber: row.revisionNumber + 1 });
}
