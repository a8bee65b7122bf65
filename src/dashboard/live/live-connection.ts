// Keeps the dashboard's state up to date with the server: one stream, which is resumed after a break and called stale when it is
// silent for too long. The token is kept in this object and nowhere else.

import { present } from "../../core/present.ts";
import { heartbeatMs, routes, type Session, type StreamMessage, splitStream } from "../../server/contract.ts";
import { AskFailed, type Failure, failureOf } from "../words/failure.ts";
import { askServer, type Question, readAnswer } from "./ask-server.ts";
import type { BrowserPorts } from "./browser-ports.ts";
import { applyMessage, type Link, type LiveState, nothingKnown } from "./live-state.ts";

/** A stream without any message for this long is taken for dead. */
export const silenceMs = 2.5 * heartbeatMs;
const firstRetryMs = 500;
const longestRetryMs = 10_000;

export class LiveConnection {
  readonly #ports: BrowserPorts;
  readonly #listeners = new Set<() => void>();
  #state: LiveState = nothingKnown;
  #token: string | undefined;
  #attempt = new AbortController();
  #stopped = false;
  #lastMessageMs: number | undefined;
  #failures = 0;
  #wake: () => void = () => {};
  #stopSilenceTimer: () => void = () => {};

  constructor(ports: BrowserPorts) {
    this.#ports = ports;
  }

  readonly state = (): LiveState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Runs until `stop`. */
  async start(): Promise<void> {
    while (!this.#stopped) {
      const failure = await this.#attemptOnce();
      if (this.#stopped) return;
      await this.#pause(failure);
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#attempt.abort();
    this.#wake();
  }

  /** Another viewer may have other rights, so that everything shown before is dropped. */
  enterToken(token: string): void {
    this.#forget(token, { status: "connecting" });
  }

  forgetToken(): void {
    this.#forget(undefined, { status: "token-needed" });
  }

  retryNow(): void {
    this.#failures = 0;
    this.#wake();
  }

  async ask<T>(route: string, question: Question = {}): Promise<T> {
    return readAnswer<T>(await askServer(this.#ports, route, { ...question, token: this.#token }));
  }

  /** One session and one stream, up to its end. Answers with what ended it. */
  async #attemptOnce(): Promise<Failure | undefined> {
    this.#attempt = new AbortController();
    const { signal } = this.#attempt;
    this.#signOfLife();
    try {
      const session = await this.ask<Session>(routes.session, { signal });
      this.#set({ session });
      if (session.tokenNeeded && this.#token === undefined) {
        this.#set({ link: { status: "token-needed" } });
        return undefined;
      }
      await this.#listen(signal);
      return undefined;
    } catch (thrown) {
      // Not a failure of the server: a token was entered or dropped meanwhile, or the stream was silent for too long.
      return signal.aborted ? undefined : failureOf(thrown);
    } finally {
      this.#stopSilenceTimer();
    }
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const { lastId } = this.#state;
    const headers = { accept: "text/event-stream", ...(lastId === undefined ? {} : { "last-event-id": lastId }) };
    const response = await askServer(this.#ports, routes.stream, { token: this.#token, headers, signal });
    if (response.body === null) throw new AskFailed({ kind: "garbled", status: response.status });
    let unread = "";
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      if (signal.aborted) return;
      this.#signOfLife();
      const { messages, rest } = splitStream(unread + piece.value);
      unread = rest;
      this.#apply(messages);
    }
  }

  #apply(messages: readonly StreamMessage[]): void {
    const nowMs = this.#ports.nowMs();
    this.#lastMessageMs = nowMs;
    this.#failures = 0;
    const known = messages.reduce((state, message) => applyMessage(state, message, nowMs), this.#state);
    this.#set({ ...known, ...(known.known === undefined ? {} : { link: { status: "live" } }) });
    const end = messages.find((message) => message.type === "end");
    if (end !== undefined) throw new AskFailed({ kind: "answered", status: 200, error: end.error });
  }

  /** From here on, silence for too long ends the attempt. */
  #signOfLife(): void {
    const attempt = this.#attempt;
    this.#stopSilenceTimer();
    this.#stopSilenceTimer = this.#ports.after(silenceMs, () => attempt.abort());
  }

  async #pause(failure: Failure | undefined): Promise<void> {
    if (failure !== undefined && this.#wantsAnotherToken(failure)) {
      this.#forget(undefined, { status: "token-needed", failure });
    } else if (this.#state.link.status !== "token-needed") {
      this.#set({ link: this.#cut(failure) });
    }
    const waiting = this.#state.link.status === "token-needed";
    const delayMs = Math.min(longestRetryMs, firstRetryMs * 2 ** this.#failures);
    this.#failures += 1;
    await new Promise<void>((resolve) => {
      const cancel = waiting ? () => {} : this.#ports.after(delayMs, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  /** A token that is not accepted, or that may read nothing. */
  #wantsAnotherToken(failure: Failure): boolean {
    if (failure.kind !== "answered") return false;
    return (
      failure.error.code === "unauthenticated" || (failure.error.code === "forbidden" && this.#token !== undefined)
    );
  }

  #cut(failure: Failure | undefined): Link {
    const why = failure === undefined ? {} : { failure };
    if (this.#lastMessageMs === undefined) return { status: "connecting", ...why };
    return { status: "stale", sinceMs: this.#lastMessageMs, ...why };
  }

  #forget(token: string | undefined, link: Link): void {
    const { session, clockAheadMs } = this.#state;
    this.#token = token;
    this.#lastMessageMs = undefined;
    this.#failures = 0;
    this.#state = { clockAheadMs, link, ...present({ session }) };
    this.#attempt.abort();
    this.#wake();
    this.#notify();
  }

  #set(change: Partial<LiveState>): void {
    this.#state = { ...this.#state, ...change };
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
