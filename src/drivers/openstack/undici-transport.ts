// The transport over sockets: shared pools of kept-alive connections, a bounded number to each service, TLS 1.2 or later, proxies
// from the environment. Knows HTTP, not OpenStack.

import { Agent, type Dispatcher } from "undici";
import type { OpenStackTransport, OpenStackTrust } from "../../ports/openstack-transport.ts";
import { dispatchRequest } from "../kube/dispatch-request.ts";
import { environmentProxy } from "../kube/proxy-environment.ts";
import { tunnelConnector } from "../kube/proxy-tunnel.ts";

export interface UndiciTransportOptions {
  /** For HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Connections to each service of each cloud; more calls than this wait for a free one. */
  readonly maxConnections?: number;
}

/** One for each set of authorities and proxy; those not used for longest are closed first. */
const maxAgents = 50;

export function undiciTransport({ environment, maxConnections = 8 }: UndiciTransportOptions): OpenStackTransport {
  const agents = new Map<string, Dispatcher>();

  function agentFor(trust: OpenStackTrust, origin: string): Dispatcher {
    const proxy = environmentProxy(origin, environment);
    const key = JSON.stringify([trust.caCertificate, trust.verifyTls, proxy]);
    const agent = agents.get(key) ?? createAgent(trust, proxy, maxConnections);
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
    async send({ method, url, headers, body }, { trust, signal, beforeSend }) {
      const { origin, pathname, search } = new URL(url);
      const request: Dispatcher.DispatchOptions = {
        origin,
        method,
        path: pathname + search,
        headers,
        body: body ?? null,
      };
      return dispatchRequest(agentFor(trust, origin), request, {
        ...(signal === undefined ? {} : { signal }),
        ...(beforeSend === undefined ? {} : { beforeSend }),
      });
    },
    async close() {
      const open = [...agents.values()];
      agents.clear();
      await Promise.all(open.map((agent) => agent.destroy()));
    },
  };
}

function createAgent(
  { caCertificate, verifyTls }: OpenStackTrust,
  proxy: string | undefined,
  connections: number,
): Dispatcher {
  const tls = {
    timeout: 10_000,
    minVersion: "TLSv1.2" as const,
    rejectUnauthorized: verifyTls,
    ...(caCertificate === undefined ? {} : { ca: caCertificate }),
  };
  return new Agent({
    connections,
    pipelining: 1,
    allowH2: false,
    // Deadlines are the client's business, on its own clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Apache in front of most services closes idle connections after five seconds; meeting that moment costs a failed call.
    keepAliveTimeout: 4_000,
    connect: proxy === undefined ? tls : tunnelConnector(proxy, tls),
  });
}
