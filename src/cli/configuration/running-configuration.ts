// Finds the configuration of the manager that looks after an object, on that manager's Lease. Reads Leases by name alone, so that the
// right to get these few is enough. Managers divide objects by namespace and watch filter, and their Leases are named after both.

import { leases } from "../../apis/kube/builtin-kinds.ts";
import { formatRef, type KubeObject, type ObjectRef } from "../../apis/kube/kube-object.ts";
import type { JobDeclaration } from "../../core/job/declaration.ts";
import { isKubeError } from "../../core/kube-error.ts";
import { present } from "../../core/present.ts";
import { textAt } from "../../core/views/explained.ts";
import { watchFilterLabel } from "../../engine/informer/watch-filter.ts";
import { leaseNameFor } from "../../engine/lease/lease-name.ts";
import { decodeLease } from "../../engine/lease/lease-record.ts";
import type { Clock } from "../../ports/clock.ts";
import type { KubeReader } from "../../ports/kube.ts";
import { type Configuration, checkConfiguration, readConfiguration } from "./configuration.ts";
import { publishedText } from "./published-configuration.ts";

export type RunningConfiguration =
  | {
      readonly configuration: Configuration;
      readonly lease: ObjectRef;
      /** Who leads by it now; empty: nobody does, and this is how the last one was configured. */
      readonly leader: string;
    }
  /** Why a manager's configuration could not be read; undefined: no manager has led here. */
  | { readonly unreadable: string | undefined };

/** Whose it is, for people. */
export function runningWords({ lease, leader }: { readonly lease: ObjectRef; readonly leader: string }): string {
  const whose = leader === "" ? "the manager that led last; none leads now" : `the running manager ${leader}`;
  return `that of ${whose} (lease ${formatRef(lease)})`;
}

export interface WhereToLook {
  readonly kube: KubeReader;
  readonly clock: Clock;
  readonly jobs: readonly JobDeclaration[];
}

export async function runningConfiguration(
  where: WhereToLook,
  object: { readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> },
): Promise<RunningConfiguration> {
  const { leaderElection } = readConfiguration({ jobs: where.jobs }).configuration;
  const refs = leaseNames(object).map((name) => ({ namespace: leaderElection.namespace, name }));
  const found = await Promise.all(refs.map((ref) => readLease(where, ref)));
  const usable = found.filter((one) => "configuration" in one);
  // Who leads comes before who has led; among equals, the manager of the narrowest scope.
  const best = usable.find(({ leader }) => leader !== "") ?? usable[0];
  if (best !== undefined) return best;
  const reasons = found.flatMap((one) => ("unreadable" in one ? (one.unreadable ?? []) : []));
  return { unreadable: reasons.length === 0 ? undefined : reasons.join("; ") };
}

/** Of every manager that could look after the object, the narrowest scope first. */
function leaseNames({ namespace, labels = {} }: Parameters<typeof runningConfiguration>[1]): readonly string[] {
  const watchFilter = labels[watchFilterLabel];
  const scopes = [{ namespace, watchFilter }, { watchFilter }, { namespace }, {}];
  return [...new Set(scopes.map((scope) => leaseNameFor(present(scope))))];
}

async function readLease({ kube, clock, jobs }: WhereToLook, ref: ObjectRef): Promise<RunningConfiguration> {
  const name = `the lease ${formatRef(ref)}`;
  let lease: KubeObject;
  try {
    lease = await kube.get(leases, ref);
  } catch (error) {
    if (isKubeError(error, "NotFound", "KindNotServed")) return { unreadable: undefined };
    if (isKubeError(error, "Forbidden")) return { unreadable: `${name} may not be read` };
    throw error;
  }
  const { epoch, holder, durationMs } = decodeLease(lease);
  const text = publishedText(lease, epoch);
  if (text === undefined) return { unreadable: `${name} does not name one` };
  const checked = checkConfiguration({ text, path: configurationOnLease, jobs });
  if ("problems" in checked)
    return { unreadable: `this program cannot use the one on ${name}: ${checked.problems.join("; ")}` };
  const expiredMs = Date.parse(textAt(lease, "spec", "renewTime")) + 2 * durationMs;
  return { configuration: checked.configuration, lease: ref, leader: expiredMs > clock.nowMs() ? holder : "" };
}

/** For messages about its problems. */
const configurationOnLease = "configuration";
