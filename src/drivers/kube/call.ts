// One call to the API server from start to finish: rate limit, fence, deadline, sending, waiting out a 429, reading the
// whole answer, metrics. Knows no kinds; watches share the first half of it.

import type { Clock } from "../../ports/clock.ts";
import type { Fence, WriteOptions } from "../../ports/kube.ts";
import type { KubeHttpResponse, KubeTransport } from "../../ports/kube-transport.ts";
import { type Deadline, pause, startDeadline } from "../http/deadline.ts";
import { checkFence, fencedDeadlineMs, hasRunOut, notLeading } from "../http/fence.ts";
import type { HttpAnswer } from "../http/http-answer.ts";
import { readText } from "../http/read-text.ts";
import { isLostConnection } from "../http/without-answer.ts";
import { errorWithoutAnswer } from "./connection-errors.ts";
import { describeSubject, errorFromAnswer, retryAfterMs, type Subject } from "./errors.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { WarningListener } from "./server-warnings.ts";

export interface RequestObservation {
  readonly verb: string;
  readonly resource: string;
  /** The HTTP status, or `Timeout`, `Unreachable`, `LeadershipLost` when no answer came. */
  readonly code: string;
  readonly seconds: number;
}

export interface Channel {
  readonly transport: KubeTransport;
  readonly clock: Clock;
  readonly limiter: RateLimiter | undefined;
  readonly userAgent: string;
  readonly deadlineMs: number;
  readonly onRequest: (observation: RequestObservation) => void;
  readonly onWarnings: WarningListener;
}

export interface Call extends Subject {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
}

/** After this many answers of 429 the call fails with that error. */
const maxTries = 10;

export async function performCall(channel: Channel, call: Call, options: WriteOptions = {}): Promise<HttpAnswer> {
  const write = call.method !== "GET";
  const progress = { sent: false, write, signal: options.signal };
  const { fence } = options;
  checkFence(describeSubject(call), fence);
  const deadlineMs = fencedDeadlineMs(options.deadlineMs ?? channel.deadlineMs, fence);
  const deadline = startDeadline(channel.clock, deadlineMs, options.signal);
  try {
    for (let tries = 1; ; tries += 1) {
      const answer = await exchange(channel, call, fence, deadline, progress).catch((error: unknown) => {
        // A kept-alive connection may be dead without us noticing, as after an API server's restart. Reading again does no harm.
        if (write || tries > 1 || !isLostConnection(error)) throw error;
        return undefined;
      });
      if (answer === undefined) continue;
      const delay = answer.status === 429 ? retryAfterMs(answer.headers) : undefined;
      // A request answered with 429 had no effect, so that writes may be repeated too.
      if (delay !== undefined && tries < maxTries && delay < deadline.remainingMs()) {
        progress.sent = false;
        await pause(channel.clock, delay, deadline.signal);
        continue;
      }
      if (answer.status >= 400) throw errorFromAnswer(call, answer);
      return answer;
    }
  } catch (error) {
    if (!progress.sent && hasRunOut(fence)) throw notLeading(describeSubject(call));
    throw errorWithoutAnswer(call, error, progress);
  } finally {
    deadline.end();
  }
}

/** Sends once the rate limit allows and answers as soon as there are headers. */
export async function openResponse(
  channel: Channel,
  call: Call,
  deadline: Deadline,
  send: { readonly longLived?: boolean; readonly signal?: AbortSignal; readonly beforeSend?: () => void },
): Promise<KubeHttpResponse> {
  await channel.limiter?.take(deadline.signal);
  const startedAt = channel.clock.monotonicMs();
  const observe = (code: string) =>
    channel.onRequest({
      verb: call.verb,
      resource: call.resource,
      code,
      seconds: (channel.clock.monotonicMs() - startedAt) / 1000,
    });
  try {
    const response = await channel.transport.send(
      {
        method: call.method,
        path: call.path,
        headers: headersOf(channel, call),
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      },
      { signal: deadline.signal, ...send },
    );
    observe(String(response.status));
    channel.onWarnings(call, response.headers);
    return response;
  } catch (error) {
    const mapped = errorWithoutAnswer(call, error, { sent: false, write: false, signal: deadline.signal });
    observe("code" in mapped ? String(mapped.code) : mapped.reason);
    throw error;
  }
}

async function exchange(
  channel: Channel,
  call: Call,
  fence: Fence | undefined,
  deadline: Deadline,
  progress: { sent: boolean; readonly write: boolean },
): Promise<HttpAnswer> {
  const beforeSend = () => {
    checkFence(describeSubject(call), fence);
    deadline.check();
    progress.sent = true;
  };
  const response = await openResponse(channel, call, deadline, progress.write ? { beforeSend } : {});
  const text = await readText(response.body, deadline.signal);
  return { status: response.status, headers: response.headers, text };
}

function headersOf(channel: Channel, call: Call): Readonly<Record<string, string>> {
  return {
    accept: call.accept ?? "application/json",
    "user-agent": channel.userAgent,
    ...(call.body === undefined ? {} : { "content-type": call.contentType ?? "application/json" }),
  };
}
