// Requests to the agents of gateways over sockets: kept-alive connections, TLS 1.2 or later, never through a proxy, because gateways are
// neighbours. One change at a time is on its way to each gateway: its controller sees to that.

import type { Dispatcher } from "undici";
import type { Clock } from "../../ports/clock.ts";
import type { FeedReply, FeedRequest, FeedTls, GatewayFeed } from "../../ports/gateway-feed.ts";
import { createAgent } from "../http/create-agent.ts";
import { startDeadline } from "../http/deadline.ts";
import { dispatchRequest } from "../http/dispatch-request.ts";
import { checkFence, fencedDeadlineMs } from "../http/fence.ts";
import { readText } from "../http/read-text.ts";
import { describeFailure, timeoutOf } from "../http/without-answer.ts";

/** One for each set of certificates; those not used for longest are closed first. */
const maxAgents = 50;

export function undiciGatewayFeed({ clock }: { readonly clock: Clock }): GatewayFeed {
  const agents = new Map<string, Dispatcher>();

  function agentFor(tls: FeedTls): Dispatcher {
    const key = JSON.stringify([tls.ca, tls.cert, tls.key]);
    const agent = agents.get(key) ?? agentOf(tls);
    agents.delete(key);
    agents.set(key, agent);
    const [oldest] = agents;
    if (agents.size > maxAgents && oldest !== undefined) {
      agents.delete(oldest[0]);
      // Requests under way finish.
      oldest[1].close().catch(() => {});
    }
    return agent;
  }

  return {
    send: (request) => send(request, agentFor(request.tls ?? {}), clock),
    async close() {
      const open = [...agents.values()];
      agents.clear();
      await Promise.all(open.map((agent) => agent.destroy()));
    },
  };
}

async function send(request: FeedRequest, dispatcher: Dispatcher, clock: Clock): Promise<FeedReply> {
  const { url, method, path, headers, body, fence, signal } = request;
  const what = `${method} ${path}`;
  checkFence(what, fence);
  const { origin, pathname } = new URL(url);
  const deadline = startDeadline(clock, fencedDeadlineMs(request.deadlineMs, fence), signal);
  let sent = false;
  try {
    const options = { origin, method, path: pathname.replace(/\/+$/, "") + path, headers, body: body ?? null };
    const reply = await dispatchRequest(dispatcher, options, {
      signal: deadline.signal,
      beforeSend: () => {
        checkFence(what, fence);
        sent = true;
      },
    });
    return { kind: "replied", status: reply.status, body: await readText(reply.body, deadline.signal) };
  } catch (error) {
    checkFence(what, fence);
    const write = method !== "GET";
    return { kind: "silent", message: timeoutOf(error, { sent, write, signal })?.what ?? describeFailure(error) };
  } finally {
    deadline.end();
  }
}

function agentOf({ ca, cert, key }: FeedTls): Dispatcher {
  const own = cert === undefined || key === undefined ? {} : { cert, key };
  return createAgent({
    connections: 2,
    keepAliveTimeoutMs: 8_000,
    proxy: undefined,
    tls: { minVersion: "TLSv1.2", timeout: 3_000, ...(ca === undefined ? {} : { ca }), ...own },
  });
}
