// The informer and the driver against everything that happens to connections and servers, on the fake API server over HTTP and on
// a real one. After each fault: the cache equals the server, every deletion was delivered, nothing was invented.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { configMaps, namespaces } from "../../src/apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../src/apis/kube/kube-object.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { undiciTransport } from "../../src/drivers/kube/undici-transport.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { systemRandom } from "../../src/drivers/system/system-random.ts";
import { Informer } from "../../src/engine/informer/informer.ts";
import { listEverything } from "../../src/engine/round/list-everything.ts";
import { describeLab, labKube } from "../lab.ts";
import { quietLog } from "../support/quiet-log.ts";
import { Replica, stateOf } from "../support/replica.ts";
import { type ChaosServer, fakeChaosServer, realChaosServer } from "./chaos-server.ts";
import { type Fault, faults } from "./faults.ts";
import { faultyTransport } from "./faulty-transport.ts";
import { startTcpProxy } from "./tcp-proxy.ts";
import { configMap, startWriter, type Writer } from "./writer.ts";

const repeats = 20;

function chaosSuite(serverName: string, openServer: () => Promise<ChaosServer>): void {
  let server: ChaosServer;
  let runs = 0;
  beforeAll(async () => {
    server = await openServer();
  });
  afterAll(() => server?.close());

  async function newNamespace(): Promise<string> {
    runs += 1;
    const name = `chaos-${runs}`;
    await server.direct.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    return name;
  }

  for (const [index, fault] of faults.entries()) {
    for (const streaming of fault.relists === true ? [true, false] : [index % 2 === 0]) {
      test(`${fault.name} (${streaming ? "streaming" : "paged"} list)`, async () => {
        await survives(server, await newNamespace(), fault, streaming);
      });
    }
  }

  test.each(["fin", "rst"] as const)("is back soon after a %s", async (how) => {
    const namespace = await newNamespace();
    const { informer, proxy, replica, close } = await startVictim(server, namespace, true);
    const times: number[] = [];
    try {
      for (let i = 0; i < repeats; i += 1) {
        const name = `after-${how}-${i}`;
        const arrived = replica.next(({ object }) => object.metadata.name === name);
        const brokenMs = systemClock.monotonicMs();
        proxy[how]();
        await server.direct.create(configMaps, configMap(namespace, name));
        await arrived;
        times.push(systemClock.monotonicMs() - brokenMs);
      }
      expect(informer.relistCount).toBe(0);
    } finally {
      await close();
    }
    console.log(`recovery after ${how.toUpperCase()}, ${serverName}: ${describeTimes(times)}`);
  });
}

async function startVictim(server: ChaosServer, namespace: string, streaming: boolean) {
  const proxy = await startTcpProxy(server.address);
  const transport = faultyTransport(undiciTransport({ connection: server.connectionVia(proxy.port) }));
  const kube = kubeClient({ transport, clock: systemClock });
  const replica = new Replica();
  const log = quietLog();
  const informer = new Informer<KubeObject>({
    kube,
    clock: systemClock,
    random: systemRandom,
    log,
    kind: configMaps,
    selection: { namespace },
    streaming,
    pageSize: 5,
    // Silence is the one fault that is found by waiting: not for 75 seconds here.
    timings: {
      watchSilenceMs: 1_500,
      listSilenceMs: 1_500,
      callDeadlineMs: 1_500,
      backoff: { baseMs: 100, maxMs: 2_000 },
    },
  });
  informer.addHandler(replica.handler);
  informer.start();
  await waitFor("the first sync", () => informer.hasSynced());
  const close = async (): Promise<void> => {
    await informer.stop();
    await transport.close();
    await proxy.close();
  };
  return { proxy, transport, informer, replica, log, close };
}

async function survives(server: ChaosServer, namespace: string, fault: Fault, streaming: boolean): Promise<void> {
  const writer = startWriter(server.direct, namespace, 7);
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const { informer, proxy, transport, replica, log, close } = await startVictim(server, namespace, streaming);
  try {
    await wait(200);
    await fault.inflict({ server, proxy, transport, wait });
    await wait(100);
    // On a busy machine few writes fit into that time.
    await waitFor("enough writes", () => writer.states.size > 20 && writer.deletedUids.size > 2);
    await writer.stop();
    await waitFor("the cache to equal the server", async () => {
      const wanted = await listEverything(server.direct, configMaps, { namespace });
      return same(wanted.map(stateOf), informer.list().map(stateOf));
    });
    expectTruth(replica, informer, writer);
    expect(informer.relistCount, "complete lists after the first").toBeGreaterThanOrEqual(
      fault.relists === true ? 1 : 0,
    );
    expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
  } finally {
    await writer.stop();
    await close();
  }
}

function expectTruth(replica: Replica, informer: Informer, writer: Writer): void {
  expect(replica.contradictions).toEqual([]);
  expect([...replica.objects.values()].map(stateOf).toSorted()).toEqual(informer.list().map(stateOf).toSorted());
  const seen = new Set([...replica.states].map((state) => state.split("@", 1)[0] ?? ""));
  const missed = [...writer.deletedUids].filter((uid) => seen.has(uid) && !replica.deletedUids.has(uid));
  expect(missed, "deletions that were not delivered").toEqual([]);
  const invented = [...replica.states].filter((state) => !writer.states.has(state));
  expect(invented, "states that never were").toEqual([]);
  expect(writer.states.size, "the writer wrote").toBeGreaterThan(20);
  expect(writer.deletedUids.size, "the writer deleted").toBeGreaterThan(2);
}

async function waitFor(what: string, holds: () => boolean | Promise<boolean>, timeoutMs = 300_000): Promise<void> {
  const endMs = systemClock.monotonicMs() + timeoutMs;
  while (!(await holds())) {
    if (systemClock.monotonicMs() > endMs) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted());
}

function describeTimes(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const seconds = (ms: number | undefined): string => `${((ms ?? Number.NaN) / 1_000).toFixed(3)} s`;
  const median = seconds(sorted[sorted.length >> 1]);
  return `median ${median}, ${seconds(sorted[0])} to ${seconds(sorted.at(-1))} over ${times.length} (goal: median under 0.5 s)`;
}

describe("chaos on the fake API server over HTTP", () => {
  chaosSuite("fake API server", fakeChaosServer);
});

describeLab("chaos on a real API server", labKube, (lab) => {
  chaosSuite("real API server", () => realChaosServer(lab));
});
