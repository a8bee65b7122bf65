// The fake API server without sockets: requests and answers are plain values.

import { kubeClient } from "../../../src/drivers/kube/client.ts";
import { systemClock } from "../../../src/drivers/system/system-clock.ts";
import { createFakeKubeApi } from "../../../src/sim/fakes/kube/api-server.ts";
import { seededRandom } from "../../../src/sim/time/seeded-random.ts";
import { callWebhookOverHttps } from "../../support/webhook-client.ts";
import type { KubeTarget } from "../kube-target.ts";
import { fakeTokens, fakeUsers } from "./fake-users.ts";

export const fakeInProcess: KubeTarget = {
  name: "the fake, in-process",
  async open() {
    const api = createFakeKubeApi({
      clock: systemClock,
      random: seededRandom(1),
      users: fakeUsers,
      callWebhook: callWebhookOverHttps,
    });
    const client = (token: string) => kubeClient({ transport: api.transport(token), clock: systemClock });
    return {
      transport: api.transport(fakeTokens.admin),
      admin: client(fakeTokens.admin),
      restricted: client(fakeTokens.controller),
      restrictedToken: fakeTokens.controller,
      stranger: client(fakeTokens.stranger),
      bearer: async (token) => client(token),
      close: async () => api.close(),
    };
  },
};
