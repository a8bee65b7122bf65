// The way to agents in memory: requests go straight to the agents' own HTTP service. A gateway can be made silent, slow, or lose replies.

import type { FeedReply, FeedRequest, GatewayFeed } from "../../../ports/gateway-feed.ts";
import type { HttpService } from "../../../ports/http-service.ts";

/** `lost`: the request has its effect, and no reply comes. */
export type FeedFate = "works" | "silent" | "lost";

export class FakeGatewayFeed implements GatewayFeed {
  /** By the URL of the agent. */
  readonly agents = new Map<string, HttpService>();
  fate: (request: FeedRequest) => FeedFate | Promise<FeedFate> = () => "works";
  /** Such as `PUT http://gw1/v2/config`, in order. */
  readonly requests: string[] = [];

  async send(request: FeedRequest): Promise<FeedReply> {
    const { url, method, path, headers, body } = request;
    this.requests.push(`${method} ${url}${path}`);
    if (request.fence !== undefined && request.fence.remainingMs() <= 0)
      return { kind: "silent", message: "not sent, the leader lease has run out" };
    const fate = await this.fate(request);
    const service = this.agents.get(url);
    if (service === undefined || fate === "silent") return { kind: "silent", message: "connection refused" };
    async function* chunks() {
      if (body !== undefined) yield body;
    }
    const peer = { isLoopback: false };
    const { status, body: text } = await service({ method, path, headers, peer, body: chunks() });
    return fate === "lost" ? { kind: "silent", message: "no answer" } : { kind: "replied", status, body: text };
  }

  async close(): Promise<void> {}
}
