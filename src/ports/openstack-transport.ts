// HTTP requests to an OpenStack service. The driver sends them over undici; a fake may answer them without sockets.

import type { HttpResponse } from "./http-response.ts";

export interface OpenStackHttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Address, path and query. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Which certificates are trusted. */
export interface OpenStackTrust {
  /** PEM; absent: the system's authorities. */
  readonly caCertificate?: string;
  readonly verifyTls: boolean;
}

export interface OpenStackSendOptions {
  readonly trust: OpenStackTrust;
  readonly signal?: AbortSignal;
  /** Runs when the request is about to be written to its connection; throwing keeps it from leaving. */
  readonly beforeSend?: () => void;
}

export interface OpenStackTransport {
  send(request: OpenStackHttpRequest, options: OpenStackSendOptions): Promise<HttpResponse>;
  close(): Promise<void>;
}
