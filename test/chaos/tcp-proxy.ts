// A TCP proxy that misbehaves on request. It sees bytes only: TLS passes through it untouched.

import { createConnection, createServer, type Server, type Socket } from "node:net";

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
}

export interface TcpProxy {
  readonly port: number;
  /** Ends every connection politely (FIN). */
  fin(): void;
  /** Ends every connection rudely (RST). */
  rst(): void;
  /** Connections stay open, new ones are accepted, and not a byte comes through. */
  blackHole(on: boolean): void;
  /** The server's bytes come through, a few at a time. */
  dribble(on: boolean): void;
  /** New connections are refused and old ones reset. */
  refuse(): Promise<void>;
  listenAgain(): Promise<void>;
  close(): Promise<void>;
}

// Splits TLS records, HTTP chunks, lines and characters, and is still fast enough for a test.
const dribbleBytes = 61;
const dribbleEveryMs = 1;

export async function startTcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let holding = false;
  let dribbling = false;
  const server = createServer((client) => {
    const pair = { client, upstream: createConnection(target) };
    pairs.add(pair);
    relay(client, pair.upstream, () => holding);
    relay(
      pair.upstream,
      client,
      () => holding,
      () => dribbling,
    );
    const drop = (): void => {
      pairs.delete(pair);
      client.destroy();
      pair.upstream.destroy();
    };
    for (const socket of [client, pair.upstream]) socket.on("error", drop).on("close", drop);
  });
  await listen(server, 0);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const endAll = (end: (socket: Socket) => void): void => {
    for (const { client, upstream } of pairs) {
      end(client);
      upstream.destroy();
    }
  };
  const stopListening = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      endAll((socket) => socket.resetAndDestroy());
    });
  return {
    port,
    fin: () => endAll((socket) => socket.end()),
    rst: () => endAll((socket) => socket.resetAndDestroy()),
    blackHole: (on) => {
      holding = on;
      // What was swallowed is lost: those connections can only break.
      if (!on) endAll((socket) => socket.resetAndDestroy());
    },
    dribble: (on) => {
      dribbling = on;
    },
    refuse: stopListening,
    listenAgain: () => listen(server, port),
    close: async () => {
      if (server.listening) await stopListening();
    },
  };
}

function relay(from: Socket, to: Socket, holding: () => boolean, dribbling: () => boolean = () => false): void {
  let queue = Promise.resolve();
  from.on("data", (bytes: Buffer) => {
    if (holding()) return;
    queue = queue.then(() => (dribbling() ? writeSlowly(to, bytes) : write(to, bytes)));
  });
  from.on("end", () => {
    if (!holding()) void queue.then(() => to.end());
  });
}

async function writeSlowly(to: Socket, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; at += dribbleBytes) {
    write(to, bytes.subarray(at, at + dribbleBytes));
    await new Promise((resolve) => setTimeout(resolve, dribbleEveryMs));
  }
}

function write(to: Socket, bytes: Buffer): void {
  if (to.writable) to.write(bytes);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}
