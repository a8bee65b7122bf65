// Relays the events of a watch from the fake API server to a process, one by one, with the faults of single events.

import type { PlanWatchEvent, WatchEventPlan } from "../faults/watch-event-planner.ts";
import { connectionBroken } from "./deliver-call.ts";
import type { Network } from "./network.ts";
import type { PortCall } from "./port-call.ts";
import { StreamBody } from "./stream-body.ts";
import { describeEvent, isBookmark, versionOfEvent } from "./watch-event.ts";

export interface WatchRelayOptions {
  readonly call: PortCall;
  readonly network: Network;
  readonly latencyMs: () => number;
  readonly planWatchEvent: PlanWatchEvent;
  readonly onFault: (fault: string, call: PortCall) => void;
  /** What each watch of the process ended with, by what it watches. */
  readonly lastEvents: Map<string, Uint8Array>;
  /** Ends the watch on the server. */
  readonly hangUp: () => void;
}

export function relayWatch(options: WatchRelayOptions, source: AsyncIterable<Uint8Array>): StreamBody {
  const { call, network, latencyMs, hangUp } = options;
  const body = new StreamBody({
    process: call.process,
    nowMs: () => network.scheduler.nowMs,
    latencyMs,
    onAbandoned: hangUp,
    onFolded: (line) => noteFault(options, "watch-events-folded", `comes as one with the next: ${describeEvent(line)}`),
  });
  void carry(options, source, body).catch(() => body.push(connectionBroken()));
  return body;
}

async function carry(options: WatchRelayOptions, source: AsyncIterable<Uint8Array>, body: StreamBody): Promise<void> {
  const { planWatchEvent, lastEvents, call, hangUp } = options;
  const watched = withoutStart(call.path);
  repeatLast(options, lastEvents.get(watched), body);
  for await (const line of source) {
    const bookmark = isBookmark(line);
    const eventPlan = planWatchEvent(bookmark ? "bookmark" : "change");
    if (eventPlan.lost === true) {
      noteFault(options, "bookmark-lost", "lost: a bookmark");
      continue;
    }
    if (eventPlan.breaks !== undefined) {
      noteFault(options, "watch-event-lost", `breaks (${eventPlan.breaks}) at ${describeEvent(line)}`);
      breakOff(body, line, eventPlan.breaks);
      return hangUp();
    }
    body.push(line, eventPlan.foldMs);
    if (!bookmark) lastEvents.set(watched, line);
  }
  body.push("end");
}

/** Only the very event that the client names as its last: an older one after it would be a lie. */
function repeatLast(options: WatchRelayOptions, last: Uint8Array | undefined, body: StreamBody): void {
  const { call, planWatchEvent } = options;
  const start = /[?&]resourceVersion=(\d+)/.exec(call.path)?.[1];
  if (last === undefined || start === undefined || versionOfEvent(last) !== start) return;
  if (planWatchEvent("resumed").repeats !== true) return;
  noteFault(options, "watch-event-repeated", `begins again with ${describeEvent(last)}`);
  body.push(last);
}

function breakOff(body: StreamBody, line: Uint8Array, how: NonNullable<WatchEventPlan["breaks"]>): void {
  if (how === "torn") body.push(line.subarray(0, Math.floor(line.length / 2)));
  body.push(how === "end" ? "end" : connectionBroken());
}

function noteFault({ call, network, onFault }: WatchRelayOptions, fault: string, what: string): void {
  onFault(fault, call);
  network.trace.write(call.process.name, `watch ${call.target}: ${what}`);
}

function withoutStart(path: string): string {
  return path.replaceAll(/[?&](?:resourceVersion|timeoutSeconds)=[^&]*/g, "");
}
