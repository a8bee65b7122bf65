// The way of a call from a process to a system and back, as the seed wants it: when it leaves, when it arrives, whether it is heard
// of again. What was sent does not stop with its sender; what comes back never reaches a dead one.

import type { EvidenceBoard } from "../checkers/evidence.ts";
import type { Trace } from "../run/trace.ts";
import type { Scheduler } from "../time/scheduler.ts";
import { describeCall, type Fate, type PortCall, type TurnedAway } from "./port-call.ts";

export interface Passage<T> {
  readonly call: PortCall;
  readonly fate: Fate;
  readonly signal: AbortSignal | undefined;
  /** Throws to keep the call from leaving. */
  readonly beforeSend: (() => void) | undefined;
  /** The effect; undefined when the call comes to nothing on arrival. */
  readonly perform: () => Promise<T | undefined>;
  readonly turnedAway: (how: TurnedAway) => T | Error;
  readonly describe: (answer: T) => string;
  /** The caller has the answer. */
  readonly onReply?: (answer: T) => void;
}

export interface Airspace {
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly board: EvidenceBoard;
  /** Writes that have left and not arrived: what they do is still to come. */
  readonly onTheWay: Set<PortCall>;
  readonly isAway: (port: string) => boolean;
  readonly kill: (call: PortCall, fault: string) => void;
  readonly stop: (call: PortCall, ms: number) => void;
  /** Changes the object that the call is about. */
  readonly meddle: (call: PortCall) => Promise<void>;
}

export function fly<T>(space: Airspace, passage: Passage<T>): Promise<T> {
  const { call, fate, signal } = passage;
  const { process } = call;
  if (!process.alive) return process.never;
  return new Promise<T>((resolve, reject) => {
    let open = true;
    const finish = (end: () => void): void => {
      if (!open || !process.alive) return;
      open = false;
      process.underWay.delete(call);
      signal?.removeEventListener("abort", giveUp);
      end();
    };
    const giveUp = (): void => finish(() => reject(asError(signal?.reason)));
    const leave = (): void => {
      if (!open || !process.alive) return;
      try {
        passage.beforeSend?.();
      } catch (error) {
        space.trace.say(process.name, `${describeCall(call)} not sent`);
        finish(() => reject(asError(error)));
        return;
      }
      depart(space, passage, { finish, resolve, reject });
    };
    if (signal?.aborted === true) return giveUp();
    signal?.addEventListener("abort", giveUp, { once: true });
    process.underWay.add(call);
    if (fate.stoppedMs !== undefined) space.stop(call, fate.stoppedMs);
    if (fate.leavesAfterMs === 0 && fate.stoppedMs === undefined) leave();
    else process.after(fate.leavesAfterMs, leave);
  });
}

interface Caller<T> {
  readonly finish: (end: () => void) => void;
  readonly resolve: (answer: T) => void;
  readonly reject: (error: Error) => void;
}

function depart<T>(space: Airspace, passage: Passage<T>, caller: Caller<T>): void {
  const { call, fate } = passage;
  const { process } = call;
  if (fate.crash === "before-effect") return space.kill(call, "crash-before-effect");
  space.board.tell("left", { call });
  if (call.write && call.purpose !== "lease") space.onTheWay.add(call);
  const arrive = (): void => {
    // Packets are sent again until they get through.
    if (process.isCutOffFrom(call.port)) {
      const waitMs = (process.cutOffUntilMs.get(call.port) ?? 0) - space.scheduler.nowMs;
      space.scheduler.after(waitMs + 1, undefined, arrive);
      return;
    }
    space.onTheWay.delete(call);
    void land(space, passage, caller);
  };
  space.scheduler.after(fate.thereMs, undefined, arrive);
}

async function land<T>(space: Airspace, passage: Passage<T>, caller: Caller<T>): Promise<void> {
  const { call, fate } = passage;
  const { process } = call;
  const turnedAway: TurnedAway | undefined = space.isAway(call.port) ? { how: "connection" } : fate.turnedAway;
  if (turnedAway !== undefined) {
    space.trace.say(process.name, `${describeCall(call)} turned away: ${nameOf(turnedAway)}`);
    return comeBack(space, passage, caller, passage.turnedAway(turnedAway));
  }
  if (fate.meddling === true) await space.meddle(call);
  const answer = await passage.perform().catch((error: unknown) => asError(error));
  if (answer === undefined) return;
  const lost = fate.replyLost === undefined ? "" : `, reply lost (${fate.replyLost})`;
  const told = answer instanceof Error ? answer.name : passage.describe(answer);
  space.trace.say(process.name, `${describeCall(call)} for ${call.purpose} → ${told}${lost}`);
  if (fate.crash === "after-effect") return space.kill(call, "crash-after-effect");
  if (fate.replyLost === "silence") return;
  comeBack(space, passage, caller, fate.replyLost === "broken" ? connectionBroken() : answer);
}

function comeBack<T>(space: Airspace, passage: Passage<T>, caller: Caller<T>, answer: T | Error): void {
  const { call, fate } = passage;
  const deliver = (): void => {
    if (call.process.isCutOffFrom(call.port)) {
      const waitMs = (call.process.cutOffUntilMs.get(call.port) ?? 0) - space.scheduler.nowMs;
      call.process.after(waitMs + 1, deliver);
      return;
    }
    caller.finish(() => {
      if (answer instanceof Error) return caller.reject(answer);
      passage.onReply?.(answer);
      caller.resolve(answer);
    });
    if (fate.crash === "after-reply") call.process.after(0, () => space.kill(call, "crash-after-reply"));
  };
  call.process.after(fate.backMs, deliver);
}

export function connectionBroken(): Error {
  return Object.assign(new Error("the connection broke"), { code: "UND_ERR_SOCKET" });
}

export function connectionRefused(): Error {
  return Object.assign(new Error("connection refused"), { code: "ECONNREFUSED" });
}

function nameOf(how: TurnedAway): string {
  return how.how === "connection" ? "no connection" : String(how.status);
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("given up", { cause: reason });
}
