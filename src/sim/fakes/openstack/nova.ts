// The Nova port straight on the fake's state: zones, and where a server runs.

import { present } from "../../../core/present.ts";
import type { Nova, Server } from "../../../ports/nova.ts";
import type { Cloud } from "./cloud.ts";
import { refuse } from "./cloud-fault.ts";
import type { ServiceCalls } from "./cloud-session.ts";
import type { Caller } from "./keystone/directory.ts";

export function novaPort({ read }: ServiceCalls): Nova {
  return {
    listAvailabilityZones: (options) =>
      read("list availability zones", options, ({ computeZones }) =>
        [...computeZones].map(([name, available]) => ({ name, available })),
      ),
    getServer: (id, options) => read("get server", options, (cloud, caller) => getServer(cloud, caller, id), id),
  };
}

export function getServer(cloud: Cloud, { admin, projectId }: Caller, id: string): Server {
  const server = cloud.tables.servers.get(id);
  if (server === undefined || (!admin && server.projectId !== projectId))
    refuse(404, `Instance ${id} could not be found.`);
  return present({ id, name: server.name, availabilityZone: server.availabilityZone });
}
