// Runs inside one namespace and does there what tests ask for, a line of JSON for each question and each answer: it answers as an endpoint,
// connects as a client, and calls the agent. It ends with whoever started it.

import { createSocket } from "node:dgram";
import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

export type Asked =
  | { readonly do: "set"; readonly path: string; readonly text: string }
  | { readonly do: "serve"; readonly port: number; readonly name: string }
  /** Who answers: the name of an endpoint, `refused`, or `silent` after a while. */
  | { readonly do: "connect"; readonly to: To; readonly from?: string }
  | { readonly do: "ask"; readonly to: To; readonly from?: string; readonly fromPort?: number; readonly bytes?: number }
  /** A connection that stays. */
  | { readonly do: "open"; readonly id: string; readonly to: To }
  /** Waits until the same comes back. */
  | { readonly do: "say"; readonly id: string; readonly text: string }
  /** Ends every connection that is open. */
  | { readonly do: "close" }
  /** An endpoint speaks first, in every connection that it has. */
  | { readonly do: "push"; readonly text: string }
  /** Waits until an endpoint has said it. */
  | { readonly do: "hear"; readonly id: string; readonly text: string }
  /** Whom an endpoint has seen. */
  | { readonly do: "seen" }
  | {
      readonly do: "http";
      readonly method: string;
      readonly port: number;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    };

export interface To {
  readonly address: string;
  readonly port: number;
}

const silentAfterMs = 1_500;
/** A connection that has not answered by then is lost, however busy the machine is. */
const lostAfterMs = 120_000;
const open = new Map<string, { readonly socket: Socket; received: string; failure?: string }>();

async function answer(asked: Asked): Promise<unknown> {
  switch (asked.do) {
    case "set":
      return await writeFile(asked.path, asked.text);
    case "serve":
      return await serve(asked.port, asked.name);
    case "connect":
      return await connectOnce(asked.to, asked.from);
    case "ask":
      return await askOnce(asked);
    case "open":
      return await openConnection(asked.id, asked.to);
    case "say":
      return await say(asked.id, asked.text);
    case "close":
      for (const { socket } of open.values()) socket.destroy();
      return open.clear();
    case "push":
      for (const socket of served) socket.write(`${asked.text}\n`);
      return served.size;
    case "hear":
      return await hear(asked.id, asked.text);
    case "seen":
      return [...seen];
    case "http":
      return await call(asked);
  }
}

const served = new Set<Socket>();
const seen = new Set<string>();

/** Says its name to whoever comes, then everything that it hears. By UDP as many bytes as it was sent. */
async function serve(port: number, name: string): Promise<void> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    served.add(socket.on("close", () => served.delete(socket)));
    seen.add(withoutMapping(socket.remoteAddress ?? ""));
    socket.write(`${name}\n`);
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, "::", resolve));
  const udp = createSocket({ type: "udp6", ipv6Only: false });
  udp.on("message", (bytes, from) => {
    seen.add(withoutMapping(from.address));
    udp.send(name.padEnd(bytes.length), from.port, from.address);
  });
  await new Promise<void>((resolve) => udp.bind(port, "::", resolve));
}

function withoutMapping(address: string): string {
  return address.replace(/^::ffff:/, "");
}

function connectOnce({ address, port }: To, from: string | undefined): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, ...(from === undefined ? {} : { localAddress: from }) });
    const end = (what: string): void => {
      socket.destroy();
      resolve(what);
    };
    socket.setTimeout(silentAfterMs, () => end("silent"));
    socket.once("data", (bytes: Buffer) => end(bytes.toString().trim()));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code === "ECONNREFUSED" ? "refused" : "silent"));
  });
}

function askOnce(asked: Extract<Asked, { do: "ask" }>): Promise<string> {
  const { to, from, fromPort = 0, bytes: length = 0 } = asked;
  const { address, port } = to;
  return new Promise((resolve) => {
    const socket = createSocket(address.includes(":") ? "udp6" : "udp4");
    const end = (what: string): void => {
      clearTimeout(timer);
      socket.close();
      resolve(what);
    };
    const timer = setTimeout(() => end("silent"), silentAfterMs);
    socket.once("message", (bytes) => end(bytes.length < length ? "cut short" : bytes.toString().trim()));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code === "ECONNREFUSED" ? "refused" : "silent"));
    socket.bind({ port: fromPort, ...(from === undefined ? {} : { address: from }) }, () =>
      socket.connect(port, address, () => socket.send("hello".padEnd(length))),
    );
  });
}

/** Resolves with the endpoint's name. */
function openConnection(id: string, { address, port }: To): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port });
    const connection = { socket, received: "" };
    open.set(id, connection);
    let isOpen = false;
    const fail = (why: string): void => {
      if (why === "silent" && isOpen) return;
      Object.assign(connection, { failure: why });
      reject(new Error(`${id}: ${why}`));
    };
    setTimeout(() => fail("silent"), lostAfterMs).unref();
    socket.on("error", (error) => fail(error.message));
    socket.on("close", () => fail("closed"));
    socket.on("data", (bytes: Buffer) => {
      connection.received += bytes.toString();
      const [name, ...rest] = connection.received.split("\n");
      if (rest.length === 0) return;
      isOpen = true;
      resolve(name ?? "");
    });
  });
}

async function say(id: string, text: string): Promise<string> {
  const connection = open.get(id);
  if (connection === undefined) throw new Error(`${id} was never opened`);
  connection.socket.write(`${text}\n`);
  return await hear(id, text);
}

async function hear(id: string, text: string): Promise<string> {
  const connection = open.get(id);
  if (connection === undefined) throw new Error(`${id} was never opened`);
  const endMs = performance.now() + lostAfterMs;
  while (!connection.received.includes(`${text}\n`)) {
    if (connection.failure !== undefined) return connection.failure;
    if (performance.now() > endMs) return "silent";
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return "heard";
}

function call({ method, port, path, headers, body }: Extract<Asked, { do: "http" }>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, method, path, headers, timeout: lostAfterMs }, (response) => {
      let text = "";
      response.on("data", (bytes: Buffer) => {
        text += bytes.toString();
      });
      response.on("end", () => resolve({ status: response.statusCode, body: text }));
    });
    sent.on("error", reject);
    sent.on("timeout", () => sent.destroy(new Error("the agent does not answer")));
    sent.end(body);
  });
}

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, asked } = JSON.parse(line) as { readonly id: number; readonly asked: Asked };
    void answer(asked).then(
      (value) => process.stdout.write(`${JSON.stringify({ id, value })}\n`),
      (error: unknown) => process.stdout.write(`${JSON.stringify({ id, error: String(error) })}\n`),
    );
  })
  .on("close", () => process.exit());
