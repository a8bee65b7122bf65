import { describe, expect, test } from "vitest";
import { type Kind, type KubeObject, resourceName } from "../../apis/kube/kube-object.ts";
import { KubeError, type KubeErrorCode } from "../../core/kube-error.ts";
import type { KubeReader, ListQuery } from "../../ports/kube.ts";
import { watch } from "../feature.ts";
import { firstServedVersion, inVersions } from "./first-served-version.ts";
import { observeOnce } from "./observe-once.ts";

const gardens: Kind = { group: "g", version: "v1", kind: "Garden", plural: "gardens", namespaced: true };
const plants: Kind = { group: "g", version: "v1", kind: "Plant", plural: "plants", namespaced: true };
const key = { namespace: "home", name: "front" };

function kubeError(code: KubeErrorCode): KubeError {
  return new KubeError({ code, message: "no", operation: "o" } as never);
}

/** A server with one garden, and a note of every list that it was asked for. */
function serverWith(refused: Readonly<Record<string, KubeErrorCode>> = {}) {
  const lists: [string, ListQuery][] = [];
  const garden = { apiVersion: "g/v1", kind: "Garden", metadata: key };
  const answer = <T>(verb: string, kind: Kind, value: T): T => {
    const code = refused[`${verb} ${kind.plural}`];
    if (code !== undefined) throw kubeError(code);
    return value;
  };
  const kube = {
    get: async (kind: Kind) => answer("get", kind, garden),
    list: async (kind: Kind, { limit: _, ...query }: ListQuery) => {
      lists.push([resourceName(kind), query]);
      return answer("list", kind, { items: kind === plants ? [] : [garden], metadata: {} });
    },
  } as unknown as KubeReader;
  return { kube, lists };
}

const gardening = {
  name: "gardening",
  root: gardens,
  watches: [
    watch({ kind: gardens, keys: () => [] }),
    watch({
      kind: plants,
      keys: () => [],
      optional: true,
      concerning: ({ metadata }: KubeObject) => ({
        namespace: metadata.namespace ?? "",
        labelSelector: `garden=${metadata.name}`,
      }),
    }),
  ],
  observe: async () => "observed",
};

const clock = { nowMs: () => 7, monotonicMs: () => 3 };

describe("observing once", () => {
  test("reads of each kind what concerns the object, and all of those that do not say what does", async () => {
    const { kube, lists } = serverWith();
    expect(await observeOnce(gardening, key, { kube, clock })).toEqual({
      found: "observed",
      observed: "observed",
      nowMs: 7,
      unread: [],
      // The root itself is not among what was read for it.
      related: [{ kind: plants, object: expect.objectContaining({ metadata: key }) }],
    });
    expect(lists).toEqual([
      ["gardens.g", {}],
      ["plants.g", { namespace: "home", labelSelector: "garden=front" }],
    ]);
  });

  test("keeps to the manager's own namespace and label", async () => {
    const watchFilter = "mine";
    const label = "cluster.x-k8s.io/watch-filter=mine";
    const inside = serverWith();
    await observeOnce(gardening, key, { ...inside, clock, scope: { namespace: "home", watchFilter } });
    expect(inside.lists).toEqual([
      ["gardens.g", { namespace: "home", labelSelector: label }],
      ["plants.g", { namespace: "home", labelSelector: "garden=front" }],
    ]);
    const outside = serverWith();
    await observeOnce(gardening, key, { ...outside, clock, scope: { namespace: "elsewhere" } });
    expect(outside.lists.map(([, query]) => query)).toEqual([{ namespace: "elsewhere" }, { namespace: "elsewhere" }]);
  });

  test.each(["NotFound", "Forbidden", "KindNotServed"] as const)(
    "reads everything where the object itself cannot be read (%s), for nobody knows what concerns it",
    async (code) => {
      const { kube, lists } = serverWith({ "get gardens": code });
      await observeOnce(gardening, key, { kube, clock });
      expect(lists.map(([, query]) => query)).toEqual([{}, {}]);
    },
  );

  test("goes by the object as it would be, where that is given", async () => {
    const { kube, lists } = serverWith({ "get gardens": "Forbidden" });
    const root = { apiVersion: "g/v1", kind: "Garden", metadata: { ...key, name: "back" } };
    await observeOnce(gardening, key, { kube, clock, root });
    expect(lists[1]).toEqual(["plants.g", { namespace: "home", labelSelector: "garden=back" }]);
  });

  test("does without a kind that is optional, and says so; without another it cannot", async () => {
    const withoutPlants = serverWith({ "list plants": "Forbidden" });
    expect(await observeOnce(gardening, key, { ...withoutPlants, clock })).toMatchObject({
      found: "observed",
      unread: ["plants.g may not be listed"],
    });
    const withoutGardens = serverWith({ "list gardens": "KindNotServed" });
    expect(await observeOnce(gardening, key, { ...withoutGardens, clock })).toEqual({
      found: "blind",
      missing: ["gardens.g is not served"],
    });
  });
});

describe("the first served version", () => {
  const ask = (served: Readonly<Record<string, string | KubeErrorCode>>) =>
    firstServedVersion(inVersions(gardens, ["v2", "v1"]), async ({ version }) => {
      const answer = served[version] ?? "KindNotServed";
      if (answer === "NotFound" || answer === "KindNotServed" || answer === "Forbidden") throw kubeError(answer);
      return answer;
    });

  test("answers, and the others are not asked", async () => {
    expect(await ask({ v2: "two", v1: "one" })).toBe("two");
    expect(await ask({ v2: "NotFound", v1: "one" })).toBe("one");
    expect(await ask({})).toBeUndefined();
  });

  test("that may not be read ends the asking: no other version would be allowed", async () => {
    await expect(ask({ v2: "Forbidden", v1: "one" })).rejects.toMatchObject({ code: "Forbidden" });
  });
});
