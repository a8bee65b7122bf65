import { describe, expect, test } from "vitest";
import { failure, SmallKube, type Widget, widgets } from "../../../test/support/small-kube.ts";
import { type KubeObject, type ObjectRef, refOf } from "../../apis/kube/kube-object.ts";
import type { Kube } from "../../ports/kube.ts";
import { InformerCache } from "./informer-cache.ts";
import { InformerStore } from "./informer-store.ts";
import type { StoreState } from "./store.ts";
import { type KindCache, WrittenVersions } from "./written-versions.ts";

const key = "lab/root";
const ref = { name: "one", namespace: "lab" };
const never = new AbortController().signal;

/** A cache that is told what it hears, beside a server whose objects are in `SmallKube`. */
class Witness implements KindCache {
  state: StoreState = "synced";
  invalidations = 0;
  /** Selects by nothing but names. */
  complete = true;
  readonly store = new InformerStore<Widget>(() => {});
  readonly cache = new InformerCache({ store: this.store, keepManagedFields: false, onHandlerError: () => {} });
  readonly #holds: (ref: ObjectRef) => boolean;

  constructor(holds: (ref: ObjectRef) => boolean = () => true) {
    this.#holds = holds;
  }

  get listGeneration(): number {
    return this.cache.listsStarted;
  }

  get(at: ObjectRef): Widget | undefined {
    return this.store.get(at);
  }

  hasReached(version: string, generation: number): boolean {
    return this.cache.hasReached(version, generation);
  }

  mayHold(at: ObjectRef): boolean {
    return this.#holds(at);
  }

  mustHold(at: ObjectRef): boolean {
    return this.complete && this.#holds(at);
  }

  get lastResourceVersion(): string | undefined {
    return this.cache.resourceVersion;
  }

  invalidate(): void {
    this.invalidations += 1;
    this.cache.invalidate();
  }

  list(server: SmallKube): void {
    this.cache.beginList({ distrust: false });
    for (const object of server.objects.values()) this.cache.put(structuredClone(object));
    this.cache.endList(String(server.version));
  }
}

class Server extends SmallKube {
  reads = 0;
  unreadable = false;

  override async get<T extends KubeObject>(_kind: unknown, at: ObjectRef): Promise<T> {
    this.reads += 1;
    if (this.unreadable) throw failure("Unreachable", 503);
    const object = this.objects.get(at.name);
    if (object === undefined) throw failure("NotFound", 404);
    return object as unknown as T;
  }
}

function bench(...caches: Witness[]) {
  const server = new Server();
  const all = caches.length === 0 ? [new Witness()] : caches;
  for (const cache of all) cache.list(server);
  const written = new WrittenVersions(() => all);
  const through = (answer: () => Promise<Widget | undefined>): Kube =>
    written.remembering(key, { patch: answer, delete: answer } as unknown as Kube);
  const write = (answer: () => Promise<Widget | undefined> = async () => server.put("one")): Promise<unknown> =>
    through(answer).patch(widgets, ref, { type: "merge", body: {} });
  const remove = (uid?: string): Promise<unknown> =>
    through(async () => {
      server.remove("one");
      return undefined;
    }).delete(widgets, ref, uid === undefined ? {} : { uid });
  const caughtUp = (): Promise<boolean> => written.caughtUp(key, server, never);
  return { server, cache: all[0] ?? new Witness(), written, write, remove, caughtUp };
}

describe("a key that wrote", () => {
  test("waits until the cache has come as far, by an event or by a list begun later", async () => {
    const byEvent = bench();
    await byEvent.write();
    expect(await byEvent.caughtUp()).toBe(false);
    byEvent.cache.cache.reached(String(byEvent.server.version));
    expect(await byEvent.caughtUp()).toBe(true);

    const byList = bench();
    await byList.write();
    byList.cache.list(byList.server);
    expect(await byList.caughtUp()).toBe(true);
    expect([...byEvent.written.keys(), ...byList.written.keys()]).toEqual([]);
  });

  test("is not satisfied by a list that began before the answer and shows the time before the write", async () => {
    const { cache, server, write, caughtUp } = bench();
    const before = String(server.version);
    await write(async () => {
      cache.cache.beginList({ distrust: false });
      return server.put("one");
    });
    cache.cache.endList(before);
    expect(await caughtUp()).toBe(false);
    cache.list(server);
    expect(await caughtUp()).toBe(true);
  });

  test("does not trust a version of a past that is no more", async () => {
    const { cache, server, write, caughtUp } = bench();
    cache.cache.reached("9999");
    cache.cache.beginList({ distrust: true });
    await write();
    expect(await caughtUp()).toBe(false);
    cache.cache.endList(String(server.version));
    expect(await caughtUp()).toBe(true);
  });

  test("waits for no cache that cannot hold the object, is not allowed or not served, and for each of the others", async () => {
    const elsewhere = new Witness(({ namespace }) => namespace !== "lab");
    const forbidden = new Witness();
    forbidden.state = "forbidden";
    const [first, second] = [new Witness(), new Witness()];
    const { server, write, caughtUp } = bench(elsewhere, forbidden, first, second);
    await write();
    first.cache.reached(String(server.version));
    expect(await caughtUp()).toBe(false);
    second.cache.reached(String(server.version));
    expect(await caughtUp()).toBe(true);
  });
});

describe("a key that deleted", () => {
  test("waits until the cache has let go of that very object", async () => {
    const { server, cache, remove, caughtUp } = bench();
    const { metadata } = server.put("one");
    cache.list(server);
    await remove(metadata.uid);
    expect(await caughtUp()).toBe(false);
    server.put("one");
    cache.list(server);
    expect(await caughtUp(), "another object of the same name").toBe(true);
  });

  test("is not held for ever by an object that came back with a backup", async () => {
    const { server, cache, written, remove, caughtUp } = bench();
    const { metadata } = server.put("one");
    const backup = server.backup();
    cache.list(server);
    await remove(metadata.uid);
    server.restore(backup);
    cache.list(server);
    let checks = 0;
    while (!(await caughtUp()) && checks < 1_000) checks += 1;
    expect(checks).toBeLessThan(100);
    expect(server.reads).toBe(1);
    expect([...written.keys()]).toEqual([]);
  });
});

describe("a write without an answer", () => {
  const lost = async (): Promise<never> => Promise.reject(failure("Timeout", 504));

  test("is looked up, and the cache has to reach what was found", async () => {
    const { server, cache, write, caughtUp } = bench();
    await expect(
      write(async () => {
        server.put("one");
        return await lost();
      }),
    ).rejects.toThrow("Timeout");
    expect(await caughtUp()).toBe(false);
    expect(await caughtUp()).toBe(false);
    expect(server.reads).toBe(1);
    cache.cache.reached(String(server.version));
    expect(await caughtUp()).toBe(true);
  });

  test("that never arrived holds nobody up", async () => {
    const { write, caughtUp } = bench();
    await expect(write(lost)).rejects.toThrow("Timeout");
    expect(await caughtUp()).toBe(true);
  });

  test("fails the round, and is not forgotten, while it cannot be looked up", async () => {
    const { server, write, caughtUp } = bench();
    await expect(write(lost)).rejects.toThrow("Timeout");
    server.unreadable = true;
    await expect(caughtUp()).rejects.toMatchObject({ code: "Unreachable" });
    server.unreadable = false;
    expect(await caughtUp()).toBe(true);
  });

  test("is none when the server refused it", async () => {
    const { server, write, caughtUp } = bench();
    await expect(write(() => Promise.reject(failure("Forbidden", 403)))).rejects.toThrow("Forbidden");
    expect([await caughtUp(), server.reads]).toEqual([true, 0]);
  });
});

describe("an answer that the cache's own history cannot explain", () => {
  const conflict = async (): Promise<never> => Promise.reject(failure("Conflict", 409));

  /** The cache has come to 9999; the server says something else about the object, from long before. */
  async function conflicting(cache: Witness, cached: boolean) {
    const { server, write, caughtUp } = bench(cache);
    const { metadata } = server.put("one");
    if (cached) cache.cache.put({ ...server.put("one"), metadata: { ...metadata, resourceVersion: "9000" } });
    cache.cache.reached("9999");
    await expect(write(conflict)).rejects.toThrow("Conflict");
    return { server, caughtUp };
  }

  test.each([
    ["holds another version of it", true],
    ["lacks it", false],
  ])("proves that a cache that %s follows a past that is no more: it is listed anew first", async (_how, cached) => {
    const cache = new Witness();
    const { server, caughtUp } = await conflicting(cache, cached);
    expect(await caughtUp()).toBe(false);
    expect(await caughtUp(), "not before it was listed").toBe(false);
    expect(cache.invalidations).toBe(1);
    cache.list(server);
    expect(await caughtUp()).toBe(true);
    expect(cache.get(ref)?.metadata.resourceVersion).toBe(String(server.version));
  });

  test("proves nothing against a cache that need not hold the object", async () => {
    const cache = new Witness();
    cache.complete = false;
    const { caughtUp } = await conflicting(cache, false);
    expect([await caughtUp(), cache.invalidations]).toEqual([true, 0]);
  });

  test("proves nothing against a cache that is only late, or that has the very version found", async () => {
    const { server, cache, write, caughtUp } = bench();
    server.put("one");
    cache.list(server);
    await expect(write(conflict)).rejects.toThrow("Conflict");
    expect([await caughtUp(), cache.invalidations]).toEqual([true, 0]);
    server.put("one", { size: 2 });
    await expect(write(conflict)).rejects.toThrow("Conflict");
    expect([await caughtUp(), cache.invalidations]).toEqual([false, 0]);
  });

  test("an object that is gone, and that a cache in sync still shows after a while, is a past that is no more", async () => {
    const { server, cache, write, caughtUp } = bench();
    server.put("one");
    cache.list(server);
    server.objects.delete("one");
    await expect(write(conflict)).rejects.toThrow("Conflict");
    for (let checks = 0; checks < 50; checks += 1) expect([await caughtUp(), cache.invalidations]).toEqual([false, 0]);
    for (let checks = 0; checks < 50; checks += 1) await caughtUp();
    expect(cache.invalidations).toBe(1);
    cache.list(server);
    expect(await caughtUp()).toBe(true);
  });
});

test("the version of the last write is known until the cache is past it, under the object's own name", async () => {
  const { server, cache, written, write, caughtUp } = bench();
  await write();
  const [object] = server.objects.values();
  expect(written.latest(key, widgets, refOf(object as KubeObject))).toBe(String(server.version));
  cache.cache.reached(String(server.version));
  await caughtUp();
  expect(written.latest(key, widgets, ref)).toBeUndefined();
});
