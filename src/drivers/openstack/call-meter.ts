// Receives every request that was tried, for metrics.

import type { OpenStackService } from "../../core/openstack/openstack-error.ts";

export interface CallObservation {
  readonly service: OpenStackService;
  /** `create-load-balancer`. */
  readonly operation: string;
  /** The HTTP status, or `Timeout`, `Unreachable`, `LeadershipLost` when no answer came. */
  readonly status: string;
  readonly durationMs: number;
}

export interface CallMeter {
  onCall(observation: CallObservation): void;
}
