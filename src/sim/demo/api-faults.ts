// Trouble between the managers and the API server: it is away, calls are slow, calls fail before or after their effect, watches lag.
// One instance stands in the way of every transport that it wraps.

import type { Clock } from "../../ports/clock.ts";
import type { KubeHttpResponse, KubeTransport } from "../../ports/kube-transport.ts";
import type { Random } from "../../ports/random.ts";
import type { FaultDefinition } from "./fault-registry.ts";

interface Trouble {
  readonly away: (() => void) | undefined;
  readonly slowMs: number;
  readonly watchDelayMs: number;
  readonly failing: { readonly share: number; readonly count: () => void } | undefined;
}

const none: Trouble = { away: undefined, slowMs: 0, watchDelayMs: 0, failing: undefined };

export class ApiFaults {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #cut = new Set<() => void>();
  #now: Trouble = none;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  through(inner: KubeTransport): KubeTransport {
    return {
      send: async (request, options = {}) => {
        const { longLived = false } = options;
        this.#refuseWhenAway();
        if (!longLived && this.#now.slowMs > 0) await this.#pause(this.#now.slowMs);
        this.#refuseWhenAway();
        const fails = !longLived && this.#now.failing !== undefined && this.#random.next() < this.#now.failing.share;
        if (fails) this.#now.failing?.count();
        if (fails && this.#random.next() < 0.5)
          throw lost("ECONNREFUSED", "the call was turned away by the demonstration");
        const answer = await inner.send(request, options);
        if (fails) throw lost("ETIMEDOUT", "the answer was lost by the demonstration");
        this.#refuseWhenAway();
        return { ...answer, body: longLived ? this.#watched(answer) : answer.body };
      },
      close: () => inner.close(),
    };
  }

  /** For everybody else's calls: they meet a server that is away, and no other trouble. */
  forPeople(inner: KubeTransport): KubeTransport {
    return {
      send: async (request, options) => {
        this.#refuseWhenAway();
        const answer = await inner.send(request, options);
        return isWatch(request.path) ? { ...answer, body: this.#watched(answer, 0) } : answer;
      },
      close: () => inner.close(),
    };
  }

  definitions(): readonly FaultDefinition[] {
    return [this.#serverAway(), this.#watchDelayed(), this.#slowCalls(), this.#failingCalls()];
  }

  #serverAway(): FaultDefinition {
    return {
      id: "api-server-away",
      title: "API server away",
      description: "Nobody reaches the API server: calls fail and watches break, kubectl's included.",
      watch:
        "The leader cannot renew its lease and steps down by itself; when the server is back, one of the two leads again.",
      defaultSeconds: 20,
      begin: (_parameters, say) => {
        const count = counter(say, "calls found no server");
        this.#now = { ...this.#now, away: count };
        for (const cut of this.#cut) cut();
        return () => {
          this.#now = { ...this.#now, away: undefined };
        };
      },
    };
  }

  #watchDelayed(): FaultDefinition {
    return {
      id: "watch-delayed",
      title: "Watch delayed",
      description: "News of changes reaches the managers late; their calls are answered as ever.",
      watch: "Change something with kubectl: the controllers act on it later, and never twice on an old picture.",
      defaultSeconds: 60,
      parameters: [{ name: "delay", title: "delay", unit: "s", default: 10, min: 1, max: 60 }],
      begin: ({ delay = 10 }, say) => {
        this.#now = { ...this.#now, watchDelayMs: delay * 1_000 };
        say(`news comes ${delay} s late`);
        return () => {
          this.#now = { ...this.#now, watchDelayMs: 0 };
        };
      },
    };
  }

  #slowCalls(): FaultDefinition {
    return {
      id: "slow-calls",
      title: "Slow calls",
      description: "Every call of the managers to the API server takes longer.",
      watch: "Rounds take their time. A renewal that takes too long costs the lease.",
      defaultSeconds: 60,
      parameters: [{ name: "delay", title: "delay", unit: "s", default: 1, min: 0.1, max: 10 }],
      begin: ({ delay = 1 }, say) => {
        this.#now = { ...this.#now, slowMs: delay * 1_000 };
        say(`each call takes ${delay} s longer`);
        return () => {
          this.#now = { ...this.#now, slowMs: 0 };
        };
      },
    };
  }

  #failingCalls(): FaultDefinition {
    return {
      id: "failing-calls",
      title: "Failing calls",
      description: "Some calls fail: half of them before their effect, half of them after it, with the answer lost.",
      watch: "Failures in the plan log, retries that back off, and nothing made twice.",
      defaultSeconds: 60,
      parameters: [{ name: "percent", title: "calls that fail", unit: "%", default: 30, min: 1, max: 100 }],
      begin: ({ percent = 30 }, say) => {
        this.#now = { ...this.#now, failing: { share: percent / 100, count: counter(say, "calls failed") } };
        return () => {
          this.#now = { ...this.#now, failing: undefined };
        };
      },
    };
  }

  /** A watch breaks when the server goes away, and lags while it is delayed. */
  async *#watched({ body }: KubeHttpResponse, delayMs?: number): AsyncGenerator<Uint8Array> {
    const source = body[Symbol.asyncIterator]();
    let cut = (): void => {};
    const broken = new Promise<"broken">((resolve) => {
      cut = () => resolve("broken");
    });
    this.#cut.add(cut);
    try {
      while (true) {
        const next = await Promise.race([source.next(), broken]);
        if (next === "broken") throw lost("ECONNRESET", "the API server is away");
        if (next.done === true) return;
        const lateMs = delayMs ?? this.#now.watchDelayMs;
        if (lateMs > 0) await this.#pause(lateMs);
        yield next.value;
      }
    } finally {
      this.#cut.delete(cut);
      void source.return?.();
    }
  }

  #refuseWhenAway(): void {
    if (this.#now.away === undefined) return;
    this.#now.away();
    throw lost("ECONNREFUSED", "the API server is away");
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.after(ms, resolve));
  }
}

function isWatch(path: string): boolean {
  return /[?&]watch=(1|true)\b/.test(path);
}

/** As Node reports a connection that failed. */
export function lost(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function counter(say: (words: string) => void, what: string): () => void {
  let count = 0;
  return () => {
    count += 1;
    say(`${count} ${what}`);
  };
}
