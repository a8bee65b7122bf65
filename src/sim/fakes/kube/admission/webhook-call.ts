// The port through which admission and conversion reach a webhook. The simulation has no sockets; bin and tests bring them.

import type { Json, JsonObject } from "../json.ts";

export interface WebhookCall {
  /** `clientConfig` as it stands in the configuration: `url` or `service`, and `caBundle`. */
  readonly clientConfig: JsonObject;
  /** To be appended to the URL: `?timeout=10s`. */
  readonly query: string;
  readonly body: JsonObject;
  readonly timeoutMs: number;
}

/** Rejects with an Error whose message says what failed: it reaches the client. */
export type CallWebhook = (call: WebhookCall) => Promise<Json>;
