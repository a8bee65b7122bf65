// What the socket in front of the fake adds to its promises: clients that hang up, and clients that read slowly.

import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.ts";
import { adminToken, createFakeKubeApi } from "../sim/fakes/kube/api-server.ts";
import { seededRandom } from "../sim/time/seeded-random.ts";
import { type KubeHandler, listenForKube } from "./fake-kube-listener.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function open(handler: KubeHandler, path: string): Promise<IncomingMessage> {
  const listener = await listenForKube(handler);
  closers.push(() => listener.close());
  const request = get(`${listener.url}${path}`, { headers: { authorization: `Bearer ${adminToken}` }, agent: false });
  const [response] = await once(request, "response");
  return response;
}

it("lets go of a watch when its client hangs up, also one that never read a word", async () => {
  const clock = new VirtualClock();
  const api = createFakeKubeApi({ clock, random: seededRandom(1) });
  const before = clock.pendingTimers;
  const watch = await open(api, "/api/v1/configmaps?watch=1&allowWatchBookmarks=1");
  expect([watch.statusCode, clock.pendingTimers > before]).toEqual([200, true]);
  watch.destroy();
  await expect.poll(() => clock.pendingTimers).toBe(before);
});

it("waits for a slow reader without piling up listeners, and loses nothing", async () => {
  const chunk = new Uint8Array(256 * 1024);
  const chunks = 40;
  const handler: KubeHandler = {
    handle: async () => ({
      status: 200,
      headers: {},
      body: (async function* () {
        for (let i = 0; i < chunks; i += 1) yield chunk;
      })(),
    }),
  };
  const warnings: string[] = [];
  const note = (warning: Error): void => void warnings.push(warning.name);
  process.on("warning", note);
  const response = await open(handler, "/");
  let bytes = 0;
  for await (const part of response) {
    bytes += (part as Buffer).length;
    if (bytes % 5 === 0) await sleep(1);
  }
  process.off("warning", note);
  expect([bytes, warnings]).toEqual([chunk.length * chunks, []]);
});
