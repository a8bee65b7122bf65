// Everything that is done to an informer and its connection while somebody writes. Each fault ends healed.

import type { ChaosServer } from "./chaos-server.ts";
import type { FaultyTransport } from "./faulty-transport.ts";
import type { TcpProxy } from "./tcp-proxy.ts";

export interface Victim {
  readonly server: ChaosServer;
  readonly proxy: TcpProxy;
  readonly transport: FaultyTransport;
  /** Lets the writer write on for a while. */
  readonly wait: (ms: number) => Promise<void>;
}

export interface Fault {
  readonly name: string;
  readonly inflict: (victim: Victim) => Promise<void>;
  /** The informer cannot resume after it. */
  readonly relists?: boolean;
}

export const faults: readonly Fault[] = [
  {
    name: "connections closed (FIN), again and again",
    inflict: async ({ proxy, wait }) => {
      for (let i = 0; i < 4; i += 1) {
        proxy.fin();
        await wait(200);
      }
    },
  },
  {
    name: "connections reset (RST), again and again",
    inflict: async ({ proxy, wait }) => {
      for (let i = 0; i < 4; i += 1) {
        proxy.rst();
        await wait(200);
      }
    },
  },
  {
    name: "a black hole: open connections, not a byte",
    inflict: async ({ proxy, wait }) => {
      proxy.blackHole(true);
      await wait(2_500);
      proxy.blackHole(false);
    },
  },
  {
    name: "refused connections",
    inflict: async ({ proxy, wait }) => {
      await proxy.refuse();
      await wait(1_000);
      await proxy.listenAgain();
    },
  },
  {
    name: "slow bytes, a few at a time",
    inflict: async ({ proxy, wait }) => {
      proxy.dribble(true);
      proxy.fin();
      await wait(1_500);
      proxy.dribble(false);
    },
  },
  { name: "429 with Retry-After", inflict: (victim) => injected(victim, { status: 429, retryAfterSeconds: 1 }) },
  { name: "500 to everything", inflict: (victim) => injected(victim, { status: 500 }) },
  { name: "an error of 500 within the stream", inflict: (victim) => injected(victim, { status: 200, errorCode: 500 }) },
  {
    name: "410: history gone while away",
    relists: true,
    inflict: async ({ server, proxy, wait }) => {
      await proxy.refuse();
      await wait(500);
      await server.expireHistory();
      await proxy.listenAgain();
    },
  },
  {
    name: "a restart of the server",
    inflict: async ({ server, wait }) => {
      await server.restart();
      await wait(300);
    },
  },
];

/** Open watches do not notice what happens to new requests, so they are cut first. */
async function injected(
  { transport, proxy, wait }: Victim,
  fault: Parameters<FaultyTransport["inject"]>[0],
): Promise<void> {
  transport.inject(fault);
  proxy.fin();
  await wait(1_500);
  if (transport.injected === 0) throw new Error("nothing met the injected fault");
  transport.inject(undefined);
}
