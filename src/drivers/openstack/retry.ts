// How often a request is tried, and when it must not be tried again: a change that may have taken effect is never repeated.
//
//   result                    a read                     a change
//   429                       again, after Retry-After   again: it had no effect
//   503                       again, with back-off       again: it had no effect
//   500, 502, 504             again, with back-off       never
//   no connection             again, with back-off       again: it was never sent
//   lost connection           again, with back-off       never
//   no answer in time         never: time is up          never

import { MainstayError } from "../../core/errors.ts";
import type { CloudWriteOptions } from "../../ports/openstack.ts";
import { pause, startDeadline } from "../http/deadline.ts";
import { checkFence, fencedDeadlineMs, hasRunOut, notLeading } from "../http/fence.ts";
import type { HttpAnswer } from "../http/http-answer.ts";
import { isLostConnection, isNoConnection } from "../http/without-answer.ts";
import { errorWithoutAnswer } from "./connection-errors.ts";
import { errorFromAnswer, retryAfterMs } from "./errors.ts";
import type { Channel } from "./exchange.ts";
import type { Redact } from "./login/secrets.ts";
import { describeSubject, type Subject } from "./login/subject.ts";

export interface Task {
  readonly subject: Subject;
  readonly write: boolean;
  readonly options: CloudWriteOptions;
  /** Called when an error is made: by then there may be a token to redact. */
  readonly redact: () => Redact;
}

/** What an attempt gets: it sends with this signal, and calls `beforeSend` when its request is sent. */
export interface Attempt {
  readonly signal: AbortSignal;
  readonly beforeSend: () => void;
}

const maxTries = 4;
/** After this many answers of 429 the call fails with that error. */
const maxTriesLimited = 8;
const firstDelayMs = 250;

export async function withRetries(
  channel: Channel,
  task: Task,
  attempt: (attempt: Attempt) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  const { subject, write, options } = task;
  const { fence } = options;
  checkFence(describeSubject(subject), fence);
  const progress = { sent: false, write, signal: options.signal };
  const deadline = startDeadline(
    channel.clock,
    fencedDeadlineMs(options.deadlineMs ?? channel.deadlineMs, fence),
    options.signal,
  );
  const beforeSend = () => {
    checkFence(describeSubject(subject), fence);
    deadline.check();
    progress.sent = true;
  };
  try {
    for (let tries = 1; ; tries += 1) {
      progress.sent = false;
      const outcome = await attempt({ signal: deadline.signal, beforeSend }).catch((error: unknown) => ({ error }));
      const delayMs =
        "error" in outcome
          ? afterFailure(channel, outcome.error, progress, tries)
          : afterAnswer(channel, outcome, write, tries);
      if (delayMs === undefined || delayMs >= deadline.remainingMs()) return answerOrThrow(channel, task, outcome);
      await pause(channel.clock, delayMs, deadline.signal);
    }
  } catch (error) {
    if (!progress.sent && hasRunOut(fence)) throw notLeading(describeSubject(subject));
    throw errorWithoutAnswer(subject, error, progress, task.redact());
  } finally {
    deadline.end();
  }
}

type Outcome = HttpAnswer | { readonly error: unknown };

function answerOrThrow(channel: Channel, { subject, redact }: Task, outcome: Outcome): HttpAnswer {
  if ("error" in outcome) throw outcome.error;
  // 300 is how a service lists its versions; every other redirection is of no use, and had no effect.
  if (outcome.status > 300) throw errorFromAnswer(subject, outcome, channel.clock.nowMs(), redact());
  return outcome;
}

/** Milliseconds until the next try; undefined when there is none. */
function afterAnswer(
  channel: Channel,
  { status, headers }: HttpAnswer,
  write: boolean,
  tries: number,
): number | undefined {
  const asked = retryAfterMs(headers, channel.clock.nowMs());
  if (status === 429) return tries < maxTriesLimited ? (asked ?? backOffMs(channel, tries)) : undefined;
  const hadNoEffect = status === 503;
  if (tries >= maxTries || status < 500 || status === 501 || (write && !hadNoEffect)) return undefined;
  return asked ?? backOffMs(channel, tries);
}

function afterFailure(
  channel: Channel,
  error: unknown,
  { sent, write }: { readonly sent: boolean; readonly write: boolean },
  tries: number,
): number | undefined {
  if (tries >= maxTries || error instanceof MainstayError) return undefined;
  if (write && sent) return undefined;
  return isLostConnection(error) || isNoConnection(error) ? backOffMs(channel, tries) : undefined;
}

/** Doubles, with jitter, so that calls that failed together do not retry together. */
function backOffMs({ random }: Channel, tries: number): number {
  return firstDelayMs * 2 ** (tries - 1) * (0.5 + random.next() / 2);
}
