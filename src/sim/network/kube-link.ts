// The transport of one process to the fake API server: every request, every answer and every event of a watch takes its way through the
// scheduler and meets the faults of the seed.

import type { KubeObject } from "../../apis/kube/kube-object.ts";
import type { KubeHttpRequest, KubeHttpResponse, KubeTransport, SendOptions } from "../../ports/kube-transport.ts";
import type { FakeKubeApi } from "../fakes/kube/api-server.ts";
import type { PlanWatchEvent } from "../faults/watch-event-planner.ts";
import type { SimProcess } from "../processes/sim-process.ts";
import { connectionRefused, deliverCall } from "./deliver-call.ts";
import { type KubePath, keyOfPath, parseKubePath, targetOf } from "./kube-path.ts";
import type { NetworkAccess } from "./network.ts";
import type { PortCall, TurnedAway } from "./port-call.ts";
import { relayWatch } from "./watch-relay.ts";

export interface KubeLinkOptions extends NetworkAccess {
  readonly api: FakeKubeApi;
  readonly token: string;
  readonly planWatchEvent: PlanWatchEvent;
  readonly onFault: (fault: string, call: PortCall) => void;
  readonly latencyMs: () => number;
  readonly objectAt: (resource: string, key: string) => KubeObject | undefined;
}

/** The version of the object that a write, or a look at the Lease, was answered with. */
const answeredVersions = new WeakMap<PortCall, string>();
/** One for all: to make an error for each connection that ends would cost more than to end it. */
const hungUp = new Error("the client hung up");
const decoder = new TextDecoder();

interface Link extends KubeLinkOptions {
  readonly lastEvents: Map<string, Uint8Array>;
}

export function kubeLink(options: KubeLinkOptions): KubeTransport {
  const link: Link = { ...options, lastEvents: new Map() };
  return {
    send: (request, send = {}) => sendOne(link, request, send),
    close: () => Promise.resolve(),
  };
}

function sendOne(options: Link, request: KubeHttpRequest, send: SendOptions): Promise<KubeHttpResponse> {
  const { process, network, planCall } = options;
  if (!process.alive) return process.never;
  const call = callOf(options, request);
  // A server goes on with what it has begun, whoever hangs up; only a watch ends with its connection.
  const watching = call.inCluster?.watch === true ? watchConnection(process, send.signal) : undefined;
  return deliverCall<KubeHttpResponse>(network, {
    call,
    callPlan: planCall(call),
    signal: send.signal,
    beforeSend: send.beforeSend,
    perform: () => perform(options, request, call, watching),
    turnedAway: answerOf,
    describe: ({ status }) => String(status),
    onReply: ({ status }) => {
      const version = answeredVersions.get(call);
      if (status < 300 && version !== undefined) network.events.emit("replied", { call, version });
    },
  });
}

interface WatchConnection {
  readonly signal: AbortSignal;
  readonly hangUp: () => void;
}

/** Ends when its caller hangs up or dies. */
function watchConnection(process: SimProcess, signal: AbortSignal | undefined): WatchConnection {
  const connection = new AbortController();
  const hangUp = (): void => connection.abort(hungUp);
  signal?.addEventListener("abort", hangUp, { once: true });
  process.onDeath(hangUp);
  return { signal: connection.signal, hangUp };
}

function callOf({ process, network }: KubeLinkOptions, request: KubeHttpRequest): PortCall {
  const path = parseKubePath(request.path);
  const target = targetOf(request.path, path);
  return {
    process,
    port: "kube",
    verb: request.method,
    target,
    path: request.path,
    inCluster: path,
    write: request.method !== "GET",
    purpose: process.purposes.get(`${request.method} ${target}`) ?? purposeOf(request.method, path),
    body: request.body ?? "",
    sentMs: network.scheduler.nowMs,
    actor: process.actors.get(`${request.method} ${target}`),
  };
}

function purposeOf(method: string, path: KubePath | undefined): string {
  if (path?.plural === "leases") return "lease";
  if (path?.plural === "events") return "event";
  if (method === "GET") return path?.watch === true ? "watch" : path?.name === undefined ? "list" : "get";
  return path?.subresource === "status" ? "status" : "write";
}

async function perform(
  options: Link,
  request: KubeHttpRequest,
  call: PortCall,
  watching: WatchConnection | undefined,
): Promise<KubeHttpResponse> {
  const { api, token, network } = options;
  const path = call.inCluster;
  const before = path?.name === undefined ? undefined : options.objectAt(path.resource, keyOfPath(path));
  const headers = { authorization: `Bearer ${token}`, ...request.headers };
  const response = await api.handle({ ...request, headers }, watching);
  const { status } = response;
  if (watching !== undefined && status === 200) {
    const { hangUp } = watching;
    return { status, headers: response.headers, body: relayWatch({ ...options, call, hangUp }, response.body) };
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  network.events.emit("arrived", { call, status, before });
  if ((call.write || call.purpose === "lease") && status < 300) noteVersion(call, chunks);
  return { status, headers: response.headers, body: pieces(chunks) };
}

/** Metadata comes before whatever else could name a version. To read the whole answer for it took 3 % of a run. */
const versionInAnswer = /"metadata":\{.*?"resourceVersion":"([^"]*)"/s;

function noteVersion(call: PortCall, chunks: readonly Uint8Array[]): void {
  const [, version] = versionInAnswer.exec(chunks.map((chunk) => decoder.decode(chunk)).join("")) ?? [];
  if (version !== undefined) answeredVersions.set(call, version);
}

const reasons = { 422: "Invalid", 429: "TooManyRequests", 500: "InternalError", 503: "ServiceUnavailable" } as const;

function answerOf(how: TurnedAway): KubeHttpResponse | Error {
  if (how.how === "connection") return connectionRefused();
  const code = how.how === "invalid" ? 422 : how.status;
  const retry: Readonly<Record<string, string>> = code === 429 || code === 503 ? { "retry-after": "1" } : {};
  const status = {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    reason: reasons[code],
    message: "not now",
    code,
  };
  return {
    status: code,
    headers: { "content-type": "application/json", ...retry },
    body: pieces([new TextEncoder().encode(JSON.stringify(status))]),
  };
}

async function* pieces(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  for (const chunk of chunks) yield chunk;
}
