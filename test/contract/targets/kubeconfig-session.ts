// A session with a server that kubeconfig files lead to.

import { kubeClient } from "../../../src/drivers/kube/client.ts";
import { loadKubeconfig } from "../../../src/drivers/kube/kubeconfig/kubeconfig.ts";
import { undiciTransport } from "../../../src/drivers/kube/undici-transport.ts";
import { systemClock } from "../../../src/drivers/system/system-clock.ts";
import type { KubeTransport } from "../../../src/ports/kube-transport.ts";
import type { KubeTargetSession } from "../kube-target.ts";
import { fakeTokens } from "./fake-users.ts";

export interface KubeconfigPaths {
  readonly admin: string;
  readonly restricted: string;
  readonly restrictedToken: string;
}

export async function openSession(paths: KubeconfigPaths): Promise<KubeTargetSession> {
  const transports: KubeTransport[] = [];
  const connect = async (path: string, token?: string) => {
    const connection = await loadKubeconfig({ path, environment: {}, home: "/", clock: systemClock });
    const credentials = token === undefined ? connection.credentials : bearing(token);
    const transport = undiciTransport({ connection: { ...connection, credentials } });
    transports.push(transport);
    return transport;
  };
  const client = (transport: KubeTransport) => kubeClient({ transport, clock: systemClock });
  const transport = await connect(paths.admin);
  return {
    transport,
    admin: client(transport),
    restricted: client(await connect(paths.restricted)),
    restrictedToken: paths.restrictedToken,
    stranger: client(await connect(paths.admin, fakeTokens.stranger)),
    bearer: async (token) => client(await connect(paths.admin, token)),
    kubeconfigPath: paths.admin,
    close: async () => void (await Promise.all(transports.map((each) => each.close()))),
  };
}

function bearing(token: string) {
  return { current: async () => ({ headers: { authorization: `Bearer ${token}` } }), refresh: async () => false };
}
