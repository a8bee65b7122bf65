// HTTP requests to an API server. The driver sends them over undici; the fake API server answers them without sockets.

import type { HttpResponse } from "./http-response.ts";

export interface KubeHttpRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type KubeHttpResponse = HttpResponse;

export interface SendOptions {
  readonly signal?: AbortSignal;
  /** Watches get connections of their own, so that they never starve calls. */
  readonly longLived?: boolean;
  /** Runs when the request is about to be written to its connection; throwing keeps it from leaving. */
  readonly beforeSend?: () => void;
}

export interface KubeTransport {
  send(request: KubeHttpRequest, options?: SendOptions): Promise<KubeHttpResponse>;
  close(): Promise<void>;
}
