// Does a manager run? Its Lease says who leads and when it was last renewed.

import { leases } from "../../apis/kube/builtin-kinds.ts";
import { formatRef, type KubeObject, type ObjectRef } from "../../apis/kube/kube-object.ts";
import { isKubeError } from "../../core/kube-error.ts";
import { textAt } from "../../core/views/explained.ts";
import { decodeLease } from "../../engine/lease/lease-record.ts";
import type { Clock } from "../../ports/clock.ts";
import type { KubeReader } from "../../ports/kube.ts";
import { type Finding, ok, warn } from "./finding.ts";

export async function checkLease(kube: KubeReader, clock: Clock, ref: ObjectRef): Promise<Finding> {
  const check = "leader";
  const start = "Start one with mainstay controller, or find out why it does not run.";
  try {
    const lease: KubeObject = await kube.get(leases, ref);
    const { holder, durationMs } = decodeLease(lease);
    if (holder === "") return warn(check, `nobody holds the lease ${formatRef(ref)}`, start);
    const renewedMs = Date.parse(textAt(lease, "spec", "renewTime"));
    const agoMs = clock.nowMs() - renewedMs;
    const ago = `${Math.max(0, Math.round(agoMs / 1_000))} s ago`;
    if (agoMs > durationMs * 2)
      return warn(check, `${holder} led and renewed its lease ${ago}, which is too long`, start);
    return ok(check, `${holder} leads and renewed its lease ${ago}`);
  } catch (error) {
    if (isKubeError(error, "NotFound"))
      return warn(check, `there is no lease ${formatRef(ref)}: no manager has run here`, start);
    if (isKubeError(error, "Forbidden"))
      return warn(check, `the lease ${formatRef(ref)} may not be read`, "Ask for the right to get leases there.");
    throw error;
  }
}
