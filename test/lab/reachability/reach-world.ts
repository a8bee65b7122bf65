// A cluster with everything between its clients and its machines: name server, forwarders at the balancers' addresses, machines that
// answer; and the records, published as `mainstay dns records` prints them.

import { randomBytes } from "node:crypto";
import { Client, type Outcome } from "./client.ts";
import type { CloudTarget, Zone } from "./cloud-target.ts";
import { Forwarders, type ServedBalancer } from "./forwarders.ts";
import { Listeners } from "./listeners.ts";
import { holdPort, type Loopback, loopbackOf } from "./loopback.ts";
import type { NameServer } from "./name-server.ts";

/** As the records say. */
const ttlMs = 30_000;
const enough = 20;

export interface Outcomes {
  /** Asks the name server each time. */
  readonly fresh: Outcome;
  /** Believes an answer as long as the records allow. */
  readonly caching: Outcome;
  /** Asks for the name whose records stopped following. */
  readonly stale: Outcome;
}

export class ReachWorld {
  readonly target: CloudTarget;
  readonly host: string;
  readonly #staleHost: string;
  readonly #nameServer: NameServer;
  readonly #loopback: Loopback;
  readonly #machines: Listeners;
  readonly #forwarders: Forwarders;
  readonly #clients: Readonly<Record<keyof Outcomes, Client>>;
  readonly #addressOf = new Map<string, string>();
  /** What the data plane goes by. */
  #balancers: readonly ServedBalancer[] = [];
  #published: readonly string[] = [];
  #frozen = false;

  static async open(target: CloudTarget, nameServer: NameServer, zone: string): Promise<ReachWorld> {
    return new ReachWorld(target, nameServer, zone, await holdPort());
  }

  private constructor(target: CloudTarget, nameServer: NameServer, zone: string, loopback: Loopback) {
    const id = randomBytes(4).toString("hex");
    this.target = target;
    this.host = `api.${id}.${zone}`;
    this.#staleHost = `stale.${id}.${zone}`;
    this.#nameServer = nameServer;
    this.#loopback = loopback;
    const { port } = loopback;
    this.#machines = new Listeners(port, (address, socket) => void socket.end(`served by ${address}\n`));
    this.#forwarders = new Forwarders(port);
    const client = (name: string, believesMs: number) =>
      new Client({ name, nameServer, port, believesMs, nowMs: () => target.nowMs() });
    this.#clients = {
      fresh: client(this.host, 0),
      caching: client(this.host, ttlMs),
      stale: client(this.#staleHost, 0),
    };
  }

  /** A cluster with one balancer that is reachable by its name; from here on nothing stands still. */
  async begin(): Promise<void> {
    await this.#answers("cp-1", await this.target.buildLegacyCluster(this.host));
    this.target.begin({
      follow: async () => {
        this.#balancers = await this.target.balancers();
        await this.#forwarders.follow(this.#balancers);
      },
      publish: async () => await this.#publish(),
      attempt: async () => {
        if (this.#published.length === 0) return;
        for (const client of Object.values(this.#clients)) await client.attempt();
      },
    });
    await this.target.until("the cluster to be reachable", async () => {
      const { attempts, failures } = this.#clients.fresh.outcome;
      this.#clients.fresh.begin();
      return attempts > 0 && failures.length === 0;
    });
  }

  async close(): Promise<void> {
    await this.target.close();
    await this.#forwarders.close();
    await this.#machines.closeAll();
    await this.#loopback.release();
    for (const name of [this.host, this.#staleHost]) await this.#nameServer.replace(name, []);
  }

  /** What clients met while this happened, and for a good while after. */
  async during(happens: () => Promise<void>): Promise<Outcomes> {
    const clients = Object.values(this.#clients);
    for (const client of clients) client.begin();
    await happens();
    const goal = clients.map(({ outcome }) => outcome.attempts + enough);
    await this.target.until("more attempts", async () =>
      clients.every(({ outcome }, index) => outcome.attempts >= (goal[index] ?? 0)),
    );
    const { fresh, caching, stale } = this.#clients;
    return { fresh: fresh.outcome, caching: caching.outcome, stale: stale.outcome };
  }

  /** Records of the second name stay from now on as they are. */
  freeze(): void {
    this.#frozen = true;
  }

  async addMachine(name: string, zone: Zone): Promise<void> {
    await this.#answers(name, await this.target.addMachine(name, zone));
  }

  async machineIsGone(name: string): Promise<void> {
    await this.#machines.close(this.addressOf(name));
    await this.target.machineIsGone(name);
  }

  /** It answers nobody any more, and the health checks of its balancers fail; or all is well again. */
  async setMachineDown(name: string, isDown: boolean): Promise<void> {
    const address = this.addressOf(name);
    await (isDown ? this.#machines.close(address) : this.#machines.open(address));
    await this.target.setMemberDown(address, isDown);
  }

  addressOf(machine: string): string {
    const address = this.#addressOf.get(machine);
    if (address === undefined) throw new Error(`there is no machine ${machine}`);
    return address;
  }

  async pass(seconds: number): Promise<void> {
    const end = this.target.nowMs() + seconds * 1_000;
    await this.target.until(`${seconds} s to pass`, async () => this.target.nowMs() >= end);
  }

  /** Until exactly these machines serve behind these balancers: by zone, or `single`. Asks `also` each time. */
  async untilServed(
    wanted: Readonly<Record<string, readonly string[]>>,
    also: () => Promise<void> = async () => {},
  ): Promise<void> {
    const what = JSON.stringify(wanted);
    const goal = placed(
      Object.entries(wanted).map(([zone, names]) => [zone, names.map((name) => this.addressOf(name))]),
    );
    await this.target.until(`healthy members ${what}`, async () => {
      await also();
      return placed(this.#balancers.map(({ name, members }) => [zoneOf(name), members])) === goal;
    });
  }

  /** Until the name leads to so many balancers. */
  async untilPublished(count: number, also: () => Promise<void> = async () => {}): Promise<void> {
    await this.target.until(`${count} records`, async () => {
      await also();
      return this.#published.length === count;
    });
  }

  /** Until no cache has an answer from before the records were what they are. */
  async untilEverybodyKnows(): Promise<void> {
    await this.target.until("caches to follow", async () => {
      const published = this.#published.map((line) => loopbackOf(line.split("\t").at(-1) ?? "")).toSorted();
      return String(this.#clients.caching.believes) === String(published);
    });
  }

  /** Until nobody takes connections at its address. */
  async untilBroken(zone: Zone): Promise<void> {
    await this.target.until(`the balancer of ${zone} to break`, async () => {
      return this.#balancers.find(({ name }) => zoneOf(name) === zone)?.listens !== true;
    });
  }

  async #answers(name: string, address: string): Promise<void> {
    this.#addressOf.set(name, address);
    await this.#machines.open(address);
  }

  async #publish(): Promise<void> {
    const lines = (await this.target.records())?.split("\n").filter((line) => /^\S+\.\t.*\tA\t/.test(line));
    if (lines === undefined || String(lines) === String(this.#published)) return;
    const here = lines.map((line) => line.replace(/[\d.]+$/, loopbackOf));
    await this.#nameServer.replace(this.host, here);
    if (!this.#frozen)
      await this.#nameServer.replace(
        this.#staleHost,
        here.map((line) => line.replace(this.host, this.#staleHost)),
      );
    this.#published = lines;
  }
}

function zoneOf(balancer: string): string {
  return /-(az\d)-kubeapi$/.exec(balancer)?.[1] ?? "single";
}

function placed(entries: readonly (readonly [string, readonly string[]])[]): string {
  return JSON.stringify(
    entries.map(([zone, members]) => [zone, members.toSorted()] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
