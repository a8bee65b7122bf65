// Ports that we are asked to serve and cannot, because something that is not ours stands there. It is reported, and never touched.

import type { Lane, Refusal } from "../../../../core/plan.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { isSamePort, isSpokenOn, type Port, portWords } from "../model/port.ts";
import { type PortObserved, portOf } from "../situation/health.ts";
import type { Situation } from "../situation/situation.ts";
import { monitorsInTheWay } from "./make-ports.ts";
import { isOurListener, isOurPool } from "./port-context.ts";

export function takenPorts(
  { lane, seen }: { readonly lane: Lane; readonly seen: BalancerObserved },
  situation: Situation,
): readonly Refusal[] {
  const foreign = monitorsInTheWay({ seen, situation }).find(({ ours }) => !ours);
  return situation.ports.flatMap((port) => {
    const there = portOf(seen, port);
    if (there.listener === undefined && foreign !== undefined) {
      const message = `${seen.balancer.name}: port ${portWords(port)} gets no listener while there is a health monitor, on which provider ${seen.balancer.provider} would hang, and ${foreign.name || foreign.id} is not ours; delete it`;
      return [{ reason: "PortTaken", message, lane } as const];
    }
    const theirs = theirsOn(port, there, seen, situation);
    if (theirs === undefined) return [];
    const elsewhere = isSamePort(port, situation.intent.apiPort) ? "" : ", or choose another port";
    const message = `${seen.balancer.name}: port ${portWords(port)} ${theirs}, so it stays; delete it, and ours is made in its place${elsewhere}`;
    return [{ reason: "PortTaken", message, lane } as const];
  });
}

/** In words: what on a port is not ours, or cannot be. */
function theirsOn(
  port: Port,
  { listener, pool }: Pick<PortObserved, "listener" | "pool">,
  seen: BalancerObserved,
  situation: Situation,
): string | undefined {
  if (listener === undefined) return undefined;
  if (!isSpokenOn(listener, port) || !isOurListener(listener, situation))
    return `is taken by ${listener.protocol} listener ${listener.name || listener.id}, which is not ours`;
  // One that somebody renamed shows by its tag alone, once pools are listed.
  if (pool === undefined || seen.pools === undefined || isOurPool(pool, seen, situation)) return undefined;
  return `leads to pool ${pool.name || pool.id}, which is not ours`;
}
