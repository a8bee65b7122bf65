// A watch as a stream of events: opening within the deadline, decoding, bookmarks, in-stream errors, silence, abort.
// Ends normally when the server closes the stream or the caller aborts; everything else is a KubeError.

import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { KubeError } from "../../core/kube-error.ts";
import type { CallOptions, WatchEvent } from "../../ports/kube.ts";
import { startDeadline } from "../http/deadline.ts";
import { readText, untilAborted } from "../http/read-text.ts";
import { type Call, type Channel, openResponse } from "./call.ts";
import { errorWithoutAnswer } from "./connection-errors.ts";
import { describeSubject, errorFromAnswer, errorFromEvent, type Subject } from "./errors.ts";
import { type IdleTimer, startIdleTimer } from "./idle-timer.ts";
import { jsonLines } from "./json-lines.ts";

export interface WatchOptions extends CallOptions {
  readonly idleTimeoutMs?: number;
  readonly onOpen?: () => void;
}

/** Bookmarks come about every 60 s, so this much silence means a dead connection. */
const defaultIdleTimeoutMs = 75_000;

export async function* watchStream<T extends KubeObject>(
  channel: Channel,
  call: Call,
  options: WatchOptions = {},
): AsyncGenerator<WatchEvent<T>, void> {
  const connection = new AbortController();
  const follow = () => connection.abort(options.signal?.reason);
  options.signal?.addEventListener("abort", follow, { once: true });
  let idle: IdleTimer | undefined;
  try {
    if (options.signal?.aborted === true) return;
    const body = await open(channel, call, options, connection);
    options.onOpen?.();
    idle = startIdleTimer(channel.clock, options.idleTimeoutMs ?? defaultIdleTimeoutMs, connection);
    for await (const line of jsonLines(untilAborted(body, connection.signal))) {
      idle.pause();
      yield decodeEvent<T>(call, line);
      idle.resume();
    }
  } catch (error) {
    if (options.signal?.aborted === true) return;
    throw errorWithoutAnswer(call, error, { sent: true, write: false });
  } finally {
    idle?.stop();
    options.signal?.removeEventListener("abort", follow);
    connection.abort();
  }
}

async function open(
  channel: Channel,
  call: Call,
  options: WatchOptions,
  connection: AbortController,
): Promise<AsyncIterable<Uint8Array>> {
  // The deadline covers the way to the headers only; after that the connection lives by the idle timer.
  const deadline = startDeadline(channel.clock, options.deadlineMs ?? channel.deadlineMs, connection.signal);
  const strike = () => connection.abort(deadline.signal.reason);
  deadline.signal.addEventListener("abort", strike, { once: true });
  try {
    const response = await openResponse(channel, call, deadline, { longLived: true, signal: connection.signal });
    if (response.status === 200) return response.body;
    const text = await readText(response.body, deadline.signal);
    throw errorFromAnswer(call, { status: response.status, headers: response.headers, text });
  } finally {
    deadline.signal.removeEventListener("abort", strike);
    deadline.end();
  }
}

// By hand and not by schema: this runs for every event of every watch.
function decodeEvent<T extends KubeObject>(subject: Subject, line: unknown): WatchEvent<T> {
  if (typeof line === "object" && line !== null && "type" in line && "object" in line) {
    const { type, object } = line;
    if (type === "ERROR") throw errorFromEvent(subject, object);
    if (isObject(object)) {
      if (type === "ADDED" || type === "MODIFIED" || type === "DELETED") return { type, object: object as T };
      if (type === "BOOKMARK") return bookmark(object);
    }
  }
  throw new KubeError({
    code: "ServerError",
    message: `${describeSubject(subject)}: the server sent something that is not a watch event`,
  });
}

function bookmark(object: KubeObject): WatchEvent<never> {
  return {
    type: "BOOKMARK",
    resourceVersion: object.metadata.resourceVersion ?? "",
    initialEventsEnd: object.metadata.annotations?.["k8s.io/initial-events-end"] === "true",
  };
}

function isObject(value: unknown): value is KubeObject {
  return (
    typeof value === "object" &&
    value !== null &&
    "metadata" in value &&
    typeof value.metadata === "object" &&
    value.metadata !== null
  );
}
