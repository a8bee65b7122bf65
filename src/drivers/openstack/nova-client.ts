// The Nova port over HTTP: zones, and the zone of a server.

import { z } from "zod";
import { present } from "../../core/present.ts";
import type { ComputeZone, Nova, Server } from "../../ports/nova.ts";
import type { Subject } from "./login/subject.ts";
import type { ProjectCalls } from "./project-calls.ts";
import { absent, text, wrapped } from "./wire/wire.ts";

const zones: z.ZodType<readonly ComputeZone[]> = wrapped(
  "availabilityZoneInfo",
  z.array(
    z
      .object({ zoneName: z.string(), zoneState: z.object({ available: z.boolean() }) })
      .transform(({ zoneName, zoneState }) => ({ name: zoneName, available: zoneState.available })),
  ),
);

const server: z.ZodType<Server> = wrapped(
  "server",
  z
    .object({ id: z.string(), name: text, "OS-EXT-AZ:availability_zone": z.string().nullish() })
    .transform(({ id, name, "OS-EXT-AZ:availability_zone": zone }) => ({
      id,
      name,
      ...absent("availabilityZone", zone),
    })),
);

export function novaClient(calls: ProjectCalls): Nova {
  const about = (verb: Subject["verb"], kind: string, name?: string): Subject => ({
    service: "nova",
    verb,
    kind,
    ...present({ name }),
  });
  return {
    listAvailabilityZones: (options) =>
      calls.read(
        { subject: about("list", "availability zones"), method: "GET", path: "/os-availability-zone" },
        zones,
        options,
      ),
    getServer: (id, options) =>
      calls.read(
        { subject: about("get", "server", id), method: "GET", path: `/servers/${encodeURIComponent(id)}` },
        server,
        options,
      ),
  };
}
