// The port of one process to a system outside of the cluster, over the simulated network. Its calls behave as a driver's: each has a
// deadline that its fence can only shorten, the fence is asked as the call leaves, and failures are those of the port. A call that has
// not arrived by its deadline, or whose caller hung up, never arrives. A new system brings its names, its errors, and nothing else.

import { MainstayError } from "../../core/errors.ts";
import type { Fence } from "../../ports/kube.ts";
import { startDeadline } from "./call-deadline.ts";
import { connectionRefused, deliverCall } from "./deliver-call.ts";
import type { NetworkAccess } from "./network.ts";
import type { CallPlan, PortCall, TurnedAway } from "./port-call.ts";

/** What every method of a port takes last. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly fence?: Fence;
  /** Bounded by the fence, whatever it is. */
  readonly deadlineMs?: number;
}

/** The driver's errors. Nothing of what the system said goes on unless the port promises it: it may repeat a credential. */
export interface CallErrors {
  readonly timeout: (call: PortCall) => Error;
  readonly leadershipLost: (call: PortCall) => Error;
  readonly refused: (call: PortCall, status: 429 | 500 | 503) => Error;
  /** Whatever else came instead of an answer and is no error of the port yet. */
  readonly failed: (call: PortCall, error: unknown) => Error;
}

export interface SimulatedSystem {
  /** As faults name it: `cloud`. */
  readonly port: string;
  readonly callDeadlineMs: number;
  /** What a call is in traces, in coverage and to checkers. */
  readonly describe: (
    method: string,
    args: readonly unknown[],
  ) => Pick<PortCall, "target" | "path" | "write" | "purpose">;
  readonly errors: CallErrors;
  /** What the call is about answers nothing: it comes to nothing on arrival. */
  readonly isSilent?: (args: readonly unknown[]) => boolean;
  /** How much longer a call about this takes, half of it before its effect. */
  readonly slowMs?: (args: readonly unknown[]) => number;
  /** The mark on what the call is about, as it arrives. Undefined: there is no such thing. */
  readonly markBefore?: (args: readonly unknown[]) => string | undefined;
  /** Carries out the effect, for systems that watch it. Undefined: it is carried out later, and no answer comes. */
  readonly during?: <T>(call: PortCall, effect: () => Promise<T>) => Promise<readonly [T] | undefined>;
}

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/** Every method of the port as a call that is delivered. Its options come last, also where it does not use them. */
export function simulatedPort<P extends object>(access: NetworkAccess, system: SimulatedSystem, port: P): P {
  const methods = Object.entries(port as Readonly<Record<string, Method>>).map(([method, perform]) => {
    const place = perform.length - 1;
    const calling: Method = (...given) => {
      const args = given.slice(0, place);
      const options = given[place] as CallOptions | undefined;
      return simulatedCall(access, system, { method, args, options, effect: () => perform(...args, {}) });
    };
    return [method, calling];
  });
  return Object.fromEntries(methods) as P;
}

export interface SimulatedRequest<T> {
  readonly method: string;
  readonly args: readonly unknown[];
  readonly options: CallOptions | undefined;
  readonly effect: () => Promise<T>;
}

export async function simulatedCall<T>(
  access: NetworkAccess,
  system: SimulatedSystem,
  request: SimulatedRequest<T>,
): Promise<T> {
  const { process, network, planCall } = access;
  const { errors, callDeadlineMs } = system;
  const { signal, fence, deadlineMs = callDeadlineMs } = request.options ?? {};
  const call = callOf(access, system, request);
  const ms = Math.min(deadlineMs, fence?.remainingMs() ?? deadlineMs);
  const deadline = startDeadline(process, { ms, signal, timeoutError: errors.timeout(call) });
  const endsMs = network.scheduler.nowMs + deadline.ms;
  const isOver = (): boolean => network.scheduler.nowMs >= endsMs;
  try {
    const [answer] = await deliverCall<readonly [T]>(network, {
      call,
      callPlan: slowed(planCall(call), system.slowMs?.(request.args) ?? 0),
      signal: deadline.signal,
      beforeSend: () => {
        if (fence !== undefined && fence.remainingMs() <= 0) throw errors.leadershipLost(call);
        if (isOver()) throw errors.timeout(call);
      },
      perform: async () => (isOver() || deadline.signal.aborted ? undefined : arrive(access, system, request, call)),
      turnedAway: (how) => turnedAway(errors, call, how),
      describe: () => "done",
    });
    return answer;
  } catch (error) {
    throw error instanceof MainstayError ? error : errors.failed(call, error);
  } finally {
    deadline.end();
  }
}

/** Spread over the way there and the way back. */
export function slowed(callPlan: CallPlan, ms: number): CallPlan {
  return ms === 0 ? callPlan : { ...callPlan, thereMs: callPlan.thereMs + ms / 2, backMs: callPlan.backMs + ms / 2 };
}

async function arrive<T>(
  { network }: NetworkAccess,
  { isSilent, markBefore, during }: SimulatedSystem,
  { args, effect }: SimulatedRequest<T>,
  call: PortCall,
): Promise<readonly [T] | undefined> {
  if (isSilent?.(args) === true) return undefined;
  const mark = markBefore?.(args);
  const marked = mark === undefined ? {} : { markBefore: mark };
  network.events.emit("arrived", { call, status: 200, before: undefined, ...marked });
  return during === undefined ? [await effect()] : during(call, effect);
}

function callOf<T>(
  { process, network }: NetworkAccess,
  { port, describe }: SimulatedSystem,
  { method, args, options }: SimulatedRequest<T>,
): PortCall {
  return {
    process,
    port,
    verb: method,
    ...describe(method, args),
    body: JSON.stringify(args),
    sentMs: network.scheduler.nowMs,
    actor: options?.signal === undefined ? undefined : process.rounds.get(options.signal),
  };
}

function turnedAway({ refused }: CallErrors, call: PortCall, how: TurnedAway): Error {
  return how.how === "connection" ? connectionRefused() : refused(call, how.how === "status" ? how.status : 500);
}
