// While the same step is tried on a balancer again and again, what the cloud is busy with in between is no news: status keeps what the
// balancer last came to, so that a try costs no write.

import type { LoadBalancerStatus } from "../../apis/load-balancer/api-server-load-balancer.ts";
import type { RecordedEndpoint } from "../model/observed.ts";
import type { Situation } from "../situation/situation.ts";
import type { RoundResult } from "./endpoint-condition.ts";

/** What becomes of an entry of status. */
export function settling(situation: Situation, { plan }: RoundResult): <S extends LoadBalancerStatus>(entry: S) => S {
  const { assignment, observed } = situation;
  const parts = new Set(plan.waits.flatMap(({ reason, lane }) => (reason === "StepRepeated" ? lane?.part : [])));
  const ids = [...assignment.wanted, ...assignment.unwanted].flatMap(({ lane, seen }) =>
    seen !== undefined && parts.has(lane.part) ? seen.balancer.id : [],
  );
  return (entry) => {
    const isUnderWay = entry.id !== undefined && ids.includes(entry.id) && isPending(entry.provisioningStatus);
    const before = isUnderWay ? settledBefore(entry.id, observed.recorded) : undefined;
    return before === undefined ? entry : { ...entry, provisioningStatus: before };
  };
}

function settledBefore(id: string | undefined, { zones, single }: RecordedEndpoint): string | undefined {
  const before = [...zones, ...(single === undefined ? [] : [single])].find((one) => one.id === id)?.provisioningStatus;
  return isPending(before) ? undefined : before;
}

function isPending(status: string | undefined): boolean {
  return status?.startsWith("PENDING_") === true;
}
