// GET with ?watch: changes as they happen, from a revision on or after a first round of everything there is. An object that
// leaves the selection is DELETED, one that enters it is ADDED.

import type { KubeHttpResponse } from "../../../../ports/kube-transport.ts";
import type { JsonObject } from "../json.ts";
import { objectAt } from "../schema/json-value.ts";
import { storageKey, withMetadata } from "../server-context.ts";
import type { StoredChange } from "../storage/object-store.ts";
import { ApiError, expired, versionTooLarge } from "./api-error.ts";
import { apiVersionOfCall, type Call } from "./call.ts";
import { bytes, jsonText } from "./http-response.ts";
import { type WatchOptions, watchOptions } from "./list-options.ts";
import { viewOf } from "./object-view.ts";
import { WatchQueue } from "./watch-queue.ts";

export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: JsonObject;
}

/** How an event's object goes on the wire: itself, a Table, or its metadata only. */
export type Present = (object: JsonObject, type: WatchEvent["type"]) => JsonObject;

type Work = { readonly change: StoredChange } | { readonly event: WatchEvent };

// What the real server picks when the client names no end: between half an hour and an hour.
const leastSeconds = 1800;
// A bookmark shortly before the end lets the client resume from there.
const lastBookmarkMs = 2000;

export function watchObjects(call: Call, present: Present): KubeHttpResponse {
  const options = watchOptions(call);
  const { server } = call;
  if (options.sendInitialEvents === true && (options.revision ?? 0) > server.store.revision) {
    throw versionTooLarge(options.revision ?? 0, server.store.revision);
  }
  const queue = new WatchQueue<Work>(server.watchBufferLimit, firstWork(call, options));
  const finish = feed(call, options, queue);
  // Here and not in the stream: a client may be gone before it reads anything, or in the middle of an event.
  if (call.signal?.aborted === true) finish();
  else call.signal?.addEventListener("abort", finish, { once: true });
  return {
    status: 200,
    headers: { "content-type": "application/json" },
    body: stream(call, options, queue, present, finish),
  };
}

/** Fills the queue until the returned function is called, which may happen more than once: by the client, time, or the server. */
function feed(call: Call, options: WatchOptions, queue: WatchQueue<Work>): () => void {
  const { server, resource, namespace } = call;
  const { store, clock, watches } = server;
  const key = storageKey(resource);
  const bookmark = (initial: boolean): void => queue.push({ event: bookmarkEvent(call, store.revision, initial) });
  const inScope = (change: StoredChange): boolean =>
    change.resource === key && (namespace === undefined || change.key.startsWith(`${namespace}/`));
  if (startsWithState(options) && options.bookmarks) bookmark(true);
  const after = options.revision ?? 0;
  const unsubscribe = store.subscribe((change) => {
    if (inScope(change) && change.revision > after) queue.push({ change });
    if (endsService(call, change)) finish();
  });
  const lifeMs = (options.timeoutSeconds ?? Math.floor(leastSeconds * (1 + server.random.next()))) * 1000;
  const ending = clock.after(lifeMs, finish);
  const lastMs = options.bookmarks && lifeMs > lastBookmarkMs ? lifeMs - lastBookmarkMs : undefined;
  const lastBookmark = lastMs === undefined ? undefined : clock.after(lastMs, () => bookmark(false));
  const stopBookmarks = options.bookmarks
    ? every(call, server.bookmarkIntervalMs, () => bookmark(false))
    : (): void => {};
  const handle = { close: finish };
  watches.add(handle);
  function finish(): void {
    queue.end();
    watches.delete(handle);
    unsubscribe();
    stopBookmarks();
    ending.cancel();
    lastBookmark?.cancel();
    call.signal?.removeEventListener("abort", finish);
  }
  return finish;
}

function every(call: Call, intervalMs: number, run: () => void): () => void {
  let timer = call.server.clock.after(intervalMs, tick);
  function tick(): void {
    run();
    timer = call.server.clock.after(intervalMs, tick);
  }
  return () => timer.cancel();
}

function startsWithState({ revision, sendInitialEvents }: WatchOptions): boolean {
  return sendInitialEvents ?? (revision === undefined || revision === 0);
}

function firstWork(call: Call, options: WatchOptions): readonly Work[] {
  const { server, resource, namespace } = call;
  const key = storageKey(resource);
  if (startsWithState(options)) {
    return server.store.list(key, namespace).map(([name, object]) => ({
      change: { revision: 0, type: "ADDED", resource: key, key: name, object, previous: undefined },
    }));
  }
  const after = options.revision ?? server.store.revision;
  if (after < server.store.compactedRevision) {
    const message = `too old resource version: ${after} (${server.store.compactedRevision})`;
    return [{ event: { type: "ERROR", object: expired(message).status } }];
  }
  const changes = server.store.changesAfter(key, after);
  return changes
    .filter((change) => namespace === undefined || change.key.startsWith(`${namespace}/`))
    .map((change) => ({ change }));
}

// A custom resource that is no longer served, or served differently, ends its watches.
function endsService({ resource }: Call, change: StoredChange): boolean {
  if (resource.crd === undefined || change.resource !== "apiextensions.k8s.io/customresourcedefinitions") return false;
  if (change.key !== resource.crd.name) return false;
  const generation = (object: JsonObject | undefined) => objectAt(object, "metadata")["generation"];
  return change.type === "DELETED" || generation(change.object) !== generation(change.previous);
}

function bookmarkEvent(call: Call, revision: number, initial: boolean): WatchEvent {
  const annotations = initial ? { annotations: { "k8s.io/initial-events-end": "true" } } : {};
  const metadata = { resourceVersion: String(revision), ...annotations };
  return { type: "BOOKMARK", object: { kind: call.resource.kind, apiVersion: apiVersionOfCall(call), metadata } };
}

async function* stream(
  call: Call,
  options: WatchOptions,
  queue: WatchQueue<Work>,
  present: Present,
  finish: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    if (call.signal?.aborted === true) return;
    for await (const work of queue) {
      const event = "event" in work ? work.event : await selected(call, options, work.change);
      if (event === undefined) continue;
      const object = event.type === "ERROR" ? event.object : present(event.object, event.type);
      yield bytes(`{"type":"${event.type}","object":${jsonText(object)}}\n`);
      if (event.type === "ERROR") return;
    }
    call.signal?.throwIfAborted();
  } finally {
    finish();
  }
}

async function selected(call: Call, { filter }: WatchOptions, change: StoredChange): Promise<WatchEvent | undefined> {
  const { server, resource, version } = call;
  try {
    const object = await viewOf(server, resource, version, change.object);
    if (filter === undefined) return { type: change.type, object };
    const before = change.previous === undefined ? undefined : await viewOf(server, resource, version, change.previous);
    const [was, is] = [before !== undefined && filter(before), filter(object)];
    if (change.type === "DELETED") return was || is ? { type: "DELETED", object } : undefined;
    if (is) return { type: was ? "MODIFIED" : "ADDED", object };
    if (!was || before === undefined) return undefined;
    return {
      type: "DELETED",
      object: withMetadata(before, { resourceVersion: objectAt(object, "metadata")["resourceVersion"] }),
    };
  } catch (error) {
    if (error instanceof ApiError) return { type: "ERROR", object: error.status };
    throw error;
  }
}
