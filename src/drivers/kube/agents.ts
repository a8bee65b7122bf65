// The two pools of connections to an API server, one for calls and one for watches.

import type { Dispatcher } from "undici";
import { createAgent } from "../http/create-agent.ts";
import type { ClientCertificate, Trust } from "./kubeconfig/connection.ts";

export interface AgentsOptions {
  readonly trust: Trust;
  readonly certificate: ClientCertificate | undefined;
  readonly proxy: string | undefined;
  readonly maxConnections: number;
}

export interface Agents {
  readonly calls: Dispatcher;
  readonly watches: Dispatcher;
  /** Lets requests under way finish. */
  close(): Promise<void>;
  /** Cuts everything. */
  destroy(): Promise<void>;
}

export function createAgents(options: AgentsOptions): Agents {
  const tls = tlsOptions(options);
  // The API server keeps idle connections for minutes; a load balancer in front may drop them sooner.
  const shared = { keepAliveTimeoutMs: 30_000, proxy: options.proxy, tls };
  const calls = createAgent({ ...shared, connections: options.maxConnections });
  // As many as there are watches: one that waited for another's connection would wait for ever.
  const watches = createAgent({ ...shared, connections: null });
  return {
    calls,
    watches,
    close: async () => void (await Promise.all([calls.close(), watches.close()])),
    destroy: async () => void (await Promise.all([calls.destroy(), watches.destroy()])),
  };
}

function tlsOptions({ trust, certificate }: AgentsOptions) {
  return {
    keepAliveInitialDelay: 30_000,
    rejectUnauthorized: !trust.insecure,
    ...(trust.authorities === undefined ? {} : { ca: trust.authorities }),
    ...(trust.serverName === undefined ? {} : { servername: trust.serverName }),
    ...(certificate === undefined ? {} : { cert: certificate.certificate, key: certificate.key }),
  };
}
