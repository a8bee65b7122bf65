// Tags are set in a call of their own, all at once.

import type { TaggedResource } from "../../../../core/openstack/neutron-objects.ts";
import type { Cloud } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import type { Caller } from "../keystone/directory.ts";
import { checkText, duplicateTag } from "../strict.ts";
import { visibleFloatingIp } from "./floating-ips.ts";
import { missing, owns, visibleNetwork, visiblePort, visibleRouter, visibleSubnet } from "./visible.ts";

const finders: Readonly<Record<TaggedResource, (cloud: Cloud, caller: Caller, id: string) => { projectId: string }>> = {
  floatingips: visibleFloatingIp,
  ports: visiblePort,
  networks: visibleNetwork,
  subnets: visibleSubnet,
  routers: visibleRouter,
};

export function replaceTags(
  cloud: Cloud,
  caller: Caller,
  resource: TaggedResource,
  id: string,
  tags: readonly string[],
): void {
  const row = finders[resource](cloud, caller, id);
  if (!owns(caller, row)) missing("Resource", id);
  if (new Set(tags).size < tags.length) refuse(400, "A tag is given twice", "InvalidInput");
  for (const tag of tags) checkText("tag", tag);
  const duplicate = duplicateTag(tags);
  if (duplicate !== undefined)
    refuse(409, `Failed to create a duplicate Tag: ${duplicate}`, "NeutronDbObjectDuplicateEntry");
  cloud.tables[resource].patch(id, { tags: [...tags] });
}
