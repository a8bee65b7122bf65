// The part of Nova's API that zones need. A cloud's catalogue may have no compute service: calls then fail with NoSuchService, and
// callers do without (see docs/concepts/api-endpoint.md).

import type { ServerId } from "../core/openstack/ids.ts";
import type { CloudCallOptions } from "./openstack.ts";

export interface ComputeZone {
  readonly name: string;
  readonly available: boolean;
}

export interface Server {
  readonly id: ServerId;
  readonly name: string;
  readonly availabilityZone?: string;
}

export interface Nova {
  listAvailabilityZones(options?: CloudCallOptions): Promise<readonly ComputeZone[]>;
  getServer(id: ServerId, options?: CloudCallOptions): Promise<Server>;
}
