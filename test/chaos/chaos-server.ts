// The servers that the chaos suite torments: the fake over HTTP and a real API server of the suite's own.

import { configMaps } from "../../src/apis/kube/builtin-kinds.ts";
import { listenForKube } from "../../src/bin/fake-kube-listener.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import type { ClusterConnection } from "../../src/drivers/kube/kubeconfig/connection.ts";
import { undiciTransport } from "../../src/drivers/kube/undici-transport.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { systemRandom } from "../../src/drivers/system/system-random.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { adminToken, createFakeKubeApi } from "../../src/sim/fakes/kube/api-server.ts";
import type { KubeLab } from "../lab.ts";
import { startPrivateKube } from "../private-kube.ts";
import { configMap } from "./writer.ts";

export interface ChaosServer {
  readonly address: { readonly host: string; readonly port: number };
  /** The way to it through some local port. */
  readonly connectionVia: (port: number) => ClusterConnection;
  /** Bypasses every proxy. */
  readonly direct: Kube;
  restart(): Promise<void>;
  /** Makes resource versions of before now too old to resume from. */
  expireHistory(): Promise<void>;
  close(): Promise<void>;
}

export async function fakeChaosServer(): Promise<ChaosServer> {
  const api = createFakeKubeApi({ clock: systemClock, random: systemRandom });
  let listener = await listenForKube(api);
  const port = Number(new URL(listener.url).port);
  const connectionVia = (via: number): ClusterConnection => connectionTo(`http://127.0.0.1:${via}`, adminToken);
  const { kube, close } = client(connectionVia(port));
  return {
    address: { host: "127.0.0.1", port },
    connectionVia,
    direct: kube,
    restart: async () => {
      await listener.close();
      api.closeWatches();
      listener = await listenForKube(api, { port });
    },
    expireHistory: async () => {
      // History counts from the next change on.
      await kube.create(configMaps, configMap("default", `expire-${systemRandom.uuid()}`));
      api.compactHistory();
    },
    close: async () => {
      await close();
      await listener.close();
      api.close();
    },
  };
}

export async function realChaosServer(lab: Pick<KubeLab, "binDir">): Promise<ChaosServer> {
  const server = await startPrivateKube(lab);
  const { port } = new URL(server.lab.server);
  const connectionVia = (via: number | string): ClusterConnection =>
    connectionTo(`https://127.0.0.1:${via}`, server.lab.tokens.admin, server.lab.ca);
  const { kube, close } = client(connectionVia(port));
  const restart = async (): Promise<void> => {
    await server.killApiServer();
    await server.startApiServer();
  };
  return {
    address: { host: "127.0.0.1", port: Number(port) },
    connectionVia,
    direct: kube,
    restart,
    // Its watch cache remembers 75 seconds at least, whatever etcd has compacted; a new process remembers nothing.
    expireHistory: async () => {
      await kube.create(configMaps, configMap("default", `expire-${systemRandom.uuid()}`));
      await restart();
    },
    close: async () => {
      await close();
      await server.close();
    },
  };
}

function client(connection: ClusterConnection): { readonly kube: Kube; readonly close: () => Promise<void> } {
  const transport = undiciTransport({ connection });
  return { kube: kubeClient({ transport, clock: systemClock }), close: () => transport.close() };
}

function connectionTo(server: string, token: string, ca?: string): ClusterConnection {
  const credential = { headers: { authorization: `Bearer ${token}` } };
  return {
    server,
    trust: async () => ({ insecure: false, ...(ca === undefined ? {} : { authorities: ca }) }),
    credentials: { current: async () => credential, refresh: async () => false },
    namespace: "default",
  };
}
