// How a consumer reads the topology. It never throws and always answers: empty means HighlyAvailable, and so does a value
// from a version to come, with a warning. External says nothing about infrastructure nodes, so there it is unknown too.

import { isRecord, quote } from "../../../apis/text/problem.ts";
import {
  defaultTopology,
  type Infrastructure,
  isControlPlaneTopology,
  isInfrastructureTopology,
  type Topology,
} from "../apis/infrastructure.ts";

export interface TopologyReading extends Topology {
  /** Both fields are set to values this version understands. */
  readonly known: boolean;
  /** `default`: at least one field was empty or not understood. `last-known`: the last read failed. */
  readonly source: "status" | "default" | "last-known";
  /** For the operator's log or events. Empty fields are no reason for one. */
  readonly warnings: readonly string[];
}

/** Takes anything: an Infrastructure, `undefined` when there is none, or whatever an API answered. */
export function parseTopology(infrastructure: Infrastructure | unknown): TopologyReading {
  const status = isRecord(infrastructure) && isRecord(infrastructure["status"]) ? infrastructure["status"] : {};
  const warnings: string[] = [];
  const controlPlane = read(status, "controlPlaneTopology", isControlPlaneTopology, warnings);
  const infrastructureTopology = read(status, "infrastructureTopology", isInfrastructureTopology, warnings);
  const known = controlPlane !== undefined && infrastructureTopology !== undefined;
  return {
    controlPlane: controlPlane ?? defaultTopology,
    infrastructure: infrastructureTopology ?? defaultTopology,
    known,
    source: known ? "status" : "default",
    warnings,
  };
}

function read<T>(
  status: Readonly<Record<string, unknown>>,
  field: string,
  isKnown: (value: unknown) => value is T,
  warnings: string[],
): T | undefined {
  const value = status[field];
  if (value === undefined || value === null || value === "") return undefined;
  if (isKnown(value)) return value;
  warnings.push(
    `status.${field} is ${quote(value)}, which this version does not know: acting as for ${defaultTopology}`,
  );
  return undefined;
}
