// Handles every call to a service of the fake cloud: counts it, follows its call plan, keeps fence and deadline, takes its time, and turns
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
  /** The object the call is about, where it names one: a balancer's, pool's or floating IP's id; of a balancer to be made, its subnet's. */
  readonly target?: string;
  /** The balancer that the target is or belongs to. */
  readonly balancerId?: string;
  /** The zone of that balancer, or of the one that is to be made. */
  readonly zone?: string;
}

/** How long a call takes, and what goes wrong with it. */
export interface CloudCallPlan {
  /** Before it has its effect. */
  readonly delayMs?: number;
  /** Between its effect and its answer. */
  readonly answerDelayMs?: number;
  /** Turned away before it has any effect: by this status, or with no connection at all. */
  readonly turnAway?:
    | "unreachable"
    | { readonly status: number; readonly message?: string; readonly retryAfterMs?: number };
  /** It has its effect; the caller gets a broken connection instead of the answer, or nothing until its deadline. */
  readonly loseReply?: "broken" | "silence";
  /** It has its effect so long after it was sent, unless the cloud refuses it by then; no answer ever comes. */
  readonly lateMs?: number;
}

export type PlanCloudCall = (call: CloudCall) => CloudCallPlan | undefined;

export class CallHandler {
  readonly late: LateRequests;
  readonly #cloud: Cloud;
  readonly #counts = new Map<string, number>();
  readonly #planners = new Set<PlanCloudCall>();

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

  addCallPlan(planCall: PlanCloudCall): () => void {
    this.#planners.add(planCall);
    return () => this.#planners.delete(planCall);
  }

  async handle<T>(call: CloudCall, options: CloudWriteOptions, effect: () => T): Promise<T> {
    const { clock, settings } = this.#cloud;
    const endsAt = clock.monotonicMs() + deadlineOf(call, options, settings.deadlineMs);
    const callPlan = this.begin(call);
    if (callPlan.lateMs !== undefined) {
      this.late.take(callPlan.lateMs, () => this.perform(call, callPlan, effect));
      await this.#wait(call, options, Number.POSITIVE_INFINITY, endsAt);
    }
    const halfMs = settings.answerMs(call.service, call.operation) / 2;
    await this.#wait(call, options, halfMs + (callPlan.delayMs ?? 0), endsAt);
    if (call.write) checkFence(call, options);
    const result = this.perform(call, callPlan, effect);
    if (callPlan.loseReply === "broken") throw failure(call, "Unreachable", "the connection broke");
    if (callPlan.loseReply === "silence") await this.#wait(call, options, Number.POSITIVE_INFINITY, endsAt);
    await this.#wait(call, options, halfMs + (callPlan.answerDelayMs ?? 0), endsAt);
    return result;
  }

  /** Counts the call and plans it: for those who speak HTTP, too. */
  begin(call: CloudCall): CloudCallPlan {
    const key = `${call.service} ${call.operation}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return Object.assign({}, ...[...this.#planners].map((planCall) => planCall(call) ?? {})) as CloudCallPlan;
  }

  perform<T>(call: CloudCall, { turnAway }: CloudCallPlan, effect: () => T): T {
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
