// The way of a call from a process to a system and back, as the seed wants it: when it leaves, when it arrives, whether its
// answer comes back. What was sent does not stop with its sender; what comes back never reaches a dead one.

import type { Network } from "./network.ts";
import { type CallPlan, describeCall, type PortCall, type TurnedAway } from "./port-call.ts";

export interface CallDelivery<T> {
  readonly call: PortCall;
  readonly callPlan: CallPlan;
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

export function deliverCall<T>(network: Network, delivery: CallDelivery<T>): Promise<T> {
  const { call, callPlan, signal } = delivery;
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
        delivery.beforeSend?.();
      } catch (error) {
        network.trace.write(process.name, `${describeCall(call)} not sent`);
        finish(() => reject(asError(error)));
        return;
      }
      sendCall(network, delivery, { finish, resolve, reject });
    };
    if (signal?.aborted === true) return giveUp();
    signal?.addEventListener("abort", giveUp, { once: true });
    process.underWay.add(call);
    if (callPlan.stoppedMs !== undefined) network.stop(call, callPlan.stoppedMs);
    if (callPlan.leavesAfterMs === 0 && callPlan.stoppedMs === undefined) leave();
    else process.after(callPlan.leavesAfterMs, leave);
  });
}

interface Caller<T> {
  readonly finish: (end: () => void) => void;
  readonly resolve: (answer: T) => void;
  readonly reject: (error: Error) => void;
}

function sendCall<T>(network: Network, delivery: CallDelivery<T>, caller: Caller<T>): void {
  const { call, callPlan } = delivery;
  const { process } = call;
  if (callPlan.crash === "before-effect") return network.kill(call, "crash-before-effect");
  network.events.emit("left", { call });
  if (call.write && call.purpose !== "lease") network.onTheWay.add(call);
  const arrive = (): void => {
    // Packets are sent again until they get through.
    if (process.isCutOffFrom(call.port)) {
      const waitMs = (process.cutOffUntilMs.get(call.port) ?? 0) - network.scheduler.nowMs;
      network.scheduler.after(waitMs + 1, undefined, arrive);
      return;
    }
    network.onTheWay.delete(call);
    void arriveAtSystem(network, delivery, caller);
  };
  network.scheduler.after(callPlan.thereMs, undefined, arrive);
}

async function arriveAtSystem<T>(network: Network, delivery: CallDelivery<T>, caller: Caller<T>): Promise<void> {
  const { call, callPlan } = delivery;
  const { process } = call;
  const turnedAway: TurnedAway | undefined = network.isAway(call.port) ? { how: "connection" } : callPlan.turnedAway;
  if (turnedAway !== undefined) {
    network.trace.write(process.name, `${describeCall(call)} turned away: ${nameOf(turnedAway)}`);
    return returnAnswer(network, delivery, caller, delivery.turnedAway(turnedAway));
  }
  if (callPlan.racingWrite === true) await network.racingWrite(call);
  const answer = await delivery.perform().catch((error: unknown) => asError(error));
  if (answer === undefined) return;
  const lost = callPlan.replyLost === undefined ? "" : `, reply lost (${callPlan.replyLost})`;
  const described = answer instanceof Error ? answer.name : delivery.describe(answer);
  network.trace.write(process.name, `${describeCall(call)} for ${call.purpose} → ${described}${lost}`);
  if (callPlan.crash === "after-effect") return network.kill(call, "crash-after-effect");
  if (callPlan.replyLost === "silence") return;
  returnAnswer(network, delivery, caller, callPlan.replyLost === "broken" ? connectionBroken() : answer);
}

function returnAnswer<T>(network: Network, delivery: CallDelivery<T>, caller: Caller<T>, answer: T | Error): void {
  const { call, callPlan } = delivery;
  const deliver = (): void => {
    if (call.process.isCutOffFrom(call.port)) {
      const waitMs = (call.process.cutOffUntilMs.get(call.port) ?? 0) - network.scheduler.nowMs;
      call.process.after(waitMs + 1, deliver);
      return;
    }
    caller.finish(() => {
      if (answer instanceof Error) return caller.reject(answer);
      delivery.onReply?.(answer);
      caller.resolve(answer);
    });
    if (callPlan.crash === "after-reply") call.process.after(0, () => network.kill(call, "crash-after-reply"));
  };
  call.process.after(callPlan.backMs, deliver);
}

export function connectionBroken(): Error {
  return Object.assign(new Error("the connection broke"), { code: "UND_ERR_SOCKET" });
}

export function connectionRefused(): Error {
  return Object.assign(new Error("connection refused"), { code: "ECONNREFUSED" });
}

function nameOf(how: TurnedAway): string {
  if (how.how === "status") return String(how.status);
  return how.how === "connection" ? "no connection" : "invalid";
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("given up", { cause: reason });
}
