// Every definition that Mainstay brings to a cluster.

import type { CustomResourceDefinition } from "./crd.ts";
import { infrastructureCrd } from "./infrastructure-crd.ts";
import { topologyReportCrd } from "./topology-report.ts";

export const crds: readonly CustomResourceDefinition[] = [infrastructureCrd, topologyReportCrd];
