// TCP listeners by address of the cloud, opened and closed one by one; closing one cuts its connections, as the end of a machine does.

import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { loopbackOf } from "./loopback.ts";

interface Open {
  readonly server: Server;
  readonly sockets: Set<Socket>;
}

export class Listeners {
  readonly #port: number;
  readonly #serve: (address: string, socket: Socket) => void;
  readonly #open = new Map<string, Open>();

  constructor(port: number, serve: (address: string, socket: Socket) => void) {
    this.#port = port;
    this.#serve = serve;
  }

  get addresses(): readonly string[] {
    return [...this.#open.keys()];
  }

  async open(address: string): Promise<void> {
    if (this.#open.has(address)) return;
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
      this.#serve(address, socket);
    });
    this.#open.set(address, { server, sockets });
    server.listen(this.#port, loopbackOf(address));
    await once(server, "listening");
  }

  async close(address: string): Promise<void> {
    const open = this.#open.get(address);
    if (open === undefined) return;
    this.#open.delete(address);
    const closed = once(open.server, "close");
    open.server.close();
    for (const socket of open.sockets) socket.destroy();
    await closed;
  }

  async closeAll(): Promise<void> {
    for (const address of this.addresses) await this.close(address);
  }
}
