// A cloud on the wire, as a script: what Keystone hands out is made here, every other request is answered by the test. In virtual
// time, without sockets. For tests of the driver alone; the fake is a whole cloud.

import type { CloudConfig } from "../../src/core/openstack/cloud-config.ts";
import type { CallObservation } from "../../src/drivers/openstack/call-meter.ts";
import { type OpenStackClientOptions, openStackClient } from "../../src/drivers/openstack/openstack-client.ts";
import type { OpenStackHttpRequest, OpenStackSendOptions } from "../../src/ports/openstack-transport.ts";
import { VirtualClock } from "./virtual-clock.ts";

export interface ScriptedAnswer {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type SentRequest = OpenStackHttpRequest & { readonly atMs: number; readonly query: URLSearchParams };
type Script = (request: SentRequest, nth: number) => ScriptedAnswer | "silence" | Error | Promise<ScriptedAnswer>;

export interface CloudScript {
  /** Requests to anything but Keystone; `nth` counts them from 1. */
  readonly services?: Script;
  /** Logins; by default each gets a new token, token-1, token-2, … */
  readonly logins?: Script;
  readonly options?: Partial<OpenStackClientOptions>;
}

export const cloud: CloudConfig = {
  cloudName: "prod",
  authUrl: "https://keystone.test/v3",
  auth: {
    type: "password",
    user: { name: "ops", domain: { name: "Default" } },
    password: "open-sesame",
    scope: { name: "shop", domain: { name: "Default" } },
  },
  interface: "public",
  verifyTls: true,
};

const urls = { identity: "keystone", network: "neutron", "load-balancer": "octavia", compute: "nova" };

export const catalogue = Object.entries(urls).map(([type, host]) => ({
  type,
  endpoints: ["RegionOne", "RegionTwo"].flatMap((region, index) =>
    ["public", "internal"].map((each) => ({
      interface: each,
      region,
      region_id: region,
      url: `https://${host}-${index + 1}-${each}.test${type === "compute" ? "/v2.1" : ""}`,
    })),
  ),
}));

/** What Keystone says to a login; a token lives for an hour. */
export function ticket(token: string, fields: Readonly<Record<string, unknown>> = {}): ScriptedAnswer {
  const body = {
    issued_at: "2026-01-01T00:00:00.000000Z",
    expires_at: "2026-01-01T01:00:00.000000Z",
    project: { id: "p1", name: "shop" },
    catalog: catalogue,
    ...fields,
  };
  return { status: 201, headers: { "x-subject-token": token }, json: { token: body } };
}

export function scriptedCloud({ services = () => ({ json: {} }), logins, options = {} }: CloudScript = {}) {
  const clock = new VirtualClock();
  const sent: SentRequest[] = [];
  const loginsSent: SentRequest[] = [];
  const observed: CallObservation[] = [];
  const transport = {
    async send(request: OpenStackHttpRequest, { signal, beforeSend }: OpenStackSendOptions) {
      signal?.throwIfAborted();
      beforeSend?.();
      const arrived = { ...request, atMs: clock.monotonicMs(), query: new URL(request.url).searchParams };
      const isLogin = request.url.endsWith("/v3/auth/tokens");
      const log = isLogin ? loginsSent : sent;
      log.push(arrived);
      const script = isLogin ? (logins ?? ((_: SentRequest, nth: number) => ticket(`token-${nth}`))) : services;
      const answer = await Promise.race([script(arrived, log.length), untilAborted(signal)]);
      if (answer instanceof Error) throw answer;
      if (answer === "silence") return untilAborted(signal);
      const { status = 200, headers = {}, json, text = JSON.stringify(json ?? {}) } = answer;
      return { status, headers, body: bytes(text) };
    },
    close: async () => {},
  };
  const openStack = openStackClient({
    transport,
    clock,
    random: { next: () => 0.5, uuid: () => "00000000-0000-4000-8000-000000000000" },
    meter: { onCall: (each) => observed.push(each) },
    ...options,
  });
  return { clock, openStack, project: openStack.project(cloud), sent, loginsSent, observed };
}

/** Runs virtual time until the promise settles. */
export async function settled<T>(clock: VirtualClock, promise: Promise<T>, maxMs = 600_000): Promise<T> {
  let done = false;
  const mark = () => {
    done = true;
  };
  promise.then(mark, mark);
  await clock.runUntil(() => done, maxMs);
  if (!done) throw new Error(`still not settled after ${maxMs} ms`);
  return promise;
}

export function lostConnection(code = "ECONNRESET"): Error {
  return Object.assign(new Error(`read ${code}`), { code });
}

async function* bytes(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text);
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => {
      const reason: unknown = signal.reason;
      reject(reason instanceof Error ? reason : new Error("aborted"));
    });
  });
}
