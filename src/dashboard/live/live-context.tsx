// React hooks for the live connection: its state, and answers that are fetched again when something changed.

import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { AskFailed, type Failure, failureOf } from "../words/failure.ts";
import type { LiveConnection } from "./live-connection.ts";
import type { LiveState } from "./live-state.ts";

const LiveContext = createContext<LiveConnection | undefined>(undefined);

export function LiveProvider({ live, children }: { readonly live: LiveConnection; readonly children: ReactNode }) {
  return <LiveContext value={live}>{children}</LiveContext>;
}

export function useConnection(): LiveConnection {
  const live = useContext(LiveContext);
  if (live === undefined) throw new Error("there is no LiveProvider around this component");
  return live;
}

export function useLive(): LiveState {
  const live = useConnection();
  return useSyncExternalStore(live.subscribe, live.state);
}

export type Answer<T> =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly failure: Failure }
  /** `failure` when the latest attempt to refresh it failed. */
  | { readonly state: "here"; readonly value: T; readonly failure?: Failure };

/** Asks again whenever `revision` changes, and shows the last answer until the next is there. */
export function useAnswer<T>(route: string, revision: string): Answer<T> {
  const live = useConnection();
  const [held, setHeld] = useState<{ readonly route: string; readonly answer: Answer<T> }>();
  useEffect(() => {
    const asking = new AbortController();
    const settle = (next: (before: Answer<T>) => Answer<T>) => {
      if (asking.signal.aborted) return;
      setHeld((before) => ({
        route,
        answer: next(before?.route === route ? before.answer : { state: "loading" }),
      }));
    };
    live.ask<T>(route, { signal: asking.signal }).then(
      (value) => settle(() => ({ state: "here", value })),
      (thrown: unknown) => settle((before) => failed(before, thrown)),
    );
    return () => asking.abort();
    // The revision is not part of the request: it only triggers a new one.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [live, route, revision]);
  return held?.route === route ? held.answer : { state: "loading" };
}

/** An answer that the server now denies is no longer shown; one that could not be refreshed still is. */
function failed<T>(before: Answer<T>, thrown: unknown): Answer<T> {
  const failure = failureOf(thrown);
  const denied = thrown instanceof AskFailed && failure.kind === "answered" && failure.status < 500;
  return before.state === "here" && !denied ? { ...before, failure } : { state: "failed", failure };
}
