// Has the kernel forget connections after a change, and tries again what failed: until then a client that is no longer allowed goes on.

import type { Clock } from "../../../ports/clock.ts";
import type { Conntrack } from "../../../ports/conntrack.ts";
import type { Log } from "../../../ports/log.ts";
import type { Random } from "../../../ports/random.ts";
import { connectionsToForget, type ForgottenConnections } from "../core/apply/connections-to-forget.ts";
import type { GatewayDocument } from "../core/model/document.ts";
import { Retries } from "./retries.ts";

interface ForgetterParts {
  readonly conntrack: Conntrack;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export class Forgetter {
  readonly #conntrack: Conntrack;
  readonly #retries: Retries;
  /** By what they name, so that what fails for an hour does not pile up. */
  readonly #left = new Map<string, ForgottenConnections>();
  #problem: string | undefined;

  constructor({ conntrack, clock, random, log }: ForgetterParts) {
    this.#conntrack = conntrack;
    const tell = ({ cause }: { readonly cause: string }) =>
      log.warn("connections from before a change could not be cleared", { error: cause });
    this.#retries = new Retries({ clock, random, attempt: () => this.#try(), tell });
  }

  /** For people; undefined while nothing is left to forget. */
  get problem(): string | undefined {
    return this.#problem;
  }

  async forget(before: GatewayDocument, after: GatewayDocument): Promise<void> {
    for (const connections of connectionsToForget(before, after)) {
      const { address, protocol, port, endpoint } = connections;
      this.#left.set([address, protocol, port, endpoint?.address, endpoint?.port].join(" "), connections);
    }
    if (!(await this.#try())) this.#retries.need(this.#problem ?? "");
  }

  stop(): void {
    this.#retries.stop();
  }

  async #try(): Promise<boolean> {
    const tried = [...this.#left];
    try {
      if (tried.length > 0) await this.#conntrack.forget(tried.map(([, connections]) => connections));
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      this.#problem = `connections from before a change could not be cleared: ${words}`;
      return false;
    }
    for (const [key, connections] of tried) if (this.#left.get(key) === connections) this.#left.delete(key);
    this.#problem = undefined;
    return true;
  }
}
