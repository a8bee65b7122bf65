// Watches: from a version or from the beginning, through selectors, with bookmarks, to their end.

import { expect, it } from "vitest";
import type { GetContext } from "../kube-target.ts";
import { call, configMap, created, fieldsOf, pathOf } from "./api-calls.ts";
import { openWatch, type RawEvent, shown, take } from "./watch-calls.ts";

export function watchBehaviours(get: GetContext): void {
  const label = "watch.test/set";
  const maps = () => pathOf(get, "configmaps");
  const watchPath = (query: Record<string, string>) =>
    `${maps()}?${new URLSearchParams({ watch: "1", ...query }).toString()}`;

  async function watched(
    query: Record<string, string>,
    count: number,
    act: () => Promise<unknown> = async () => {},
  ): Promise<readonly RawEvent[]> {
    const watch = await openWatch(get, watchPath(query));
    await act();
    const events = await take(watch, count);
    watch.close();
    return events;
  }

  it("replays everything after a version, then goes on live", async () => {
    const name = get().unique("replay");
    const { metadata } = await created(get, maps(), configMap(name));
    await call(get, "PATCH", `${maps()}/${name}`, { data: { a: "1" } }, "merge");
    const events = await watched(
      { resourceVersion: metadata.resourceVersion, fieldSelector: `metadata.name=${name}` },
      2,
      () => call(get, "DELETE", `${maps()}/${name}`),
    );
    expect(shown(events)).toEqual([`MODIFIED ${name}`, `DELETED ${name}`]);
    const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions[1]).toBeGreaterThan(versions[0] ?? 0);
    expect(events[1]?.object.data).toEqual({ a: "1" });
  });

  it("begins with what is there when no version is given", async () => {
    const set = get().unique("set");
    for (const name of ["b", "a"])
      await created(get, maps(), configMap(`${set}-${name}`, {}, { labels: { [label]: set } }));
    const events = await watched({ labelSelector: `${label}=${set}` }, 3, () =>
      created(get, maps(), configMap(`${set}-c`, {}, { labels: { [label]: set } })),
    );
    expect(shown(events).toSorted()).toEqual([`ADDED ${set}-a`, `ADDED ${set}-b`, `ADDED ${set}-c`]);
    expect(shown(events)[2]).toBe(`ADDED ${set}-c`);
  });

  it("shows an object that leaves the selection as DELETED in its old state, one that enters as ADDED", async () => {
    const set = get().unique("set");
    const { metadata } = await created(get, maps(), configMap(set, { data: { a: "1" } }, { labels: { [label]: set } }));
    const events = await watched(
      { labelSelector: `${label}=${set}`, resourceVersion: metadata.resourceVersion },
      2,
      async () => {
        await call(
          get,
          "PATCH",
          `${maps()}/${set}`,
          { data: { a: "2" }, metadata: { labels: { [label]: "other" } } },
          "merge",
        );
        await call(get, "PATCH", `${maps()}/${set}`, { metadata: { labels: { [label]: set } } }, "merge");
      },
    );
    expect(shown(events)).toEqual([`DELETED ${set}`, `ADDED ${set}`]);
    expect(events[0]?.object).toMatchObject({ data: { a: "1" }, metadata: { labels: { [label]: set } } });
    expect(Number(events[0]?.object.metadata.resourceVersion)).toBeGreaterThan(Number(metadata.resourceVersion));
  });

  it("streams a list and says when it is complete", async () => {
    const set = get().unique("set");
    await created(get, maps(), configMap(set, {}, { labels: { [label]: set } }));
    const query = {
      labelSelector: `${label}=${set}`,
      sendInitialEvents: "true",
      resourceVersionMatch: "NotOlderThan",
      allowWatchBookmarks: "true",
    };
    const events = await watched(query, 3, () => call(get, "DELETE", `${maps()}/${set}`));
    expect(shown(events)[0]).toBe(`ADDED ${set}`);
    expect(shown(events).toSorted()).toEqual([`ADDED ${set}`, "BOOKMARK", `DELETED ${set}`]);
    const bookmark = events.find(({ type }) => type === "BOOKMARK");
    expect(bookmark?.object).toMatchObject({ kind: "ConfigMap", apiVersion: "v1" });
    expect(bookmark?.object.metadata.annotations).toEqual({ "k8s.io/initial-events-end": "true" });
    expect(Number(bookmark?.object.metadata.resourceVersion)).toBeGreaterThan(0);
  });

  it("streams nothing first when told so", async () => {
    const name = get().unique("quiet");
    await created(get, maps(), configMap(name));
    const query = {
      fieldSelector: `metadata.name=${name}`,
      sendInitialEvents: "false",
      resourceVersionMatch: "NotOlderThan",
      allowWatchBookmarks: "true",
    };
    const events = await watched(query, 1, () => call(get, "DELETE", `${maps()}/${name}`));
    expect(shown(events)).toEqual([`DELETED ${name}`]);
  });

  it("marks the end of the beginning also for a plain watch with bookmarks", async () => {
    const events = await watched({ fieldSelector: "metadata.name=absent", allowWatchBookmarks: "true" }, 1);
    expect(events[0]?.object.metadata.annotations).toEqual({ "k8s.io/initial-events-end": "true" });
  });

  it("refuses streaming lists that are asked for half", async () => {
    for (const query of [{ sendInitialEvents: "true" }, { resourceVersionMatch: "NotOlderThan" }]) {
      const answer = await call(get, "GET", watchPath(query));
      expect([query, answer.status, fieldsOf(answer)]).toEqual([query, 422, ["resourceVersionMatch"]]);
    }
  });

  it("ends when its time is up", async () => {
    const watch = await openWatch(get, watchPath({ timeoutSeconds: "1", fieldSelector: "metadata.name=absent" }));
    expect(watch.status).toBe(200);
    expect(await watch.next()).toBeUndefined();
  });

  it("watches one object by the old path too", async () => {
    const name = get().unique("old");
    await created(get, maps(), configMap(name));
    const watch = await openWatch(get, `/api/v1/watch/namespaces/${get().namespace}/configmaps/${name}`);
    expect(shown(await take(watch, 1))).toEqual([`ADDED ${name}`]);
    watch.close();
  });

  it("takes ?watch on a single object for a plain read", async () => {
    const name = get().unique("one");
    await created(get, maps(), configMap(name));
    expect((await call(get, "GET", `${maps()}/${name}?watch=1`)).body.metadata.name).toBe(name);
  });

  it("sees every namespace when none is named", async () => {
    const name = get().unique("all");
    const { metadata } = await created(get, maps(), configMap(name));
    const before = String(Number(metadata.resourceVersion) - 1);
    const watch = await openWatch(
      get,
      `/api/v1/configmaps?watch=true&resourceVersion=${before}&fieldSelector=metadata.name%3D${name}`,
    );
    expect(shown(await take(watch, 1))).toEqual([`ADDED ${name}`]);
    watch.close();
  });

  it("reports a version that is no number", async () => {
    expect((await call(get, "GET", watchPath({ resourceVersion: "abc" }))).status).toBeGreaterThanOrEqual(400);
  });
}
