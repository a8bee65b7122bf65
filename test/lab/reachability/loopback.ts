// Where the addresses of a cloud are played on this machine: each has a loopback address of its own, and all use one port that nobody
// else has, so that two worlds with the same addresses never meet.

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

export interface Loopback {
  readonly port: number;
  release(): Promise<void>;
}

/** 203.0.113.7 → 127.0.113.7. */
export function loopbackOf(address: string): string {
  return address.replace(/^\d+\./, "127.");
}

/** Holds the port on 127.0.0.1, where no address is played, as long as the world lasts. */
export async function holdPort(): Promise<Loopback> {
  const server = createServer((socket) => void socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async release() {
      server.close();
      await once(server, "close");
    },
  };
}
