// Test doubles for operator authors: a reading of every mode, so that a table test cannot forget one.

import {
  type ControlPlaneTopology,
  controlPlaneTopologies,
  type InfrastructureTopology,
  infrastructureTopologies,
} from "../apis/infrastructure.ts";
import type { TopologyReading } from "./parse.ts";

/** What a consumer reads from a cluster with these values. */
export function topologyDouble(
  controlPlane: ControlPlaneTopology = "HighlyAvailable",
  infrastructure: InfrastructureTopology = "HighlyAvailable",
): TopologyReading {
  return { controlPlane, infrastructure, known: true, source: "status", warnings: [] };
}

/** Every pair of values there is today. */
export const everyTopology: readonly TopologyReading[] = controlPlaneTopologies.flatMap((controlPlane) =>
  infrastructureTopologies.map((infrastructure) => topologyDouble(controlPlane, infrastructure)),
);
