// Our own manager is a consumer of the topology, too: on a single control-plane node its lease is as patient as any other
// operator's. What somebody configured stays as it is.

import { MainstayError } from "../../../core/errors.ts";
import { defaultLeaseTimings, type LeaseTimings } from "../../../engine/lease/lease-timings.ts";
import type { KubeReader } from "../../../ports/kube.ts";
import { infrastructureName, infrastructures } from "../apis/infrastructure.ts";
import { leaderElectionFor } from "../core/operands.ts";
import { parseTopology } from "../core/parse.ts";

const deadlineMs = 5_000;

/** Asks once, at the start; a cluster that cannot be asked gets the default. */
export async function leaseTimingsFor(kube: KubeReader, configured: LeaseTimings): Promise<LeaseTimings> {
  const isDefault = (name: keyof LeaseTimings) => configured[name] === defaultLeaseTimings[name];
  if (!isDefault("durationMs") || !isDefault("renewDeadlineMs") || !isDefault("retryMs")) return configured;
  const found = await kube
    .get(infrastructures, { name: infrastructureName }, { deadlineMs })
    .catch((error: unknown) => {
      if (error instanceof MainstayError) return undefined;
      throw error;
    });
  const topology = parseTopology(found);
  // Elsewhere another manager waits to take over: there our own, quicker default is better than the general one.
  if (topology.controlPlane !== "SingleReplica") return configured;
  const { leaseSeconds, renewSeconds, retrySeconds } = leaderElectionFor(topology);
  return { durationMs: leaseSeconds * 1_000, renewDeadlineMs: renewSeconds * 1_000, retryMs: retrySeconds * 1_000 };
}
