// The API of the api-endpoint job on a real API server of its own, which calls our webhooks over HTTPS on loopback.

import { afterAll, beforeAll } from "vitest";
import { allJobs } from "../../src/jobs/all.ts";
import { startWebhookServer, type WebhookServer } from "../../src/server/webhooks/webhook-server.ts";
import { apiContract } from "../api-endpoint/api/api.contract.ts";
import { selfSigned } from "../contract/kube/self-signed.ts";
import { describeLab, labKube } from "../lab.ts";
import { quietLog } from "../support/quiet-log.ts";
import { privateSession } from "./private-session.ts";

describeLab("the OpenStack API on the real API server", labKube, (lab) => {
  const get = privateSession(lab);
  const { certificate, key } = selfSigned();
  let server: WebhookServer;
  beforeAll(async () => {
    server = await startWebhookServer({
      tls: { key, cert: certificate },
      bind: "127.0.0.1",
      port: 0,
      log: quietLog(),
      jobs: allJobs,
    });
  });
  afterAll(() => server?.close());
  const caBundle = Buffer.from(certificate).toString("base64");
  apiContract(() => ({
    session: get().session,
    clientConfigAt: (path) => ({ url: `${server.address}${path}`, caBundle }),
  }));
});
