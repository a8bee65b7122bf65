// Carries the events of a watch from the fake API server to a process, one by one, past the faults that strike single events.

import type { WatchFate, WatchJudge } from "../faults/plan-watch-event.ts";
import type { Airspace } from "./deliver-call.ts";
import { connectionBroken } from "./deliver-call.ts";
import type { PortCall } from "./port-call.ts";
import { StreamBody } from "./stream-body.ts";
import { describeEvent, isBookmark, versionOfEvent } from "./watch-event.ts";

export interface WatchRelayOptions {
  readonly call: PortCall;
  readonly space: Airspace;
  readonly latencyMs: () => number;
  readonly judgeEvent: WatchJudge;
  readonly onStrike: (fault: string, call: PortCall) => void;
  /** What each watch of the process ended with, by what it watches. */
  readonly lastEvents: Map<string, Uint8Array>;
  /** Ends the watch on the server. */
  readonly hangUp: () => void;
}

export function relayWatch(options: WatchRelayOptions, source: AsyncIterable<Uint8Array>): StreamBody {
  const { call, space, latencyMs, hangUp } = options;
  const body = new StreamBody({
    process: call.process,
    nowMs: () => space.scheduler.nowMs,
    latencyMs,
    onAbandoned: hangUp,
    onFolded: (line) => tell(options, "watch-events-folded", `comes as one with the next: ${describeEvent(line)}`),
  });
  void carry(options, source, body).catch(() => body.push(connectionBroken()));
  return body;
}

async function carry(options: WatchRelayOptions, source: AsyncIterable<Uint8Array>, body: StreamBody): Promise<void> {
  const { judgeEvent, lastEvents, call, hangUp } = options;
  const watched = withoutStart(call.path);
  repeatLast(options, lastEvents.get(watched), body);
  for await (const line of source) {
    const bookmark = isBookmark(line);
    const fate = judgeEvent(bookmark ? "bookmark" : "change");
    if (fate.lost === true) {
      tell(options, "bookmark-lost", "lost: a bookmark");
      continue;
    }
    if (fate.breaks !== undefined) {
      tell(options, "watch-event-lost", `breaks (${fate.breaks}) at ${describeEvent(line)}`);
      breakOff(body, line, fate.breaks);
      return hangUp();
    }
    body.push(line, fate.foldMs);
    if (!bookmark) lastEvents.set(watched, line);
  }
  body.push("end");
}

/** Only the very event that the client names as its last: an older one after it would be a lie. */
function repeatLast(options: WatchRelayOptions, last: Uint8Array | undefined, body: StreamBody): void {
  const { call, judgeEvent } = options;
  const start = /[?&]resourceVersion=(\d+)/.exec(call.path)?.[1];
  if (last === undefined || start === undefined || versionOfEvent(last) !== start) return;
  if (judgeEvent("resumed").repeats !== true) return;
  tell(options, "watch-event-repeated", `begins again with ${describeEvent(last)}`);
  body.push(last);
}

function breakOff(body: StreamBody, line: Uint8Array, how: NonNullable<WatchFate["breaks"]>): void {
  if (how === "torn") body.push(line.subarray(0, Math.floor(line.length / 2)));
  body.push(how === "end" ? "end" : connectionBroken());
}

function tell({ call, space, onStrike }: WatchRelayOptions, fault: string, what: string): void {
  onStrike(fault, call);
  space.trace.say(call.process.name, `watch ${call.target}: ${what}`);
}

function withoutStart(path: string): string {
  return path.replaceAll(/[?&](?:resourceVersion|timeoutSeconds)=[^&]*/g, "");
}
