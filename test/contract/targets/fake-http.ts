// The fake API server behind TLS on loopback, reached by a kubeconfig as the real one is.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listenForKube } from "../../../src/bin/fake-kube-listener.ts";
import { systemClock } from "../../../src/drivers/system/system-clock.ts";
import { createFakeKubeApi } from "../../../src/sim/fakes/kube/api-server.ts";
import { seededRandom } from "../../../src/sim/time/seeded-random.ts";
import { callWebhookOverHttps } from "../../support/webhook-client.ts";
import { selfSigned } from "../kube/self-signed.ts";
import type { KubeTarget } from "../kube-target.ts";
import { fakeTokens, fakeUsers } from "./fake-users.ts";
import { openSession } from "./kubeconfig-session.ts";

export const fakeHttp: KubeTarget = {
  name: "the fake, over HTTP",
  async open() {
    const api = createFakeKubeApi({
      clock: systemClock,
      random: seededRandom(2),
      users: fakeUsers,
      callWebhook: callWebhookOverHttps,
    });
    const { certificate, key } = selfSigned();
    const listener = await listenForKube(api, { tls: { key, cert: certificate } });
    const folder = await mkdtemp(join(tmpdir(), "mainstay-contract-"));
    const kubeconfig = async (name: string, token: string) => {
      const path = join(folder, name);
      await writeFile(path, JSON.stringify(kubeconfigFor(listener.url, certificate, token)));
      return path;
    };
    const session = await openSession({
      admin: await kubeconfig("admin", fakeTokens.admin),
      restricted: await kubeconfig("controller", fakeTokens.controller),
      restrictedToken: fakeTokens.controller,
    });
    return {
      ...session,
      close: async () => {
        await session.close();
        await listener.close();
        api.close();
        await rm(folder, { recursive: true });
      },
    };
  },
};

function kubeconfigFor(server: string, authority: string, token: string): unknown {
  const cluster = { server, "certificate-authority-data": Buffer.from(authority).toString("base64") };
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "fake", cluster }],
    users: [{ name: "user", user: { token } }],
    contexts: [{ name: "fake", context: { cluster: "fake", user: "user" } }],
    "current-context": "fake",
  };
}
