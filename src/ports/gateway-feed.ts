// The way from a controller to the agents of gateways: one request, one reply. What is said on it is the job's business; who may say it is
// in headers and certificates. No reply is an answer, too: it is never an exception, so that nobody forgets it.

import type { Fence } from "./kube.ts";

export interface FeedRequest {
  /** Of the agent, with any prefix; `path` is added to it. */
  readonly url: string;
  readonly method: "GET" | "PUT" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** PEM. */
  readonly tls?: FeedTls;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
  /** For what changes a gateway. */
  readonly fence?: Fence;
}

export interface FeedTls {
  /** Who may have signed the agent's certificate. Absent: those that the system trusts. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export type FeedReply =
  | { readonly kind: "replied"; readonly status: number; readonly body: string }
  /** It may have had its effect all the same. */
  | { readonly kind: "silent"; readonly message: string };

export interface GatewayFeed {
  send(request: FeedRequest): Promise<FeedReply>;
  close(): Promise<void>;
}
