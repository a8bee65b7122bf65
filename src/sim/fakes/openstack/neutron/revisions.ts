// Every change of a floating IP or port is counted, also one to what it was before, so that a caller can ask for a change only while nobody
// else has made one. With OVN Neutron writes down the status beside each change of a floating IP that is attached, before or after: one change more,
// which the answer does not show yet.

import type { FloatingIpSeen, PortChange } from "../../../../core/openstack/neutron-objects.ts";
import type { Cloud } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import type { FloatingIpRecord, PortRecord } from "../cloud-records.ts";
import { comparesRevisions } from "./extensions.ts";

/**
 * Neutron without the extension compares nothing: whoever wants to know whether it is where it was has to look, as the driver does. The driver
 * looks a moment before its change, and here both are one: what happens in between is `setForgetful`.
 */
export function checkUnchanged(
  cloud: Cloud,
  { portId, revisionNumber }: FloatingIpRecord,
  seen: FloatingIpSeen | undefined,
): void {
  if (seen === undefined || cloud.trouble.isForgetful) return;
  const isSame = comparesRevisions(cloud) ? revisionNumber === seen.revisionNumber : portId === seen.portId;
  if (isSame) return;
  changed(seen.revisionNumber, revisionNumber);
}

export function checkRevision(
  { trouble }: Cloud,
  { revisionNumber }: { readonly revisionNumber: number },
  wanted: number | undefined,
): void {
  if (wanted !== undefined && wanted !== revisionNumber && !trouble.isForgetful) changed(wanted, revisionNumber);
}

/** The answer to somebody who saw it otherwise. */
export function changed(wanted: number | undefined, current: number): never {
  refuse(412, `Constrained to ${wanted}, but current revision is ${current}`, "RevisionNumberConstraintFailed");
}

/**
 * In the place of the row with its id; answers what it was right after the change. A port's description alone counts twice, and so little as
 * a change without effect counts once, too late for the answer.
 */
export function countPortChange({ tables }: Cloud, row: PortRecord, change: PortChange): PortRecord {
  const { name, description, allowedAddressPairs } = change;
  const isText = description !== undefined && name === undefined;
  const isPairs = allowedAddressPairs !== undefined;
  const shown = isText && isPairs ? 2 : Object.keys(change).length > 0 ? 1 : 0;
  const late = shown === 0 || (isText && !isPairs) ? 1 : 0;
  const answer = { ...row, revisionNumber: row.revisionNumber + shown };
  tables.ports.replace({ ...answer, revisionNumber: answer.revisionNumber + late });
  return answer;
}

/** In the place of the row with its id; answers what it was right after the change. */
export function replaceCounted({ tables }: Cloud, row: FloatingIpRecord): FloatingIpRecord {
  return tables.floatingips.replace({ ...row, revisionNumber: row.revisionNumber + 1 });
}

export function countStatus({ options, tables }: Cloud, id: string, isAttached: boolean): void {
  const row = tables.floatingips.get(id);
  if (options.defaultProvider === "ovn" && isAttached && row !== undefined)
    tables.floatingips.patch(id, { revisionNumber: row.revisionNumber + 1 });
}
