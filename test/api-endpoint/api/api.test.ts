// The API of the api-endpoint job on the fake API server, with our webhooks in the same process; test/lab/openstack-api.test.ts runs
// the same on the real one.

import { afterAll, beforeAll, describe } from "vitest";
import { kubeClient } from "../../../src/drivers/kube/client.ts";
import { systemClock } from "../../../src/drivers/system/system-clock.ts";
import { allJobs } from "../../../src/jobs/all.ts";
import { webhookAnswers } from "../../../src/server/webhooks/webhook-server.ts";
import { inProcessWebhooks } from "../../../src/sim/fakes/kube/admission/in-process-webhooks.ts";
import { createFakeKubeApi, type FakeKubeApi } from "../../../src/sim/fakes/kube/api-server.ts";
import { seededRandom } from "../../../src/sim/time/seeded-random.ts";
import { fakeTokens, fakeUsers } from "../../contract/targets/fake-users.ts";
import { apiContract } from "./api.contract.ts";
import type { ApiTarget } from "./api-world.ts";

describe("the OpenStack API on the fake API server", () => {
  let api: FakeKubeApi;
  let target: ApiTarget;
  beforeAll(() => {
    const callWebhook = inProcessWebhooks(webhookAnswers(allJobs));
    api = createFakeKubeApi({ clock: systemClock, random: seededRandom(5), users: fakeUsers, callWebhook });
    const client = (token: string) => kubeClient({ transport: api.transport(token), clock: systemClock });
    const session = {
      transport: api.transport(fakeTokens.admin),
      admin: client(fakeTokens.admin),
      restricted: client(fakeTokens.controller),
      restrictedToken: fakeTokens.controller,
      stranger: client(fakeTokens.stranger),
      bearer: async (token: string) => client(token),
      close: async () => api.close(),
    };
    target = { session, clientConfigAt: (path) => ({ url: `https://webhook.mainstay.test${path}` }) };
  });
  afterAll(() => api.close());
  apiContract(() => target);
});
