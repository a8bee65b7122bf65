// The dashboard of a real controller process's parts: enabled by configuration, closed to everybody without a token.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startController } from "../../src/bin/controller.ts";
import { listenForKube } from "../../src/bin/fake-kube-listener.ts";
import { readConfiguration } from "../../src/cli/configuration/configuration.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { allJobs } from "../../src/jobs/all.ts";
import { routes } from "../../src/server/contract.ts";
import { adminToken, createFakeKubeApi } from "../../src/sim/fakes/kube/api-server.ts";
import { seededRandom } from "../../src/sim/time/seeded-random.ts";

const kubeconfig = (server: string) =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "fake", cluster: { server } }],
    users: [{ name: "user", user: {} }],
    contexts: [{ name: "fake", context: { cluster: "fake", user: "user" } }],
    "current-context": "fake",
  });

test("a controller serves its dashboard when asked to, and to nobody without a token", async () => {
  const api = createFakeKubeApi({ clock: systemClock, random: seededRandom(5) });
  const authorization = `Bearer ${adminToken}`;
  const listener = await listenForKube({
    handle: (request, options) => api.handle({ ...request, headers: { authorization, ...request.headers } }, options),
  });
  const folder = await mkdtemp(join(tmpdir(), "mainstay-dashboard-"));
  await writeFile(join(folder, "kubeconfig"), kubeconfig(listener.url));
  const text = `kubeconfig: ${join(folder, "kubeconfig")}\nleaderElection: {enabled: false}\nhealth: {port: 0}\nlog: {level: error}\n`;
  const start = (more: string) =>
    startController(readConfiguration({ text: `${text}${more}`, jobs: allJobs }).configuration, "1.2.3");
  const plain = await start("");
  expect(plain.dashboardAddress).toBeUndefined();
  await plain.stop();
  const controller = await start("dashboard: {enabled: true, port: 0}\n");
  const address = controller.dashboardAddress ?? "";
  expect(new URL(address).hostname).toBe("127.0.0.1");
  expect((await fetch(`${address}${routes.objects}`)).status).toBe(401);
  const answer = await fetch(`${address}${routes.session}`, { headers: { authorization } });
  expect(await answer.json()).toEqual({ tokenNeeded: true, user: "admin", demo: false, version: "1.2.3" });
  expect(await (await fetch(`${address}${routes.faults}`, { headers: { authorization } })).json()).toEqual({
    enabled: false,
    faults: [],
  });
  await controller.stop();
  await expect(fetch(`${address}${routes.session}`)).rejects.toThrow("fetch failed");
  await listener.close();
  api.close();
  await rm(folder, { recursive: true });
});
