// The way into a service of the fake cloud: counts the call, lets fate have its say, keeps fence and deadline, takes its time, and turns
// refusals into what the port promises. The effect itself happens at one moment.

import { MainstayError } from "../../../core/errors.ts";
import {
  OpenStackError,
  type OpenStackErrorCode,
  type OpenStackService,
} from "../../../core/openstack/openstack-error.ts";
import type { CloudCallOptions, CloudWriteOptions } from "../../../ports/openstack.ts";
import type { Cloud } from "./cloud.ts";
import { CloudFault, openStackErrorOf } from "./cloud-fault.ts";
import { LateRequests } from "./late-requests.ts";

export interface CloudCall {
  readonly service: OpenStackService;
  /** In words: `create load balancer`. */
  readonly operation: string;
  readonly write: boolean;
  /** The object the call is about, where it names one: a balancer's, pool's or floating IP's id. */
  readonly target?: string;
  /** The balancer that the target is or belongs to. */
  readonly balancerId?: string;
}

/** What fate has in store for a call. */
export interface CallFate {
  readonly delayMs?: number;
  /** Turned away before it has any effect: by this status, or with no connection at all. */
  readonly turnAway?:
    | "unreachable"
    | { readonly status: number; readonly message?: string; readonly retryAfterMs?: number };
  /** It has its effect; the caller hears of a broken connection, or nothing until its deadline. */
  readonly loseReply?: "broken" | "silence";
  /** It has its effect so long after it was sent, unless the cloud refuses it by then; no answer ever comes. */
  readonly lateMs?: number;
}

export type Fortune = (call: CloudCall) => CallFate | undefined;

export class CallGate {
  readonly late: LateRequests;
  readonly #cloud: Cloud;
  readonly #counts = new Map<string, number>();
  readonly #fortunes = new Set<Fortune>();

  constructor(cloud: Cloud) {
    this.#cloud = cloud;
    this.late = new LateRequests(cloud.clock);
  }

  /** `octavia create load balancer` → how often, since the last reset. */
  counts(): ReadonlyMap<string, number> {
    return new Map(this.#counts);
  }

  resetCounts(): void {
    this.#counts.clear();
  }

  addFortune(fortune: Fortune): () => void {
    this.#fortunes.add(fortune);
    return () => this.#fortunes.delete(fortune);
  }

  async pass<T>(call: CloudCall, options: CloudWriteOptions, effect: () => T): Promise<T> {
    const { clock, settings } = this.#cloud;
    const endsAt = clock.monotonicMs() + deadlineOf(call, options, settings.deadlineMs);
    const fate = this.admit(call);
    if (fate.lateMs !== undefined) {
      this.late.take(fate.lateMs, () => this.enter(call, fate, effect));
      await this.#wait(call, options, Number.POSITIVE_INFINITY, endsAt);
    }
    const halfMs = settings.answerMs(call.service, call.operation) / 2;
    await this.#wait(call, options, halfMs + (fate.delayMs ?? 0), endsAt);
    if (call.write) checkFence(call, options);
    const result = this.enter(call, fate, effect);
    if (fate.loseReply === "broken") throw failure(call, "Unreachable", "the connection broke");
    if (fate.loseReply === "silence") await this.#wait(call, options, Number.POSITIVE_INFINITY, endsAt);
    await this.#wait(call, options, halfMs, endsAt);
    return result;
  }

  /** Counts the call and reads its fate: for those who speak HTTP, too. */
  admit(call: CloudCall): CallFate {
    const key = `${call.service} ${call.operation}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return Object.assign({}, ...[...this.#fortunes].map((fortune) => fortune(call) ?? {})) as CallFate;
  }

  enter<T>(call: CloudCall, { turnAway }: CallFate, effect: () => T): T {
    if (turnAway === "unreachable") throw failure(call, "Unreachable", "no connection");
    try {
      if (turnAway !== undefined) throw new CloudFault({ message: "turned away", ...turnAway });
      return effect();
    } catch (error) {
      throw error instanceof CloudFault ? openStackErrorOf(call.service, call.operation, error) : error;
    }
  }

  async #wait(call: CloudCall, { signal }: CloudCallOptions, ms: number, endsAt: number): Promise<void> {
    if (signal?.aborted === true) throw failure(call, "Timeout", "given up by the caller");
    if (ms <= 0) return;
    const { clock } = this.#cloud;
    const leftMs = Math.max(0, endsAt - clock.monotonicMs());
    await new Promise<void>((resolve, reject) => {
      const timer = clock.after(Math.min(ms, leftMs), () => {
        signal?.removeEventListener("abort", stop);
        if (ms <= leftMs) resolve();
        else reject(failure(call, "Timeout", "no answer in time"));
      });
      function stop(): void {
        timer.cancel();
        reject(failure(call, "Timeout", "given up by the caller"));
      }
      signal?.addEventListener("abort", stop, { once: true });
    });
  }
}

function deadlineOf(call: CloudCall, options: CloudWriteOptions, usualMs: number): number {
  checkFence(call, options);
  return Math.min(options.deadlineMs ?? usualMs, options.fence?.remainingMs() ?? Number.POSITIVE_INFINITY);
}

function checkFence({ operation }: CloudCall, { fence }: CloudWriteOptions): void {
  if (fence === undefined || fence.remainingMs() > 0) return;
  throw new MainstayError({
    reason: "LeadershipLost",
    message: `${operation}: not sent, the leader lease has run out`,
    hint: "Nothing to do: the manager that leads now does this work.",
  });
}

function failure({ service, operation }: CloudCall, code: OpenStackErrorCode, what: string): OpenStackError {
  return new OpenStackError({ code, service, operation, message: `${operation}: ${what}` });
}
