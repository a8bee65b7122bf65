// What Neutron does with floating IPs: one to a port, and they outlive what they were attached to. And what a planner must not do to those
// of other people.

import { isDeepStrictEqual } from "node:util";
import type { FloatingIpSeen } from "../../../src/core/openstack/neutron-objects.ts";
import { present } from "../../../src/core/present.ts";
import type { EndpointAction } from "../../../src/jobs/api-endpoint/core/model/action.ts";
import type { EndpointIntent } from "../../../src/jobs/api-endpoint/core/model/intent.ts";
import { balancerDescription } from "../../../src/jobs/api-endpoint/core/model/names.ts";
import { hasAnyOwnerTag, isFloatingIpMade } from "../../../src/jobs/api-endpoint/core/model/ownership.ts";
import type { FloatingIpRow } from "./cloud-rows.ts";
import { ownerId } from "./endpoint-builders.ts";
import { missing, must, refuse, refuseUnless } from "./model-refusal.ts";

export type NeutronAction = Extract<EndpointAction, { readonly kind: `${string}-floating-ip` }>;

/** What the floating IPs are in. */
export interface NeutronContext {
  readonly intent: EndpointIntent;
  readonly add: (over: Partial<FloatingIpRow>) => void;
}

export function isNeutronAction(action: EndpointAction): action is NeutronAction {
  return action.kind.endsWith("-floating-ip");
}

/** The floating IPs that there are afterwards. */
export function changeNeutron(all: FloatingIpRow[], action: NeutronAction, context: NeutronContext): FloatingIpRow[] {
  if (action.kind === "create-floating-ip") {
    create(all, action.wanted, context);
    return all;
  }
  const one = all.find(({ id }) => id === action.id);
  if (one === undefined) {
    // Deleting what is gone is done.
    if (action.kind === "delete-floating-ip") return all;
    return missing(action);
  }
  switch (action.kind) {
    case "attach-floating-ip":
      checkPort(all, action.portId);
      checkUnchanged(one, action);
      must(one.portId === undefined, "a floating IP was stolen");
      one.portId = action.portId;
      countChange(one);
      return all;
    case "detach-floating-ip":
      checkUnchanged(one, action);
      must(isFloatingIpMade(one, ownerId), "somebody else's floating IP was detached");
      detach(one);
      return all;
    case "tag-floating-ip":
      must(
        isFloatingIpMade(one, ownerId) || !hasAnyOwnerTag(one.tags),
        "a floating IP that somebody else marked was marked as ours",
      );
      if (!isDeepStrictEqual(one.tags.toSorted(), action.tags.toSorted())) countChange(one);
      one.tags = action.tags;
      return all;
    case "delete-floating-ip":
      checkUnchanged(one, action);
      checkUnused(one, context.intent);
      return all.filter(({ id }) => id !== action.id);
  }
}

function create(
  all: readonly FloatingIpRow[],
  { portId, description, address }: Extract<NeutronAction, { kind: "create-floating-ip" }>["wanted"],
  { add }: NeutronContext,
): void {
  if (portId !== undefined) checkPort(all, portId);
  const isTaken = address !== undefined && all.some((one) => one.address === address);
  if (isTaken) refuse("Conflict", `${address} is in use`);
  add({ description, ...present({ portId, address }) });
}

function checkPort(all: readonly FloatingIpRow[], portId: string): void {
  refuseUnless(!all.some((one) => one.portId === portId), "Conflict", `port ${portId} has a floating IP`);
}

function checkUnchanged(one: FloatingIpRow, { seen }: { readonly seen: FloatingIpSeen }): void {
  refuseUnless(one.revisionNumber === seen.revisionNumber, "Changed", `${one.address} was changed since`);
}

export function detach(one: FloatingIpRow): void {
  delete (one as { portId?: string }).portId;
  countChange(one);
}

function countChange(one: FloatingIpRow): void {
  one.revisionNumber = (one.revisionNumber ?? 0) + 1;
}

function checkUnused(one: FloatingIpRow, { cluster, floatingIp }: EndpointIntent): void {
  const isOurs = isFloatingIpMade(one, ownerId) || one.description === balancerDescription(cluster);
  must(isOurs, "somebody else's floating IP was deleted");
  must(one.portId === undefined && one.address !== floatingIp.address, "a floating IP in use was deleted");
}
