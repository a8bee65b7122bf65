// Quotas by project. Octavia refuses with 403, Neutron with 409 and a type that says so.

import type { Cloud } from "./cloud.ts";
import { refuse } from "./cloud-fault.ts";
import type { RecordKind } from "./cloud-records.ts";
import type { QuotaKind } from "./cloud-settings.ts";

const counted: Readonly<Record<QuotaKind, RecordKind>> = {
  load_balancer: "loadbalancers",
  listener: "listeners",
  pool: "pools",
  health_monitor: "healthmonitors",
  member: "members",
  floatingip: "floatingips",
  port: "ports",
};

/** Of a project for which nobody has set any; Octavia has no limits then. */
const usual: Readonly<Partial<Record<QuotaKind, number>>> = { floatingip: 50, port: 500 };

export function checkQuota(cloud: Cloud, projectId: string, kind: QuotaKind, more = 1): void {
  const limit = cloud.quotas.get(projectId)?.get(kind) ?? { ...usual, ...cloud.options.quotas }[kind];
  if (limit === undefined || cloud.tables[counted[kind]].count(`project:${projectId}`) + more <= limit) return;
  if (kind === "floatingip" || kind === "port") refuse(409, `Quota exceeded for resources: ['${kind}'].`, "OverQuota");
  refuse(403, `Quota has been met for resources: ${kind}`);
}
