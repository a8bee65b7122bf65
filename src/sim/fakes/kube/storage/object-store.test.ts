// Laws of storage: one rising counter, lists of the past, changes that lead from any state to the present one.

import fc from "fast-check";
import { expect, it } from "vitest";
import { ObjectStore } from "./object-store.ts";

const step = fc.record({ name: fc.constantFrom("a", "b", "c", "d"), remove: fc.boolean() });

function play(store: ObjectStore, steps: readonly { name: string; remove: boolean }[]): number[] {
  return steps.map(({ name, remove }, index) => {
    const present = store.get("g/things", "n", name);
    if (remove && present !== undefined) store.remove("g/things", present);
    else store.put("g/things", { metadata: { namespace: "n", name }, index });
    return store.revision;
  });
}

it("remembers every past list inside its history", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const store = new ObjectStore(1000);
      const snapshots = steps.map((one) => {
        play(store, [one]);
        return { revision: store.revision, list: store.list("g/things") };
      });
      for (const { revision, list } of snapshots) expect(store.listAt("g/things", undefined, revision)).toEqual(list);
    }),
  );
});

it("leads from any past list to the present one by its changes", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), fc.array(step, { maxLength: 20 }), (before, after) => {
      const store = new ObjectStore(1000);
      play(store, before);
      const replayed = new Map(store.list("g/things"));
      const revision = store.revision;
      play(store, after);
      for (const { type, key, object } of store.changesAfter("g/things", revision)) {
        if (type === "DELETED") replayed.delete(key);
        else replayed.set(key, object);
      }
      expect([...replayed].sort()).toEqual([...store.list("g/things")].sort());
    }),
  );
});

it("never uses a revision twice", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const revisions = play(new ObjectStore(5), steps);
      expect(new Set(revisions).size).toBe(revisions.length);
    }),
  );
});

it("says when a past list is forgotten", () => {
  const store = new ObjectStore(1000);
  store.put("g/things", { metadata: { name: "a" } });
  const revision = store.revision;
  store.put("g/things", { metadata: { name: "b" } });
  store.compact();
  expect(store.listAt("g/things", undefined, revision)).toBeUndefined();
  expect(store.listAt("g/things", undefined, store.revision)).toHaveLength(2);
});
