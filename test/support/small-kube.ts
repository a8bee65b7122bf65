// A KubeReader over one kind in memory, with a history and every way to fail that an informer has to live through. It has no
// sockets and no time of its own: it is for informer tests in virtual time. The fake API server is the one for everything else.

import { customResourceDefinitions } from "../../src/apis/kube/builtin-kinds.ts";
import { type Kind, type KubeObject, type ObjectMeta, resourceName } from "../../src/apis/kube/kube-object.ts";
import { KubeError } from "../../src/core/kube-error.ts";
import type { CallOptions, KubeList, KubeReader, ListQuery, WatchEvent, WatchQuery } from "../../src/ports/kube.ts";

export interface Widget extends KubeObject {
  readonly spec?: { readonly size?: number; readonly zone?: string };
}

export const widgets: Kind<Widget> = {
  group: "example.com",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  namespaced: true,
};

interface Entry {
  readonly version: number;
  readonly event: { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: Widget };
}

interface Watcher {
  readonly push: (event: WatchEvent<Widget>) => void;
  readonly end: (error?: KubeError) => void;
}

export interface Snapshot {
  readonly version: number;
  readonly objects: ReadonlyMap<string, Widget>;
}

export class SmallKube implements KubeReader {
  objects = new Map<string, Widget>();
  /** What each request asked for, in order. */
  readonly requests: string[] = [];
  definitionReadable = true;
  definitionsWatchable = true;
  /** The definition is there and serves the kind, but the server has not got round to it yet. */
  slowToServe = false;
  streaming: "works" | "refused" | "breaks" | "never-ends" = "works";
  /** Asked before every list and watch. An error fails it, "hang" never answers. */
  gate: (verb: "list" | "watch", count: number) => KubeError | "hang" | undefined = () => undefined;
  /** Black hole: open watches stay open and hear nothing. */
  muted = false;
  #version = 100;
  #uids = 0;
  #oldest = 0;
  #history: Entry[] = [];
  readonly #watchers = new Set<Watcher>();
  #servedVersions: readonly string[] = ["v1"];
  #definitionExists = true;
  #definitionVersion = 1;
  readonly #definitionWatchers = new Set<() => void>();

  get servedVersions(): readonly string[] {
    return this.#servedVersions;
  }

  set servedVersions(versions: readonly string[]) {
    this.#servedVersions = versions;
    this.#definitionChanged();
  }

  get definitionExists(): boolean {
    return this.#definitionExists;
  }

  set definitionExists(exists: boolean) {
    this.#definitionExists = exists;
    this.#definitionChanged();
  }

  get openDefinitionWatches(): number {
    return this.#definitionWatchers.size;
  }

  get version(): number {
    return this.#version;
  }

  get openWatches(): number {
    return this.#watchers.size;
  }

  put(name: string, spec: Widget["spec"] = {}): Widget {
    const known = this.objects.get(name);
    this.#version += 1;
    if (known === undefined) this.#uids += 1;
    const metadata: ObjectMeta = {
      name,
      namespace: "lab",
      uid: known?.metadata.uid ?? `uid-${this.#uids}`,
      resourceVersion: String(this.#version),
      managedFields: [{ manager: "test" }],
    };
    const object: Widget = { apiVersion: "example.com/v1", kind: "Widget", metadata, spec };
    this.objects.set(name, object);
    this.#record({ type: known === undefined ? "ADDED" : "MODIFIED", object });
    return object;
  }

  remove(name: string): void {
    const known = this.objects.get(name);
    if (known === undefined) return;
    this.#version += 1;
    this.objects.delete(name);
    const object = { ...known, metadata: { ...known.metadata, resourceVersion: String(this.#version) } };
    this.#record({ type: "DELETED", object });
  }

  /** Time passes for other kinds. */
  bump(by = 1): void {
    this.#version += by;
  }

  bookmark(): void {
    this.#broadcast({ type: "BOOKMARK", resourceVersion: String(this.#version), initialEventsEnd: false });
  }

  /** Every open watch ends: normally, or with the error. */
  cut(error?: KubeError): void {
    for (const watcher of this.#watchers) watcher.end(error);
  }

  /** Forgets the history: a watch from before now is answered with 410. */
  compact(): void {
    this.#oldest = this.#version;
    this.#history = [];
  }

  backup(): Snapshot {
    return { version: this.#version, objects: new Map(this.objects) };
  }

  /** As an etcd restore does: everything, the version too, is as it was, and connections break. */
  restore(snapshot: Snapshot): void {
    this.#version = snapshot.version;
    this.objects = new Map(snapshot.objects);
    this.#history = [];
    this.#oldest = 0;
    this.cut();
  }

  async get<T extends KubeObject>(kind: Kind<T>, ref: { readonly name: string }): Promise<T> {
    if (!isDefinitions(kind)) throw new Error("only CRDs are read one by one");
    if (!this.definitionReadable) throw failure("Forbidden", 403);
    if (!this.definitionExists) throw failure("NotFound", 404);
    return this.#definition(ref.name) as T;
  }

  async list<T extends KubeObject>(
    kind: Kind<T>,
    query: ListQuery = {},
    options: CallOptions = {},
  ): Promise<KubeList<T>> {
    await this.#pass("list", query.limit === 1 ? "check" : "list", kind, options.signal);
    const [from = 0, pinned = this.#version] = (query.continueToken ?? "").split("@").filter(Boolean).map(Number);
    if (pinned < this.#oldest) throw failure("Gone", 410);
    const all = [...this.objects.values()].map((object) => inVersion(object, kind));
    const items = all.slice(from, query.limit === undefined ? undefined : from + query.limit) as unknown as T[];
    const next = from + items.length;
    return {
      items,
      resourceVersion: String(pinned),
      ...(next < all.length ? { continueToken: `${next}@${pinned}` } : {}),
    };
  }

  async *watch<T extends KubeObject>(
    kind: Kind<T>,
    query: WatchQuery,
    options: CallOptions & { readonly onOpen?: () => void } = {},
  ): AsyncIterable<WatchEvent<T>> {
    if (isDefinitions(kind)) {
      yield* this.#watchDefinition<T>(options.signal);
      return;
    }
    await this.#pass(
      "watch",
      query.sendInitialEvents === true ? "stream" : `watch ${query.resourceVersion}`,
      kind,
      options.signal,
    );
    if (options.signal?.aborted === true) return;
    if (query.sendInitialEvents === true && this.streaming === "refused") throw failure("Invalid", 422);
    options.onOpen?.();
    if (query.sendInitialEvents === true && this.streaming === "breaks") throw failure("ServerError", 500);
    const since = Number(query.resourceVersion ?? this.#version);
    if (since < this.#oldest) throw failure("Gone", 410);
    const first = query.sendInitialEvents === true ? this.#initialEvents() : this.#eventsSince(since);
    for await (const event of this.#subscribe(first, since, options.signal)) yield toKind(event, kind) as WatchEvent<T>;
  }

  #definition(name: string): KubeObject {
    const spec = { versions: this.servedVersions.map((version) => ({ name: version, served: true })) };
    const metadata = { name, resourceVersion: String(this.#definitionVersion) };
    return { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata, spec } as KubeObject;
  }

  #definitionChanged(): void {
    this.#definitionVersion += 1;
    for (const wake of this.#definitionWatchers) wake();
  }

  /** As the real one does without a resource version: what is there first, then every change. */
  async *#watchDefinition<T>(signal: AbortSignal | undefined): AsyncIterable<WatchEvent<T>> {
    this.requests.push("watch definition");
    if (!this.definitionsWatchable) throw failure("Forbidden", 403);
    let told = this.definitionExists ? "" : "absent";
    let wake: () => void = () => {};
    const listener = (): void => wake();
    this.#definitionWatchers.add(listener);
    signal?.addEventListener("abort", listener, { once: true });
    try {
      while (true) {
        if (signal?.aborted === true) return;
        const now = this.definitionExists ? String(this.#definitionVersion) : "absent";
        const type = told === "absent" ? "ADDED" : now === "absent" ? "DELETED" : "MODIFIED";
        const changed = now !== told;
        told = now;
        if (changed) yield { type, object: this.#definition("widgets.example.com") as T };
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#definitionWatchers.delete(listener);
      signal?.removeEventListener("abort", listener);
    }
  }

  #initialEvents(): WatchEvent<Widget>[] {
    const events: WatchEvent<Widget>[] = [...this.objects.values()].map((object) => ({ type: "ADDED", object }));
    if (this.streaming === "never-ends") return events;
    return [...events, { type: "BOOKMARK", resourceVersion: String(this.#version), initialEventsEnd: true }];
  }

  #eventsSince(since: number): WatchEvent<Widget>[] {
    return this.#history.filter(({ version }) => version > since).map(({ event }) => event);
  }

  async *#subscribe(
    first: WatchEvent<Widget>[],
    since: number,
    signal: AbortSignal | undefined,
  ): AsyncIterable<WatchEvent<Widget>> {
    const waiting = [...first];
    let ended: { readonly error?: KubeError } | undefined;
    let wake: () => void = () => {};
    const watcher: Watcher = {
      push: (event) => {
        // As the real one does: a watch from the future hears nothing until the future has come.
        if (versionOf(event) <= since) return;
        waiting.push(event);
        wake();
      },
      end: (error) => {
        ended = error === undefined ? {} : { error };
        wake();
      },
    };
    const onAbort = (): void => watcher.end();
    this.#watchers.add(watcher);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      while (true) {
        const event = waiting.shift();
        if (event !== undefined) yield event;
        else if (ended?.error !== undefined) throw ended.error;
        else if (ended !== undefined) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#watchers.delete(watcher);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async #pass(verb: "list" | "watch", request: string, kind: Kind, signal: AbortSignal | undefined): Promise<void> {
    this.requests.push(request);
    const verdict = this.gate(verb, this.requests.length);
    if (verdict === "hang") {
      await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));
      throw failure("Timeout", 504);
    }
    if (verdict !== undefined) throw verdict;
    if (this.slowToServe || !this.definitionExists || !this.servedVersions.includes(kind.version))
      throw failure("KindNotServed", 404);
  }

  #record(event: Entry["event"]): void {
    this.#history.push({ version: this.#version, event });
    this.#broadcast(event);
  }

  #broadcast(event: WatchEvent<Widget>): void {
    if (this.muted) return;
    for (const watcher of this.#watchers) watcher.push(event);
  }
}

export function failure(
  code: KubeError["code"],
  status: number,
  more: { readonly retryAfterMs?: number } = {},
): KubeError {
  return new KubeError({ code, status, message: `scripted ${code}`, ...more });
}

function isDefinitions(kind: Kind): boolean {
  return resourceName(kind) === resourceName(customResourceDefinitions);
}

function versionOf(event: WatchEvent<Widget>): number {
  return Number(event.type === "BOOKMARK" ? event.resourceVersion : event.object.metadata.resourceVersion);
}

/** Fresh copies, as from a wire: an informer may freeze them. */
function inVersion(object: Widget, kind: Kind): Widget {
  return { ...structuredClone(object), apiVersion: `example.com/${kind.version}` };
}

function toKind(event: WatchEvent<Widget>, kind: Kind): WatchEvent<Widget> {
  return event.type === "BOOKMARK" ? event : { type: event.type, object: inVersion(event.object, kind) };
}
