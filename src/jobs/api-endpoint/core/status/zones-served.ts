// In how many of the wanted zones the API answers, as one short text for a column of `kubectl get`: `2/3`. A zone with one healthy member of two
// answers. Where nobody can tell whether any does it is `?/3`, never `0/3`.

import type { ZoneLoadBalancerStatus } from "../../apis/load-balancer/api-server-load-balancer.ts";

type ShownZone = Pick<ZoneLoadBalancerStatus, "availabilityZone" | "health">;

/** Undefined without zones. */
export function zonesServed(entries: readonly ShownZone[], wanted: readonly string[]): string | undefined {
  if (wanted.length === 0) return undefined;
  const healths = wanted.map((zone) => entries.find(({ availabilityZone }) => availabilityZone === zone)?.health);
  const serving = healths.filter((health) => health === "Healthy" || health === "Degraded").length;
  return `${serving === 0 && healths.includes("Unknown") ? "?" : serving}/${wanted.length}`;
}
