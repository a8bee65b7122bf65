import { describe, expect, test } from "vitest";
import {
  beds,
  eventAbout,
  gates,
  hiddenName,
  logged,
  planFor,
  reports,
  SampleInsight,
  thing,
  viewerOf,
  withCondition,
} from "../../../test/support/sample-insight.ts";
import { factsOf } from "../../core/reasons.ts";
import { systemOpaqueIds } from "../../drivers/system/system-opaque-ids.ts";
import type { ManagerInfo } from "../contract.ts";
import { requireSomeRight, ViewerWorld } from "./viewer-world.ts";

const rose = { namespace: "north", name: "rose" };
const everything = ["beds", "bedreports", "configmaps", "events"];
const opaqueIds = systemOpaqueIds();

function garden() {
  const insight = new SampleInsight();
  insight.objects.push([beds, thing(beds, "north", "rose")], [beds, thing(beds, "south", "fern")]);
  insight.plans.push(planFor(rose));
  insight.records.push(logged(1, rose), logged(2, { namespace: "south", name: "fern" }), logged(3, rose));
  const as = (...rights: readonly string[]) => new ViewerWorld({ insight, opaqueIds }, viewerOf(...rights));
  return { insight, as };
}

const detailOf = async (world: ViewerWorld) => await world.detail("beds.garden.test", rose);

describe("what the manager lacks", () => {
  const info = { missing: [`${hiddenName} cannot be listed`] } as unknown as ManagerInfo;

  test("is told in words to whoever may list all that its controllers read", async () => {
    expect(
      (
        await garden()
          .as(...everything)
          .ofManager(info)
      ).missing,
    ).toEqual(info.missing);
  });

  test("names nothing for a limited viewer", async () => {
    const { missing } = await garden().as("beds").ofManager(info);
    expect(missing).toHaveLength(1);
    expect(JSON.stringify(missing)).not.toContain(hiddenName);
  });
});

describe("rights", () => {
  test("of a viewer outlive the last object they could see", async () => {
    const { insight, as } = garden();
    const before = await as("beds/north").rights();
    insight.objects.splice(0, insight.objects.length);
    expect(before).not.toBe("");
    expect(await as("beds/north").rights()).toBe(before);
  });
});

describe("free words", () => {
  test("of plan and history are whole for whoever may list all that the controller reads", async () => {
    const detail = await detailOf(garden().as(...everything));
    const [plan] = detail?.plans ?? [];
    expect(plan?.actions[0]).toMatchObject({
      words: `water by ${hiddenName}`,
      lane: hiddenName,
      removes: hiddenName,
      failure: { message: `waits for ${hiddenName}` },
    });
    for (const said of [plan?.waits[0], plan?.refusals[0], plan?.troubles[0]])
      expect(said?.message).toBe(`waits for ${hiddenName}`);
    expect(detail?.history.map((entry) => entry.message)).toEqual([`${hiddenName} is shut`, `${hiddenName} is shut`]);
  });

  test("of the plans become the closed table's words for a limited viewer", async () => {
    const [plan] = (await detailOf(garden().as("beds")))?.plans ?? [];
    expect(JSON.stringify(plan)).not.toContain(hiddenName);
    expect(plan?.actions[0]).toMatchObject({
      action: "water",
      words: "water because ObjectNotFound",
      result: "failed",
    });
    expect(plan?.waits[0]?.message).toBe(factsOf("ApiUnreachable").summary);
    expect([plan?.refusals.length, plan?.troubles.length]).toEqual([1, 1]);
  });

  test("of the plans do not reach a limited viewer by the object's sentence either", async () => {
    const { as } = garden();
    const { objects } = await as("beds").objects();
    expect(objects.map(({ sentence }) => sentence).join()).not.toContain(hiddenName);
    expect(objects.find(({ id }) => id.name === "rose")).toMatchObject({
      health: "degraded",
      reason: "ApiUnreachable",
    });
    const full = await as(...everything).summary(beds, rose);
    expect(full?.sentence).toContain(hiddenName);
  });

  test("of the history become the closed table's words for a limited viewer", async () => {
    const { history = [] } = (await detailOf(garden().as("beds"))) ?? {};
    expect(history.map(({ words }) => words)).toEqual(["water because ObjectNotFound", "water because ObjectNotFound"]);
    expect(JSON.stringify(history)).not.toContain(hiddenName);
  });

  test("of the log become the closed table's words for a limited viewer", async () => {
    const { entries } = await garden().as("beds").log({ limit: 10 });
    expect(entries.map(({ words }) => words)).toEqual(Array(3).fill("water because ObjectNotFound"));
    expect(JSON.stringify(entries)).not.toContain(hiddenName);
  });

  test("need the right where the controller reads, and no more than that", async () => {
    const { as } = garden();
    expect((await detailOf(as("beds", "configmaps/yard")))?.plans[0]?.actions[0]?.lane).toBe(hiddenName);
    expect(JSON.stringify(await detailOf(as("beds", "configmaps/north")))).not.toContain(hiddenName);
    expect(JSON.stringify(await detailOf(as("beds/north", "configmaps/yard")))).not.toContain(hiddenName);
  });
});

describe("a report", () => {
  const reported = () => {
    const world = garden();
    world.insight.plans.length = 0;
    world.insight.objects.push([reports, withCondition(thing(reports, "north", "rose"), "the tap is shut")]);
    return world;
  };

  test("speaks of its object to whoever may see the report", async () => {
    const detail = await detailOf(reported().as(...everything));
    expect(detail?.conditions.map(({ message }) => message)).toEqual(["the tap is shut"]);
    expect(detail?.relations.map(({ relation, id }) => [relation, id.kind])).toEqual([["report", "BedReport"]]);
    expect(detail?.sentence).toContain("the tap is shut");
  });

  test("is as if it were not there for whoever may not: in conditions, health, sentence and relations", async () => {
    const world = reported().as("beds", "configmaps");
    const detail = await detailOf(world);
    expect([detail?.conditions, detail?.relations, detail?.health]).toEqual([[], [], "unknown"]);
    expect(JSON.stringify([detail, await world.objects()])).not.toContain("tap");
  });

  test("names its subject to whoever may see that", async () => {
    const world = reported();
    const relations = async (...rights: readonly string[]) =>
      (await world.as(...rights).detail("bedreports.garden.test", rose))?.relations.map(({ relation }) => relation);
    expect(await relations(...everything)).toEqual(["subject"]);
    expect(await relations("bedreports")).toEqual([]);
  });
});

describe("objects", () => {
  test("are shown where they may be listed; kinds with hidden ones are named", async () => {
    const { as } = garden();
    const seen = async (...rights: readonly string[]) => {
      const { objects, hiddenKinds } = await as(...rights).objects();
      return [objects.map(({ id }) => id.name), hiddenKinds];
    };
    expect(await seen(...everything)).toEqual([["rose", "fern"], []]);
    expect(await seen("beds/south", "bedreports")).toEqual([["fern"], ["beds.garden.test"]]);
    expect(await seen()).toEqual([[], ["beds.garden.test", "bedreports.garden.test"]]);
  });

  test("that may not be seen are not found, one by one", async () => {
    const south = garden().as("beds/south");
    expect(await south.detail("beds.garden.test", rose)).toBeUndefined();
    expect(await south.summary(beds, rose)).toBeUndefined();
    expect(await south.maySee(beds, rose)).toBe(false);
    expect(
      await garden()
        .as(...everything)
        .detail("configmaps", rose),
    ).toBeUndefined();
  });

  test("that belong together name each other, once each, to whoever may see them", async () => {
    const { insight, as } = garden();
    const owner = { apiVersion: "garden.test/v1", kind: "Bed", name: "rose", uid: "uid-beds-rose" };
    const foreignOwners = [
      { ...owner, apiVersion: "forest.test/v1", name: "rose", uid: "x" },
      { ...owner, kind: "Cloud", uid: "y" },
    ];
    const bud = thing(beds, "north", "bud", { ownerReferences: [owner, ...foreignOwners] });
    const gate = thing(gates, "north", hiddenName);
    insight.objects.push([beds, bud], [reports, thing(reports, "north", "rose")]);
    insight.inputs.push([gates, gate], [beds, bud], [reports, insight.object(reports, rose) ?? gate]);
    const related = async (...rights: readonly string[]) =>
      (await detailOf(as(...rights)))?.relations.map(({ relation, id }) => `${relation} ${id.name}`);
    expect(await related(...everything)).toEqual(["report rose", "owned bud", `input ${hiddenName}`]);
    expect(await related("beds/north")).toEqual(["owned bud"]);
    const mine = await as(...everything).detail("beds.garden.test", { namespace: "north", name: "bud" });
    const owners = mine?.relations.filter(({ relation }) => relation === "owner");
    expect(owners?.map(({ id }) => `${id.kind} ${id.namespace}/${id.name}`)).toEqual(["Bed north/rose"]);
  });

  test("of one history are told apart by kind, namespace and name", async () => {
    const { insight, as } = garden();
    insight.records.push(logged(4, { namespace: "south", name: "rose" }), logged(5, rose, { kind: reports }));
    const { history = [] } = (await detailOf(as(...everything))) ?? {};
    expect(history.map(({ time }) => Date.parse(time))).toEqual([3, 1]);
  });

  test("of one history have their own lines and no more than fifty", async () => {
    const { insight, as } = garden();
    const elsewhere = [
      logged(4, { namespace: "south", name: "rose" }),
      logged(5, rose, { kind: reports }),
      ...Array.from({ length: 60 }, (_, index) => logged(10 + index, rose, { because: "AsExpected" })),
    ];
    insight.records.push(...elsewhere);
    const { history = [] } = (await detailOf(as(...everything))) ?? {};
    expect(history).toHaveLength(50);
    expect(history.every(({ because, object }) => because === "AsExpected" && object.kind === "Bed")).toBe(true);
    expect(history[0]?.time).toBe(new Date(69).toISOString());
  });
});

describe("events", () => {
  const eventful = () => {
    const world = garden();
    world.insight.events = async () => [eventAbout(thing(beds, "north", "rose"))];
    return world;
  };
  const count = async (world: ViewerWorld) => (await detailOf(world))?.events.length;

  test("go to whoever may list events in the object's namespace", async () => {
    expect(await count(eventful().as("beds", "events/north"))).toBe(1);
    expect(await count(eventful().as("beds", "events/default"))).toBe(0);
    expect(await count(eventful().as("beds"))).toBe(0);
  });

  test("that a viewer may not list are told as a missing right, not as none", async () => {
    const missing = async (world: ViewerWorld) => (await detailOf(world))?.missingRights;
    expect(await missing(eventful().as("beds", "events/north"))).toBeUndefined();
    expect(await missing(eventful().as("beds"))).toEqual(["list events.events.k8s.io in north"]);
  });

  test("of an object without a namespace lie in the default one", async () => {
    const { insight, as } = eventful();
    const { namespace: _none, ...metadata } = thing(beds, "", "moss").metadata;
    insight.objects.push([beds, { apiVersion: "garden.test/v1", kind: "Bed", metadata }]);
    const events = async (right: string) =>
      (await as("beds", right).detail("beds.garden.test", { name: "moss" }))?.events.length;
    expect([await events("events/default"), await events("events/north")]).toEqual([1, 0]);
  });

  test("that cannot be had leave the rest of the page", async () => {
    const { insight, as } = garden();
    insight.events = () => Promise.reject(new Error("away"));
    expect(await detailOf(as(...everything))).toMatchObject({ events: [], what: "Where things grow." });
  });
});

describe("the log", () => {
  test("pages backwards by ids; a forgotten or made-up id has nothing before it", async () => {
    const { insight, as } = garden();
    insight.records.splice(0, 3, ...Array.from({ length: 7 }, (_, index) => logged(index + 1, rose)));
    const world = as(...everything);
    const times = (entries: readonly { readonly time: string }[]) => entries.map(({ time }) => Date.parse(time));
    const first = await world.log({ limit: 3 });
    expect([times(first.entries), first.more]).toEqual([[7, 6, 5], true]);
    const second = await world.log({ limit: 4, before: first.entries.at(-1)?.id ?? "" });
    expect([times(second.entries), second.more]).toEqual([[4, 3, 2, 1], false]);
    for (const before of ["7", "nonsense"])
      expect(await world.log({ limit: 3, before })).toEqual({ entries: [], more: false });
  });

  test("has more only when there is more that this viewer may see", async () => {
    const { insight, as } = garden();
    insight.records.splice(0, 3, logged(1, { namespace: "south", name: "fern" }), logged(2, rose));
    expect((await as("beds/north").log({ limit: 1 })).more).toBe(false);
    expect((await as("beds").log({ limit: 1 })).more).toBe(true);
  });

  test("can be asked for some of it", async () => {
    const { entries } = await garden()
      .as(...everything)
      .log({ limit: 9, about: ({ key }) => key.name === "fern" });
    expect(entries.map(({ object }) => object.name)).toEqual(["fern"]);
  });
});

describe("what is counted over everybody's objects", () => {
  test("does not show in ids of the log, and an entry has one id wherever it is seen", async () => {
    const { as } = garden();
    const { entries } = await as("beds/north").log({ limit: 10 });
    const { history = [] } = (await detailOf(as("beds/north"))) ?? {};
    expect(entries.map(({ id }) => id)).toEqual(history.map(({ id }) => id));
    expect(new Set(entries.map(({ id }) => id)).size).toBe(2);
    for (const { id } of [...entries, ...history]) expect(id).toMatch(/^[\w-]{22}$/);
  });

  test("does not show in an object's revision, which still changes with its plan", async () => {
    const { insight, as } = garden();
    const world = as("beds/north");
    const revisions = async () => [(await world.summary(beds, rose))?.revision, (await detailOf(world))?.revision];
    const [before, inDetail] = await revisions();
    expect(before).toMatch(/^[\w-]{22}$/);
    expect([inDetail, (await revisions())[0]]).toEqual([before, before]);
    insight.plans[0] = planFor(rose, { revision: 900 });
    expect((await revisions())[0]).not.toBe(before);
  });

  test("means nothing to another server", async () => {
    const { insight, as } = garden();
    const other = new ViewerWorld({ insight, opaqueIds: systemOpaqueIds() }, viewerOf(...everything));
    const [ours, theirs] = [await as(...everything).log({ limit: 9 }), await other.log({ limit: 9 })];
    const ids = [...ours.entries, ...theirs.entries].map(({ id }) => id);
    expect(new Set(ids).size).toBe(6);
    expect(await other.log({ limit: 9, before: ids[0] ?? "" })).toEqual({ entries: [], more: false });
  });
});

describe("rights in one word", () => {
  test("are empty for a viewer who may see nothing of ours, and such a viewer is refused", async () => {
    for (const rights of [[], ["configmaps"], ["beds/nowhere"]]) {
      const world = garden().as(...rights);
      expect([rights, await world.rights()]).toEqual([rights, ""]);
      await expect(requireSomeRight(world)).rejects.toMatchObject({ code: "forbidden" });
    }
    const world = garden().as("beds/north");
    await expect(requireSomeRight(world)).resolves.toBe(await world.rights());
  });

  test("differ with everything that makes a difference to what is seen", async () => {
    const { insight, as } = garden();
    const somebodyElse = { ...viewerOf("beds"), name: "another" };
    const words = await Promise.all([
      as("beds").rights(),
      as("beds/north").rights(),
      as("beds/south").rights(),
      as("beds/north", "beds/south").rights(),
      as("beds", "bedreports").rights(),
      as("beds", "configmaps/yard").rights(),
      as("beds", "configmaps/wall").rights(),
      new ViewerWorld({ insight, opaqueIds }, somebodyElse).rights(),
    ]);
    expect(new Set(words).size).toBe(words.length);
    expect(await as("beds").rights()).toBe(words[0]);
  });
});

describe("what was only read to plan for an object", () => {
  const gate = { namespace: "yard", name: hiddenName };
  const withGate = () => {
    const world = garden();
    world.insight.objects.push([gates, thing(gates, "yard", hiddenName)]);
    world.insight.inputs.push([gates, thing(gates, "yard", hiddenName)]);
    return world;
  };

  test("has a page and its YAML for whoever may list its kind, and for nobody else", async () => {
    const { as } = withGate();
    expect(await as(...everything).detail("configmaps", gate)).toMatchObject({
      health: "unknown",
      sentence: "Not managed by Mainstay: it is only read.",
    });
    expect(await as(...everything).yaml("configmaps", gate)).toContain(`name: ${hiddenName}`);
    expect(await as("beds").detail("configmaps", gate)).toBeUndefined();
    expect(await as("beds").yaml("configmaps", gate)).toBeUndefined();
  });

  test("is in no list of objects", async () => {
    const { objects } = await withGate()
      .as(...everything)
      .objects();
    expect(objects.map(({ id }) => id.resource)).not.toContain("configmaps");
  });

  test("is in an object's picture only for whoever may list its kind", async () => {
    const { insight, as } = withGate();
    const nodes = (names: readonly string[]) =>
      names.map((name) => ({ id: name, name, health: "healthy" as const, word: "open" }));
    const picture = {
      ...insight.shown[0],
      kind: beds,
      what: "",
      controllers: [],
      picture: ({
        related,
      }: {
        readonly related: readonly { readonly object: { readonly metadata: { readonly name: string } } }[];
      }) => ({
        reach: { health: "healthy" as const, words: "" },
        columns: [{ title: "Gates", nodes: nodes(related.map(({ object }) => object.metadata.name)) }],
        edges: [],
      }),
    };
    Object.assign(insight, { shown: [picture] });
    expect(JSON.stringify((await detailOf(as(...everything)))?.picture)).toContain(hiddenName);
    expect(JSON.stringify((await detailOf(as("beds")))?.picture)).not.toContain(hiddenName);
  });
});

describe("YAML of an object", () => {
  test("leaves out managedFields and what kubectl keeps of an earlier version", async () => {
    const { insight, as } = garden();
    const metadata = {
      managedFields: [{ manager: "mainstay" }],
      annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}", kept: "yes" },
    };
    insight.objects.push([beds, thing(beds, "north", "lily", metadata)]);
    const yaml = await as("beds").yaml("beds.garden.test", { namespace: "north", name: "lily" });
    expect(yaml).toMatch(/kind: Bed\n[^]*name: lily/);
    expect(yaml).toContain("kept: yes");
    expect(yaml).not.toMatch(/managedFields|last-applied/);
  });

  test("is never one of a Secret, whoever asks", async () => {
    const { insight, as } = garden();
    const secrets = { group: "", version: "v1", kind: "Secret", plural: "secrets", namespaced: true };
    insight.objects.push([secrets, thing(secrets, "north", "rose")]);
    Object.assign(insight, { readBy: () => [{ kind: secrets }] });
    expect(await as("secrets", ...everything).yaml("secrets", rose)).toBeUndefined();
    expect(await as("secrets", ...everything).detail("secrets", rose)).toBeUndefined();
  });
});
