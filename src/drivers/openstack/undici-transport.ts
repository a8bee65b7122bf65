// The transport over sockets: shared pools of kept-alive connections, a bounded number to each service, TLS 1.2 or later, proxies
// from the environment. Knows HTTP, not OpenStack.

import type { Dispatcher } from "undici";
import { present } from "../../core/present.ts";
import type { OpenStackTransport, OpenStackTrust } from "../../ports/openstack-transport.ts";
import { createAgent } from "../http/create-agent.ts";
import { dispatchRequest } from "../http/dispatch-request.ts";
import { environmentProxy } from "../http/proxy-environment.ts";

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
    const agent = agents.get(key) ?? agentOf(trust, proxy, maxConnections);
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
        ...present({ signal, beforeSend }),
      });
    },
    async close() {
      const open = [...agents.values()];
      agents.clear();
      await Promise.all(open.map((agent) => agent.destroy()));
    },
  };
}

function agentOf(trust: OpenStackTrust, proxy: string | undefined, connections: number): Dispatcher {
  const { caCertificate, verifyTls } = trust;
  return createAgent({
    connections,
    // Apache in front of most services closes idle connections after five seconds; meeting that moment costs a failed call.
    keepAliveTimeoutMs: 4_000,
    proxy,
    tls: {
      minVersion: "TLSv1.2",
      rejectUnauthorized: verifyTls,
      ...(caCertificate === undefined ? {} : { ca: caCertificate }),
    },
  });
}
