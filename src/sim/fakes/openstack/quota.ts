// Quotas by project. Octavia refuses with 403, Neutron with 409 and a type that says so.

import type { Cloud, QuotaKind } from "./cloud.ts";
import { refuse } from "./cloud-fault.ts";
import type { RecordKind } from "./cloud-records.ts";

const counted: Readonly<Record<QuotaKind, RecordKind>> = {
  load_balancer: "loadbalancers",
  listener: "listeners",
  pool: "pools",
  health_monitor: "healthmonitors",
  member: "members",
  floatingip: "floatingips",
};

export function checkQuota(cloud: Cloud, projectId: string, kind: QuotaKind, more = 1): void {
  const limit = cloud.quotas.get(projectId)?.get(kind);
  if (limit === undefined || cloud.tables[counted[kind]].count(`project:${projectId}`) + more <= limit) return;
  if (kind === "floatingip") refuse(409, "Quota exceeded for resources: ['floatingip'].", "OverQuota");
  refuse(403, `Quota has been met for resources: ${kind}`);
}
