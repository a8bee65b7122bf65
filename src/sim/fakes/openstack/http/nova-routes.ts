// Nova over HTTP: availability zones, and a server.

import { getServer } from "../nova.ts";
import { ok, type Route } from "./route.ts";

export const novaRoutes: readonly Route[] = [
  {
    service: "nova",
    method: "GET",
    path: "/os-availability-zone",
    operation: "list availability zones",
    handle: ({ cloud }) =>
      ok({
        availabilityZoneInfo: [...cloud.computeZones].map(([zoneName, available]) => ({
          zoneName,
          zoneState: { available },
          hosts: null,
        })),
      }),
  },
  {
    service: "nova",
    method: "GET",
    path: "/servers/:",
    operation: "get server",
    handle: ({ cloud, caller, ids }) => {
      const { id, name, availabilityZone } = getServer(cloud, caller, ids[0] ?? "");
      return ok({ server: { id, name, status: "ACTIVE", "OS-EXT-AZ:availability_zone": availabilityZone ?? "" } });
    },
  },
];
