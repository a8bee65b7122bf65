// While the DNSEndpoint may not be read, any address may be in it: what people may be sent to stays.

import type { Lane, Wait } from "../../../../core/plan.ts";
import { unseenWait } from "../balancer/waits.ts";
import type { EndpointObserved } from "../model/observed.ts";

/** Before `what` goes; undefined where the DNSEndpoint can be read, or there is none. */
export function unreadWait(what: string, lane: Lane, { object }: EndpointObserved): Wait | undefined {
  const { unreadDns } = object;
  if (unreadDns === undefined) return undefined;
  const { reason, message } = unreadDns;
  return unseenWait({ reason, message: `${what}: it stays until that is known. ${message}` }, lane);
}
