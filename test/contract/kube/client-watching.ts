// Watches as the driver opens them.

import { expect, it } from "vitest";
import { configMaps, customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { byText } from "../../../src/core/by-text.ts";
import type { WatchEvent } from "../../../src/ports/kube.ts";
import type { GetContext } from "../kube-target.ts";
import { configMap, customResource, refusal } from "./samples.ts";

export function watchingBehaviours(get: GetContext): void {
  it("delivers additions, changes and deletions after a version, in order", async () => {
    const { admin, namespace, unique } = get();
    const name = unique("watched");
    const { resourceVersion } = await admin.list(configMaps, { namespace });
    const created = await admin.create(configMaps, configMap({ name, namespace }));
    const changed = await admin.patch(configMaps, { name, namespace }, { type: "merge", body: { data: { a: "1" } } });
    await admin.delete(configMaps, { name, namespace });
    const fieldSelector = `metadata.name=${name}`;
    const events = await collect(admin.watch(configMaps, { namespace, fieldSelector, resourceVersion }), 3);
    expect(events).toMatchObject([
      { type: "ADDED", object: created },
      { type: "MODIFIED", object: changed },
      { type: "DELETED", object: { metadata: { name } } },
    ]);
  });

  it("begins a streaming list with every object and says when that is done", async () => {
    const { admin, namespace, unique } = get();
    const set = unique("stream");
    const made: KubeObject[] = [];
    for (const suffix of ["a", "b"]) {
      made.push(await admin.create(configMaps, configMap({ name: `${set}-${suffix}`, namespace, labels: { set } })));
    }
    const query = { namespace, labelSelector: `set=${set}`, sendInitialEvents: true };
    const events: WatchEvent<KubeObject>[] = [];
    for await (const event of admin.watch(configMaps, query)) {
      events.push(event);
      if (event.type === "BOOKMARK" && event.initialEventsEnd) break;
    }
    const added = events.flatMap((event) => (event.type === "ADDED" ? [event.object] : []));
    expect(added.toSorted(byText(({ metadata }) => metadata.name))).toEqual(made);
    const last = events.at(-1);
    const versions = made.map(({ metadata }) => Number(metadata.resourceVersion));
    expect(last?.type === "BOOKMARK" ? Number(last.resourceVersion) : 0).toBeGreaterThanOrEqual(Math.max(...versions));
  });

  it("tells a selective watch that an object left its selection as a deletion", async () => {
    const { admin, namespace, unique } = get();
    const set = unique("leaving");
    const { metadata } = await admin.create(configMaps, configMap({ name: set, namespace, labels: { set } }));
    const query = { namespace, labelSelector: `set=${set}`, resourceVersion: metadata.resourceVersion ?? "" };
    await admin.patch(configMaps, metadata, { type: "merge", body: { metadata: { labels: { set: "other" } } } });
    const [event] = await collect(admin.watch(configMaps, query), 1);
    expect(event).toMatchObject({ type: "DELETED", object: { metadata: { name: set } } });
  });

  it("ends normally when the time that was asked for is over", async () => {
    const { admin, namespace } = get();
    const { resourceVersion } = await admin.list(configMaps, { namespace });
    const fieldSelector = "metadata.name=never-there";
    const events = [];
    for await (const event of admin.watch(configMaps, {
      namespace,
      fieldSelector,
      resourceVersion,
      timeoutSeconds: 1,
    })) {
      if (event.type !== "BOOKMARK") events.push(event);
    }
    expect(events).toEqual([]);
  });

  it("ends normally when the caller aborts", async () => {
    const { admin, namespace, unique } = get();
    const { metadata } = await admin.create(configMaps, configMap({ name: unique("abort"), namespace }));
    const controller = new AbortController();
    const query = { namespace, fieldSelector: `metadata.name=${metadata.name}`, sendInitialEvents: true };
    let seen = 0;
    for await (const event of admin.watch(configMaps, query, { signal: controller.signal })) {
      seen += 1;
      if (event.type === "BOOKMARK") controller.abort();
    }
    expect(seen).toBeGreaterThanOrEqual(2);
  });

  it("says Gone when the version is older than what the server remembers", async () => {
    const { admin, unique, cleanup } = get();
    const group = `${unique("forgetful")}.example`;
    const kind = { group, version: "v1", kind: "Memory", plural: "memories", namespaced: true };
    cleanup(() => admin.delete(customResourceDefinitions, { name: `memories.${group}` }));
    // What a server remembers of a kind begins with the kind itself.
    await admin.create(customResourceDefinitions, customResource(kind));
    await expect
      .poll(
        () =>
          admin.list(kind).then(
            () => "served",
            () => "not yet",
          ),
        { timeout: 10_000 },
      )
      .toBe("served");
    const error = await refusal(collect(admin.watch(kind, { resourceVersion: "1", timeoutSeconds: 5 }), 1));
    expect(error).toMatchObject({ code: "Gone", status: 410, statusReason: "Expired" });
  });

  it("refuses to watch a kind that is not served, before the stream begins", async () => {
    const { admin } = get();
    const kind = { group: "absent.example", version: "v1", kind: "Nothing", plural: "nothings", namespaced: true };
    expect(await refusal(collect(admin.watch(kind, {}), 1))).toMatchObject({ code: "KindNotServed", status: 404 });
  });
}

async function collect<T>(events: AsyncIterable<WatchEvent<T>>, count: number): Promise<readonly WatchEvent<T>[]> {
  const collected: WatchEvent<T>[] = [];
  for await (const event of events) {
    if (event.type !== "BOOKMARK") collected.push(event);
    if (collected.length === count) break;
  }
  return collected;
}
