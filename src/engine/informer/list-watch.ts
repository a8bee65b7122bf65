// One attempt to follow a kind: list if needed, then watch until the stream ends. It throws every failure; informer-loop.ts decides
// about retrying, since it knows the attempts before.

import type { Kind, KubeObject } from "../../apis/kube/kube-object.ts";
import { present } from "../../core/present.ts";
import type { KubeReader, ListQuery, Selection, WatchEvent } from "../../ports/kube.ts";
import type { Watchdog } from "../round/watchdog.ts";
import type { InformerCache } from "./informer-cache.ts";
import { HistoryReplaced } from "./informer-failure.ts";
import type { InformerTimings } from "./informer-timings.ts";
import { isOlder } from "./resource-version.ts";

export interface ListWatch<T extends KubeObject> {
  readonly kube: KubeReader;
  readonly kind: Kind<T>;
  readonly selection: Selection;
  readonly cache: InformerCache<T>;
  readonly timings: InformerTimings;
  /** Undefined: everything in one answer. */
  readonly pageSize: number | undefined;
  readonly watchdog: Watchdog;
  readonly watchSeconds: number;
  /** A list is complete: the store equals the server. */
  readonly onListed: () => void;
  readonly onWatching: () => void;
  /** The server has accepted the watch. */
  readonly onOpen: () => void;
  /** The watch delivered something: it works. */
  readonly onEvent: () => void;
}

/** The server sends every object as an event, then a bookmark, then goes on as a watch: one request, no large answer. */
export async function streamingListThenWatch<T extends KubeObject>(
  session: ListWatch<T>,
  distrust: boolean,
): Promise<void> {
  const { cache, watchdog, timings } = session;
  watchdog.expectWithin(timings.listSilenceMs, timings.listDeadlineMs);
  cache.beginList({ distrust });
  let listing = true;
  for await (const event of openWatch(session, { sendInitialEvents: true })) {
    if (watchdog.signal.aborted) return;
    watchdog.feed();
    if (!listing) deliver(session, event);
    else if (event.type !== "BOOKMARK") store(cache, event);
    else if (event.initialEventsEnd) {
      listing = false;
      cache.endList(event.resourceVersion);
      watchdog.expectWithin(timings.watchSilenceMs);
      session.onListed();
      session.onOpen();
    }
  }
}

export async function pagedListThenWatch<T extends KubeObject>(
  session: ListWatch<T>,
  distrust: boolean,
): Promise<void> {
  const { kube, kind, selection, cache, timings, pageSize, watchdog } = session;
  cache.beginList({ distrust });
  let continueToken: string | undefined;
  do {
    // Each page has a deadline of its own; the watchdog only has to outlast it.
    watchdog.expectWithin(timings.callDeadlineMs * 2);
    const query: ListQuery = {
      ...selection,
      ...(pageSize === undefined ? {} : { limit: pageSize }),
      ...present({ continueToken }),
    };
    const page = await kube.list(kind, query, { signal: watchdog.signal, deadlineMs: timings.callDeadlineMs });
    if (watchdog.signal.aborted) return;
    for (const object of page.items) cache.put(object);
    continueToken = page.continueToken;
    if (continueToken === undefined) cache.endList(page.resourceVersion);
  } while (continueToken !== undefined);
  session.onListed();
  await watchOn(session);
}

/** Continues where the last attempt stopped, after checking that the server still has that history. */
export async function resumeWatch<T extends KubeObject>(session: ListWatch<T>): Promise<void> {
  const { kube, kind, selection, cache, timings, watchdog } = session;
  watchdog.expectWithin(timings.callDeadlineMs * 2);
  // A watch from a version that the server has not reached yet gets nothing, not even an error.
  const newest = await kube.list(
    kind,
    { ...selection, limit: 1 },
    { signal: watchdog.signal, deadlineMs: timings.callDeadlineMs },
  );
  if (watchdog.signal.aborted) return;
  failIfHistoryWasReplaced(cache.resourceVersion, newest.resourceVersion);
  await watchOn(session);
}

async function watchOn<T extends KubeObject>(session: ListWatch<T>): Promise<void> {
  const { cache, timings, watchdog } = session;
  watchdog.expectWithin(timings.watchSilenceMs);
  session.onWatching();
  const { resourceVersion } = cache;
  const from = resourceVersion === undefined ? {} : { resourceVersion };
  for await (const event of openWatch(session, from, session.onOpen)) {
    if (watchdog.signal.aborted) return;
    watchdog.feed();
    deliver(session, event);
  }
}

function openWatch<T extends KubeObject>(
  { kube, kind, selection, timings, watchdog, watchSeconds }: ListWatch<T>,
  from: { readonly resourceVersion?: string; readonly sendInitialEvents?: boolean },
  onOpen: () => void = () => {},
): AsyncIterable<WatchEvent<T>> {
  return kube.watch(
    kind,
    { ...selection, ...from, timeoutSeconds: watchSeconds },
    // The watchdog ends a silent stream first: it knows whether a list or a watch is silent.
    { signal: watchdog.signal, deadlineMs: timings.callDeadlineMs, idleTimeoutMs: timings.watchSilenceMs * 2, onOpen },
  );
}

function deliver<T extends KubeObject>({ cache, onEvent }: ListWatch<T>, event: WatchEvent<T>): void {
  const version = event.type === "BOOKMARK" ? event.resourceVersion : event.object.metadata.resourceVersion;
  if (version !== undefined) failIfHistoryWasReplaced(cache.resourceVersion, version);
  if (event.type !== "BOOKMARK") store(cache, event);
  cache.reached(version);
  onEvent();
}

function store<T extends KubeObject>(
  cache: InformerCache<T>,
  event: Exclude<WatchEvent<T>, { readonly type: "BOOKMARK" }>,
): void {
  if (event.type === "DELETED") cache.delete(event.object);
  else cache.put(event.object);
}

function failIfHistoryWasReplaced(before: string | undefined, now: string): void {
  if (before !== undefined && isOlder(now, before)) throw new HistoryReplaced(before, now);
}
