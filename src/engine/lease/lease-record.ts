// A Lease object, decoded, and the patches of a holder or a candidate. No clock, no calls: times come in as arguments.
//
// The epoch is `leaseTransitions`. It grows with each change of holder and never repeats, not even when the Lease is deleted and
// created again: a new Lease starts at the seconds since 2024 of its `creationTimestamp`. That is more than any count of transitions,
// because a Lease changes its holder less than once a second.

import { leases } from "../../apis/kube/builtin-kinds.ts";
import { apiVersionOf, type KubeObject, type ObjectRef } from "../../apis/kube/kube-object.ts";
import { isRecord } from "../../apis/text/problem.ts";
import { kubeMicroTime } from "../../core/conditions.ts";
import type { Patch } from "../../ports/kube.ts";

export interface LeaseRecord {
  readonly resourceVersion: string;
  /** Empty: nobody holds it. */
  readonly holder: string;
  readonly epoch: number;
  readonly durationMs: number;
  /** The holder released it and has stopped writing: it can be taken at once. */
  readonly released: boolean;
  /** No epoch of this Lease may be lower. */
  readonly epochFloor: number;
}

/** Seconds since then fit the 32 bits of `leaseTransitions` until 2092. */
const calendarStartMs = Date.UTC(2024, 0, 1);
const releasedDurationSeconds = 1;

export function decodeLease(lease: KubeObject & { readonly spec?: unknown }): LeaseRecord {
  const spec = isRecord(lease.spec) ? lease.spec : {};
  const holder = typeof spec["holderIdentity"] === "string" ? spec["holderIdentity"] : "";
  const seconds = numberOr(spec["leaseDurationSeconds"], 0);
  const createdMs = Date.parse(lease.metadata.creationTimestamp ?? "");
  const age = Number.isNaN(createdMs) ? 0 : Math.floor((createdMs - calendarStartMs) / 1_000);
  return {
    resourceVersion: lease.metadata.resourceVersion ?? "",
    holder,
    epoch: numberOr(spec["leaseTransitions"], 0),
    durationMs: seconds * 1_000,
    released: holder === "" && seconds === releasedDurationSeconds,
    epochFloor: Math.max(1, age),
  };
}

/** `highestSeen` matters when the Lease was restored from an old backup. */
export function nextEpoch(record: LeaseRecord, highestSeen: number): number {
  return Math.max(record.epoch + 1, highestSeen + 1, record.epochFloor);
}

/**
 * A Lease that nobody holds and that may not be taken yet: it may replace one that was deleted while it was held, and that holder
 * can still write for as long as its Lease would have lasted.
 */
export function unheldLease(ref: ObjectRef, durationMs: number): KubeObject {
  return {
    apiVersion: apiVersionOf(leases),
    kind: leases.kind,
    metadata: { ...ref },
    spec: { leaseDurationSeconds: Math.ceil(durationMs / 1_000) },
  } as KubeObject;
}

export interface Holding {
  readonly identity: string;
  readonly durationMs: number;
  readonly nowMs: number;
}

export function acquirePatch(
  record: LeaseRecord,
  epoch: number,
  { identity, durationMs, nowMs }: Holding,
  annotations: Readonly<Record<string, string>> = {},
): Patch {
  const spec = {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(durationMs / 1_000),
    leaseTransitions: epoch,
    acquireTime: kubeMicroTime(nowMs),
    renewTime: kubeMicroTime(nowMs),
  };
  return patchOf(record, spec, annotations);
}

export function renewPatch(record: LeaseRecord, { identity, durationMs, nowMs }: Holding): Patch {
  return patchOf(record, {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(durationMs / 1_000),
    renewTime: kubeMicroTime(nowMs),
  });
}

export function releasePatch(record: LeaseRecord, nowMs: number): Patch {
  return patchOf(record, {
    holderIdentity: null,
    leaseDurationSeconds: releasedDurationSeconds,
    renewTime: kubeMicroTime(nowMs),
  });
}

/** The resource version makes every write of a Lease conditional on the record it was decided on. */
function patchOf(
  { resourceVersion }: LeaseRecord,
  spec: Readonly<Record<string, unknown>>,
  annotations: Readonly<Record<string, string>> = {},
): Patch {
  const metadata = { resourceVersion, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) };
  return { type: "merge", body: { metadata, spec } };
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : fallback;
}
