// A real kubectl does its everyday work against the fake API server, and the same script passes on the real one.

import { afterAll, beforeAll, describe } from "vitest";
import { listenForKube } from "../../src/bin/fake-kube-listener.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { createFakeKubeApi } from "../../src/sim/fakes/kube/api-server.ts";
import { seededRandom } from "../../src/sim/time/seeded-random.ts";
import { selfSigned } from "../contract/kube/self-signed.ts";
import { fakeTokens, fakeUsers } from "../contract/targets/fake-users.ts";
import { describeLab, type KubeLab, labKube } from "../lab.ts";
import { callWebhookOverHttps } from "../support/webhook-client.ts";
import { deletingScript } from "./deleting.ts";
import { type KubectlSession, type KubectlTarget, openSession } from "./kubectl-session.ts";
import { ownEventsScript } from "./own-events.ts";
import { readingScript } from "./reading.ts";
import { writingScript } from "./writing.ts";

describeLab("kubectl on the fake API server", labKube, (lab) => kubectlScript(fakeTarget(lab)));
describeLab("kubectl on the real API server", labKube, (lab) => kubectlScript(realTarget(lab)));

function kubectlScript(target: KubectlTarget): void {
  let session: KubectlSession | undefined;
  beforeAll(async () => {
    session = await openSession(target);
  });
  afterAll(() => session?.close());
  const get = (): KubectlSession => {
    if (session === undefined) throw new Error("the session is not open yet");
    return session;
  };
  describe("looking", () => readingScript(get));
  describe("changing", () => writingScript(get));
  describe("Mainstay's own", () => ownEventsScript(get));
  describe("removing", () => deletingScript(get));
}

function realTarget({ kubectl: binary, server, ca, tokens }: KubeLab): KubectlTarget {
  const access = (token: string) => ({ server, ca, token });
  return {
    binary,
    open: async () => ({ admin: access(tokens.admin), controller: access(tokens.controller), close: async () => {} }),
  };
}

function fakeTarget({ kubectl: binary }: KubeLab): KubectlTarget {
  return {
    binary,
    open: async () => {
      const api = createFakeKubeApi({
        clock: systemClock,
        random: seededRandom(7),
        users: fakeUsers,
        callWebhook: callWebhookOverHttps,
      });
      const { certificate, key } = selfSigned();
      const listener = await listenForKube(api, { tls: { cert: certificate, key } });
      const access = (token: string) => ({ server: listener.url, ca: certificate, token });
      return {
        admin: access(fakeTokens.admin),
        controller: access(fakeTokens.controller),
        close: async () => {
          api.close();
          await listener.close();
        },
      };
    },
  };
}
