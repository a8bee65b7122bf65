// Bytes to and from an OpenStack service. The driver speaks it over undici; a fake may answer it without sockets.

import type { HttpResponse } from "./http-response.ts";

export interface OpenStackHttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Address, path and query. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Whose certificates are believed. */
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
