// What an amphora does, at the public address of each balancer, following what Octavia says of it: connections go to members that are
// healthy, in turn. A listener without one takes the connection and ends it; a balancer that is broken, being made or going refuses.

import { connect, type Socket } from "node:net";
import { Listeners } from "./listeners.ts";
import { loopbackOf } from "./loopback.ts";

export interface ServedBalancer {
  readonly name: string;
  /** Where clients find it: its floating IP. */
  readonly address: string;
  /** It runs, and has a listener on the API's port. */
  readonly listens: boolean;
  /** Addresses of the healthy members behind that port. */
  readonly members: readonly string[];
}

export class Forwarders {
  readonly #port: number;
  readonly #listeners: Listeners;
  readonly #members = new Map<string, readonly string[]>();
  #turn = 0;

  constructor(port: number) {
    this.#port = port;
    this.#listeners = new Listeners(port, (address, socket) => this.#forward(address, socket));
  }

  async follow(balancers: readonly ServedBalancer[]): Promise<void> {
    const serving = balancers.filter(({ listens }) => listens);
    for (const { address, members } of serving) this.#members.set(address, members);
    const wanted = new Set(serving.map(({ address }) => address));
    for (const address of this.#listeners.addresses) if (!wanted.has(address)) await this.#listeners.close(address);
    for (const address of wanted) await this.#listeners.open(address);
  }

  async close(): Promise<void> {
    await this.#listeners.closeAll();
  }

  #forward(address: string, client: Socket): void {
    const members = this.#members.get(address) ?? [];
    this.#turn += 1;
    const member = members[this.#turn % members.length];
    if (member === undefined) {
      client.destroy();
      return;
    }
    const backend = connect(this.#port, loopbackOf(member));
    backend.on("error", () => client.destroy());
    client.on("close", () => backend.destroy());
    backend.pipe(client).pipe(backend);
  }
}
