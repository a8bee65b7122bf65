// HTTP-level faults, made between the client and its sockets: TLS hides HTTP from the TCP proxy. What it answers never reached the
// server.

import type { KubeHttpRequest, KubeHttpResponse, KubeTransport } from "../../src/ports/kube-transport.ts";

export type HttpFault =
  | { readonly status: 429; readonly retryAfterSeconds: number }
  | { readonly status: 500 }
  /** A watch that is accepted and then told of an error within the stream. */
  | { readonly status: 200; readonly errorCode: number };

export interface FaultyTransport extends KubeTransport {
  /** How often the fault was met. */
  readonly injected: number;
  inject(fault: HttpFault | undefined): void;
}

export function faultyTransport(inner: KubeTransport): FaultyTransport {
  let fault: HttpFault | undefined;
  let injected = 0;
  return {
    get injected() {
      return injected;
    },
    inject(next) {
      fault = next;
      injected = 0;
    },
    send: (request, options) => {
      if (fault === undefined || (fault.status === 200 && !isWatch(request))) return inner.send(request, options);
      injected += 1;
      return Promise.resolve(answer(fault));
    },
    close: () => inner.close(),
  };
}

function isWatch(request: KubeHttpRequest): boolean {
  return request.path.includes("watch=true");
}

function answer(fault: HttpFault): KubeHttpResponse {
  const code = fault.status === 200 ? fault.errorCode : fault.status;
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", message: "injected", code };
  const body = fault.status === 200 ? { type: "ERROR", object: status } : status;
  const headers = { "content-type": "application/json" };
  return {
    status: fault.status,
    headers: fault.status === 429 ? { ...headers, "retry-after": String(fault.retryAfterSeconds) } : headers,
    body: once(new TextEncoder().encode(`${JSON.stringify(body)}\n`)),
  };
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
