// A client of the cluster's API: resolves the name, tries every address of the answer, and counts. An attempt has failed only when
// nobody served it at any of them.

import { connect } from "node:net";
import type { NameServer } from "./name-server.ts";

const patienceMs = 10_000;

export interface Outcome {
  readonly attempts: number;
  /** Attempts that nobody served: the answer, and what happened at each address. */
  readonly failures: readonly string[];
  /** Addresses that were in an answer and did not serve. */
  readonly silent: readonly string[];
}

export interface ClientOptions {
  readonly name: string;
  readonly nameServer: NameServer;
  readonly port: number;
  /** How long it believes an answer; 0: it asks each time. */
  readonly believesMs: number;
  readonly nowMs: () => number;
}

export class Client {
  readonly #options: ClientOptions;
  #answer: { readonly addresses: readonly string[]; readonly atMs: number } | undefined;
  #attempts = 0;
  #failures: string[] = [];
  #silent = new Set<string>();

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  get outcome(): Outcome {
    return { attempts: this.#attempts, failures: this.#failures, silent: [...this.#silent].toSorted() };
  }

  /** The answer that it goes by. */
  get believes(): readonly string[] {
    return this.#answer?.addresses.toSorted() ?? [];
  }

  /** Counts from here on. */
  begin(): void {
    this.#attempts = 0;
    this.#failures = [];
    this.#silent = new Set();
  }

  async attempt(): Promise<void> {
    const tried: string[] = [];
    let served = false;
    try {
      for (const address of await this.#resolve()) {
        const trouble = await serves(address, this.#options.port);
        if (trouble === undefined) served = true;
        else tried.push(`${address} ${trouble}`);
        if (trouble !== undefined) this.#silent.add(address);
      }
    } catch (error) {
      tried.push(String(error));
    }
    this.#attempts += 1;
    if (!served) this.#failures.push(`attempt ${this.#attempts}: ${tried.join(", ")}`);
  }

  async #resolve(): Promise<readonly string[]> {
    const { name, nameServer, believesMs, nowMs } = this.#options;
    if (this.#answer === undefined || nowMs() - this.#answer.atMs >= believesMs)
      this.#answer = { addresses: await nameServer.resolve(name), atMs: nowMs() };
    return this.#answer.addresses;
  }
}

/** Undefined when somebody answered there. */
function serves(address: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, address);
    let said = "";
    socket.setTimeout(patienceMs, () => end("does not answer"));
    socket.on("data", (chunk) => (said += chunk.toString()));
    socket.on("error", (error) => end(error.message));
    socket.on("close", () => end(said.startsWith("served by ") ? undefined : "closed the connection"));
    const end = (trouble: string | undefined) => {
      socket.destroy();
      resolve(trouble);
    };
  });
}
