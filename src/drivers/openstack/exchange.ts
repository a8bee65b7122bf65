// Sends one request, reads its whole answer and reports both to the meter. Knows neither tokens nor retries.

import { MainstayError } from "../../core/errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { OpenStackHttpRequest, OpenStackTransport, OpenStackTrust } from "../../ports/openstack-transport.ts";
import type { Random } from "../../ports/random.ts";
import { DeadlineExceeded } from "../http/deadline.ts";
import type { HttpAnswer } from "../http/http-answer.ts";
import { readText } from "../http/read-text.ts";
import type { CallMeter } from "./call-meter.ts";
import type { KnownExtensions } from "./known-extensions.ts";
import { operationOf, type Subject } from "./login/subject.ts";

export interface Channel {
  readonly transport: OpenStackTransport;
  readonly clock: Clock;
  readonly random: Random;
  readonly userAgent: string;
  /** Deadline of a call that names none. */
  readonly deadlineMs: number;
  readonly pageSize: number;
  readonly meter: CallMeter;
  /** Of every Neutron that was asked. */
  readonly extensions: KnownExtensions;
}

export interface Exchange {
  readonly method: OpenStackHttpRequest["method"];
  readonly url: string;
  readonly trust: OpenStackTrust;
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly beforeSend: () => void;
}

export async function exchange(channel: Channel, subject: Subject, wanted: Exchange): Promise<HttpAnswer> {
  const startedAt = channel.clock.monotonicMs();
  const meter = (status: string) =>
    channel.meter.onCall({
      service: subject.service,
      operation: operationOf(subject).replaceAll(" ", "-"),
      status,
      durationMs: channel.clock.monotonicMs() - startedAt,
    });
  try {
    const { trust, signal, beforeSend } = wanted;
    const response = await channel.transport.send(requestOf(channel, wanted), { trust, signal, beforeSend });
    const text = await readText(response.body, signal);
    meter(String(response.status));
    return { status: response.status, headers: response.headers, text };
  } catch (error) {
    meter(statusWithoutAnswer(error, wanted.signal));
    throw error;
  }
}

function requestOf({ userAgent }: Channel, { method, url, body, token, headers = {} }: Exchange): OpenStackHttpRequest {
  return {
    method,
    url,
    headers: {
      accept: "application/json",
      "user-agent": userAgent,
      ...headers,
      ...(token === undefined ? {} : { "x-auth-token": token }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

function statusWithoutAnswer(error: unknown, signal: AbortSignal): string {
  if (error instanceof MainstayError) return error.reason;
  return error instanceof DeadlineExceeded || signal.aborted ? "Timeout" : "Unreachable";
}
