// The transport over sockets: two shared pools of kept-alive connections, one for calls and one for watches, with the
// connection's credentials on every request. Knows HTTP, not Kubernetes.

import type { Dispatcher } from "undici";
import type { KubeHttpRequest, KubeHttpResponse, KubeTransport, SendOptions } from "../../ports/kube-transport.ts";
import { orAborted } from "../http/deadline.ts";
import { dispatchRequest } from "../http/dispatch-request.ts";
import { type Agents, createAgents } from "./agents.ts";
import type { ClientCertificate, ClusterConnection, Trust } from "./kubeconfig/connection.ts";

export interface UndiciTransportOptions {
  readonly connection: ClusterConnection;
  /** Connections for calls; more calls than this wait for a free one. */
  readonly maxConnections?: number;
}

export function undiciTransport({ connection, maxConnections = 20 }: UndiciTransportOptions): KubeTransport {
  const base = new URL(connection.server);
  const prefix = base.pathname.replace(/\/+$/, "");
  const retired = new Set<Agents>();
  let current: { readonly key: string; readonly agents: Agents } | undefined;

  /** New key material means new connections; requests under way finish on the old ones. */
  function agentsFor(trust: Trust, certificate: ClientCertificate | undefined): Agents {
    const key = JSON.stringify([trust, certificate]);
    if (current?.key === key) return current.agents;
    const agents = createAgents({ trust, certificate, proxy: connection.proxy, maxConnections });
    const previous = current?.agents;
    current = { key, agents };
    if (previous !== undefined) {
      retired.add(previous);
      const forget = () => retired.delete(previous);
      previous.close().then(forget, forget);
    }
    return agents;
  }

  async function sendOnce(request: KubeHttpRequest, options: SendOptions): Promise<KubeHttpResponse> {
    // An exec plugin may take long, or never end.
    const identity = Promise.all([connection.trust(), connection.credentials.current()]);
    const [trust, credential] = await orAborted(identity, options.signal);
    const agents = agentsFor(trust, credential.certificate);
    const agent = options.longLived === true ? agents.watches : agents.calls;
    const dispatch: Dispatcher.DispatchOptions = {
      origin: base.origin,
      method: request.method,
      path: prefix + request.path,
      headers: { ...request.headers, ...credential.headers },
      body: request.body ?? null,
    };
    return dispatchRequest(agent, dispatch, options);
  }

  return {
    async send(request, options = {}) {
      const response = await sendOnce(request, options);
      if (response.status !== 401) return response;
      if (!(await orAborted(connection.credentials.refresh(), options.signal))) return response;
      // A 401 had no effect, so that even a write may be repeated with the fresh credential.
      for await (const _ of response.body);
      return sendOnce(request, options);
    },
    async close() {
      const agents = [...retired, ...(current === undefined ? [] : [current.agents])];
      await Promise.all(agents.map((each) => each.destroy()));
    },
  };
}
