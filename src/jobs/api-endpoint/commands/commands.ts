// What the api-endpoint job brings to the command line.

import { resourceName } from "../../../apis/kube/kube-object.ts";
import type { JobCommands } from "../../../cli/job-commands.ts";
import { apiEndpoints } from "../apis/api-endpoint/api-endpoint.ts";
import { openStackClusters } from "../apis/openstack-cluster/openstack-cluster.ts";
import { checkApiEndpoint } from "./check-api-endpoint.ts";
import { dnsCommand } from "./dns.ts";
import { migrateCommand } from "./migrate.ts";

export const apiEndpointCommands: JobCommands = {
  job: "api-endpoint",
  commands: [migrateCommand, dnsCommand],
  checks: [checkApiEndpoint],
  invocations: (objects) =>
    objects.filter(isOfEndpoint).flatMap((object) => {
      const [, namespace = "", name = ""] = object.split("/");
      return [
        ["dns", "records", `${namespace}/${name}`],
        ["migrate", "api-endpoint", `${namespace}/${name}`, "--check"],
      ];
    }),
};

/** Both are mostly named after their cluster. */
function isOfEndpoint(object: string): boolean {
  return [openStackClusters, apiEndpoints].some((kind) => object.startsWith(`${resourceName(kind)}/`));
}
