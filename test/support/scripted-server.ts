// A server for tests of the live connection: it checks the token, streams what the test says, and notes from where each
// stream was resumed. Time is the test's.

import type { BrowserPorts } from "../../src/dashboard/live/browser-ports.ts";
import { type Session, type StreamMessage, streamText } from "../../src/server/contract.ts";
import { VirtualClock } from "./virtual-clock.ts";

interface OpenStream {
  readonly resumedFrom: string | null;
  readonly url: string;
  send(...messages: readonly StreamMessage[]): void;
  sendText(text: string): void;
  end(): void;
  cut(): void;
}

export class ScriptedServer {
  readonly clock = new VirtualClock({ settle: settleStreams });
  readonly streams: OpenStream[] = [];
  /** Everything a log between browser and server could hold. */
  readonly addresses: string[] = [];
  reachable = true;
  /** Accepts connections and never says a word. */
  hung = false;
  token: string | undefined;

  readonly ports: BrowserPorts = {
    fetch: (url, init) => this.#answer(url, init),
    nowMs: () => this.clock.nowMs(),
    after: (ms, run) => {
      const timer = this.clock.after(ms, run);
      return () => timer.cancel();
    },
  };

  get latest(): OpenStream {
    const stream = this.streams.at(-1);
    if (stream === undefined) throw new Error("no stream was opened");
    return stream;
  }

  async #answer(url: string, init: RequestInit): Promise<Response> {
    this.addresses.push(url);
    if (!this.reachable) throw new TypeError("fetch failed");
    if (this.hung) return aborted(init);
    const headers = new Headers(init.headers);
    const given = headers.get("authorization");
    const known = this.token === undefined || given === `Bearer ${this.token}`;
    if (given !== null && !known) return refusal();
    if (url.endsWith("/session")) return Response.json(this.#session(given !== null));
    if (!known) return refusal();
    return this.#open(url, headers.get("last-event-id"), init);
  }

  #session(signedIn: boolean): Session {
    const base = { tokenNeeded: this.token !== undefined, demo: false, version: "0.0.0" };
    return signedIn ? { ...base, user: "ada" } : base;
  }

  #open(url: string, resumedFrom: string | null, { signal }: RequestInit): Response {
    const encoder = new TextEncoder();
    let write: (text: string) => void = () => {};
    let close: () => void = () => {};
    let fail: () => void = () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        write = (text) => controller.enqueue(encoder.encode(text));
        close = () => controller.close();
        fail = () => controller.error(new TypeError("network error"));
      },
    });
    signal?.addEventListener("abort", () => fail());
    this.streams.push({
      resumedFrom,
      url,
      send: (...messages) => write(messages.map(streamText).join("")),
      sendText: (text) => write(text),
      end: () => close(),
      cut: () => fail(),
    });
    return new Response(body);
  }
}

function refusal(): Response {
  const error = { code: "unauthenticated", message: "The token is not accepted" };
  return Response.json({ error }, { status: 401 });
}

function aborted({ signal }: RequestInit): Promise<Response> {
  return new Promise((_, reject) =>
    signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError"))),
  );
}

/** Web streams hand chunks on in tasks of their own. */
async function settleStreams(): Promise<void> {
  for (let round = 0; round < 10; round += 1) await new Promise<void>((resolve) => setTimeout(resolve, 0));
}
