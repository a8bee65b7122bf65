// What a member must look like, before anything else is asked.

import ipaddr from "ipaddr.js";
import type { CreateMember, UpdateMember } from "../../../../core/openstack/octavia-objects.ts";
import type { Cloud } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import type { Caller } from "../keystone/directory.ts";
import { seesSubnet } from "../neutron/visible.ts";
import { checkRange, checkTags, checkText } from "../strict.ts";

/** The metadata service's: no balancer may reach it. */
const reserved = "169.254.169.254";

export function checkMember(cloud: Cloud, caller: Caller, member: CreateMember): void {
  checkMemberFields(member);
  if (!ipaddr.isValid(member.address)) refuse(400, `Invalid input for address: ${member.address}`);
  if (member.address === reserved) refuse(400, `${reserved} is not a valid option for member address`);
  checkRange("protocol_port", member.port, 1, 65_535);
  if (member.subnetId === undefined) return;
  const subnet = cloud.tables.subnets.get(member.subnetId);
  if (subnet === undefined || !seesSubnet(cloud, caller, subnet)) refuse(400, `Subnet ${member.subnetId} not found.`);
}

export function checkMemberFields({ name, tags, weight }: UpdateMember): void {
  if (name !== undefined) checkText("name", name);
  checkRange("weight", weight, 0, 256);
  checkTags(tags ?? []);
}
