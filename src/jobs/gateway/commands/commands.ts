// What the gateway job brings to the command line.

import { resourceName } from "../../../apis/kube/kube-object.ts";
import type { JobCommands } from "../../../cli/job-commands.ts";
import { whenCalled } from "../../../cli/when-called.ts";
import { gatewayPools } from "../apis/gateway-pool.ts";
import { gatewayReasons } from "../core/reasons.ts";
import { gatewaysCommand } from "./gateways.ts";
import { migrateCommand } from "./migrate.ts";
import { servicesCommand } from "./services.ts";
import { traceCommand } from "./trace.ts";

const loadCheckPools = whenCalled(() => import("./check-pools.ts"));

export const gatewayCommands: JobCommands = {
  job: "gateway",
  reasons: gatewayReasons,
  commands: [servicesCommand, gatewaysCommand, traceCommand, migrateCommand],
  checks: [async (check) => (await loadCheckPools()).checkPools(check)],
  invocations: (objects) => {
    const pools = objects.filter((object) => object.startsWith(`${resourceName(gatewayPools)}/`));
    const [first] = pools;
    if (first === undefined) return [];
    return [["services"], ...pools.map((pool) => ["gateways", pool.split("/").at(-1) ?? ""])];
  },
};
