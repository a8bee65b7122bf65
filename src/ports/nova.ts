// Nova's API, as much as zones need. A cloud may have no compute service that we can see: then calls fail with NoSuchService, and
// what asked goes on without (see docs/concepts/api-endpoint.md).

import type { CloudCallOptions } from "./openstack.ts";

export interface ComputeZone {
  readonly name: string;
  readonly available: boolean;
}

export interface Server {
  readonly id: string;
  readonly name: string;
  readonly availabilityZone?: string;
}

export interface Nova {
  listAvailabilityZones(options?: CloudCallOptions): Promise<readonly ComputeZone[]>;
  getServer(id: string, options?: CloudCallOptions): Promise<Server>;
}
