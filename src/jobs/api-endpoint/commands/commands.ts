// What the api-endpoint job brings to the command line.

import { resourceName } from "../../../apis/kube/kube-object.ts";
import type { JobCommands } from "../../../cli/job-commands.ts";
import { whenCalled } from "../../../cli/when-called.ts";
import { apiEndpoints } from "../apis/api-endpoint/api-endpoint.ts";
import { openStackClusters } from "../apis/openstack-cluster/openstack-cluster.ts";
import { endpointReasons } from "../core/reasons.ts";
import { dnsCommand } from "./dns.ts";
import { migrateCommand } from "./migrate.ts";

const loadCheckApiEndpoint = whenCalled(() => import("./check-api-endpoint.ts"));

export const apiEndpointCommands: JobCommands = {
  job: "api-endpoint",
  reasons: endpointReasons,
  commands: [migrateCommand, dnsCommand],
  demoFaults: [
    "zone-dark",
    "members-down",
    "balancer-error",
    "balancer-deleted",
    "cloud-slow",
    "cloud-rate-limits",
    "cloud-away",
  ],
  checks: [async (check) => (await loadCheckApiEndpoint()).checkApiEndpoint(check)],
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
