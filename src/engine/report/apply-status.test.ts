import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EngineWorld } from "../../../test/support/engine-world.ts";
import { nodes } from "../../apis/kube/builtin-kinds.ts";
import type { Condition, KubeObject } from "../../apis/kube/kube-object.ts";
import { conditionsOf } from "../../core/conditions.ts";
import type { Kube } from "../../ports/kube.ts";
import { type Specimen, specimens } from "../../sim/specimen/specimen-kind.ts";
import type { StatusReport } from "../feature.ts";
import { AppliedShapes, applyStatus } from "./apply-status.ts";
import { conditionSteps } from "./atomic-conditions.ts";

const ref = { name: "one", namespace: "default" };
const ready = { type: "Ready", status: "True" as const, reason: "AsExpected", message: "" };

async function bench(): Promise<{
  world: EngineWorld;
  report: (fields: Partial<StatusReport>) => Promise<boolean>;
  one: () => Promise<Specimen>;
}> {
  const world = new EngineWorld();
  await world.defineSpecimens();
  await world.make("one", { locations: [] });
  const shapes = new AppliedShapes();
  const one = (): Promise<Specimen> => world.specimen("one");
  const report = async (fields: Partial<StatusReport>): Promise<boolean> =>
    await applyStatus({ kind: specimens, ref, observed: await one(), status: {}, ...fields }, shapes, {
      kube: world.kube,
      feature: "test",
      nowMs: world.clock.nowMs(),
    });
  return { world, report, one };
}

describe("status by server-side apply", () => {
  test("is written once, and not again while the object says it", async () => {
    const { report, one } = await bench();
    expect(await report({ status: { readyLocations: ["a"] }, conditions: [ready] })).toBe(true);
    expect(await report({ status: { readyLocations: ["a"] }, conditions: [ready] })).toBe(false);
    expect((await one()).status).toMatchObject({
      readyLocations: ["a"],
      conditions: [{ type: "Ready", observedGeneration: 1 }],
    });
  });

  test("takes away a field of ours that another owner left behind, and is silent then", async () => {
    const { world, report, one } = await bench();
    await world.kube.patch(
      specimens,
      ref,
      { type: "merge", body: { status: { readyLocations: ["old"] } } },
      { subresource: "status" },
    );
    const wanted = { status: { readyLocations: undefined }, conditions: [ready] };
    for (let round = 0; round < 2; round += 1) await report(wanted);
    expect((await one()).status?.readyLocations).toBeUndefined();
    expect(await report(wanted)).toBe(false);
  });

  test("takes away a part of a field that another owner left behind, leaves the parts it does not speak of, and is silent then", async () => {
    const world = new EngineWorld();
    const node = { name: "n1" };
    await world.kube.create(nodes, { apiVersion: "v1", kind: "Node", metadata: node });
    const left = { nodeInfo: { bootID: "old", osImage: "theirs" } };
    await world.kube.patch(nodes, node, { type: "merge", body: { status: left } }, { subresource: "status" });
    const said = async () => await world.kube.get<KubeObject>(nodes, node);
    const status = { nodeInfo: { bootID: undefined, machineID: "ours" } };
    const shapes = new AppliedShapes();
    const options = { kube: world.kube, feature: "test", nowMs: 0 };
    const report = async () =>
      await applyStatus({ kind: nodes, ref: node, observed: await said(), status }, shapes, options);
    for (let round = 0; round < 2; round += 1) await report();
    expect(await said()).toMatchObject({ status: { nodeInfo: { osImage: "theirs", machineID: "ours" } } });
    expect(await said()).not.toHaveProperty("status.nodeInfo.bootID");
    expect(await report()).toBe(false);
  });

  test("leaves other owners' fields and conditions alone", async () => {
    const { world, report, one } = await bench();
    const foreign = {
      apiVersion: "sim.mainstay.dev/v1",
      kind: "Specimen",
      metadata: ref,
      status: { conditions: [{ type: "Theirs", status: "True" }] },
    };
    await world.kube.apply(specimens, foreign, { fieldManager: "somebody", subresource: "status" });
    await report({ conditions: [ready] });
    expect(
      conditionsOf(await one())
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual(["Ready", "Theirs"]);
  });

  test("takes back a field or a condition that is no longer reported", async () => {
    const { report, one } = await bench();
    await report({ status: { readyLocations: ["a"] }, conditions: [ready, { ...ready, type: "Extra" }] });
    expect(await report({ status: {}, conditions: [ready] })).toBe(true);
    expect((await one()).status?.readyLocations).toBeUndefined();
    expect(conditionsOf(await one()).map(({ type }) => type)).toEqual(["Ready"]);
  });

  test("is silent about a field that is no longer reported where storage went back to before it", async () => {
    const { world, report, one } = await bench();
    await report({ conditions: [ready] });
    const backup = world.api.backup();
    await report({ status: { readyLocations: ["a"] }, conditions: [ready, { ...ready, type: "Extra" }] });
    world.api.restore(backup);
    expect(await report({ conditions: [ready] })).toBe(false);
    expect(conditionsOf(await one()).map(({ type }) => type)).toEqual(["Ready"]);
  });

  test("takes a field as absent that is reported as undefined, also after a restart", async () => {
    const { world, report, one } = await bench();
    await report({ status: { readyLocations: ["a"] } });
    const afterRestart = { kind: specimens, ref, observed: await one(), status: { readyLocations: undefined } };
    await applyStatus(afterRestart, new AppliedShapes(), { kube: world.kube, feature: "test", nowMs: 0 });
    expect((await one()).status?.readyLocations).toBeUndefined();
  });

  test("arrives late without harm: a changed or recreated object is a conflict", async () => {
    const { world, report, one } = await bench();
    const observed = await one();
    await world.change("one", { locations: ["b"] });
    await expect(report({ observed, status: { readyLocations: ["a"] } })).rejects.toMatchObject({ code: "Conflict" });
    await world.kube.delete(specimens, ref);
    await expect(report({ observed, status: { readyLocations: ["a"] } })).rejects.toMatchObject({ code: "NotFound" });
    await world.make("one", { locations: [] });
    await expect(report({ observed, status: { readyLocations: ["a"] } })).rejects.toMatchObject({ code: "Conflict" });
    expect((await one()).status).toBeUndefined();
  });
});

describe("conditions in a list without keys", () => {
  async function node(): Promise<{ kube: Kube; world: EngineWorld; read: () => Promise<KubeObject> }> {
    const world = new EngineWorld();
    await world.kube.create(nodes, { apiVersion: "v1", kind: "Node", metadata: { name: "n1" } });
    return { kube: world.kube, world, read: () => world.kube.get(nodes, { name: "n1" }) };
  }

  const patched = async (kube: Kube, observed: KubeObject, types = ["Ours"]): Promise<boolean> =>
    await applyStatus(
      {
        kind: nodes,
        ref: { name: "n1" },
        observed,
        status: {},
        conditions: types.map((type) => ({ ...ready, type })),
        atomicConditionTypes: ["Ours", "AlsoOurs"],
      },
      new AppliedShapes(),
      {
        kube,
        feature: "test",
        nowMs: 0,
      },
    );

  test("are added beside those of others, and changed in place", async () => {
    const { kube, read } = await node();
    const theirs = [{ type: "Ready", status: "True", reason: "KubeletReady", message: "" }];
    await kube.patch(
      nodes,
      { name: "n1" },
      { type: "merge", body: { status: { conditions: theirs } } },
      { subresource: "status" },
    );
    expect(await patched(kube, await read())).toBe(true);
    expect(conditionsOf(await read()).map(({ type }) => type)).toEqual(["Ready", "Ours"]);
    expect(await patched(kube, await read())).toBe(false);
  });

  test("go when they are no longer reported, also after a restart, and those of others stay", async () => {
    const { kube, read } = await node();
    const theirs = [{ type: "Ready", status: "True", reason: "KubeletReady", message: "" }];
    const body = { status: { conditions: theirs } };
    await kube.patch(nodes, { name: "n1" }, { type: "merge", body }, { subresource: "status" });
    await patched(kube, await read(), ["AlsoOurs", "Ours"]);
    expect(await patched(kube, await read(), ["Ours"])).toBe(true);
    expect(conditionsOf(await read()).map(({ type }) => type)).toEqual(["Ready", "Ours"]);
    expect(await patched(kube, await read(), [])).toBe(true);
    expect(conditionsOf(await read()).map(({ type }) => type)).toEqual(["Ready"]);
    expect(await patched(kube, await read(), [])).toBe(false);
  });

  test("survive somebody who was faster", async () => {
    const { kube, read } = await node();
    const old = await read();
    const theirs = [{ type: "Ready", status: "False", reason: "KubeletNotReady", message: "" }];
    await kube.patch(
      nodes,
      { name: "n1" },
      { type: "merge", body: { status: { conditions: theirs } } },
      { subresource: "status" },
    );
    expect(await patched(kube, old)).toBe(true);
    expect(conditionsOf(await read())).toMatchObject([
      { type: "Ready", status: "False" },
      { type: "Ours", status: "True" },
    ]);
  });

  test("are not written to a recreated object", async () => {
    const { kube, read } = await node();
    const old = await read();
    await kube.delete(nodes, { name: "n1" });
    await kube.create(nodes, { apiVersion: "v1", kind: "Node", metadata: { name: "n1" } });
    await expect(patched(kube, old)).rejects.toMatchObject({ reason: "ObjectInvalid" });
    expect(conditionsOf(await read())).toEqual([]);
  });

  test("are changed by steps that touch our types only and end with them said", () => {
    const entry = fc.record({
      type: fc.constantFrom("A", "B", "C"),
      status: fc.constantFrom("True", "False"),
      reason: fc.constant("AsExpected"),
      message: fc.string(),
      lastTransitionTime: fc.constant("2026-01-01T00:00:00Z"),
    });
    const lists = fc.uniqueArray(entry as fc.Arbitrary<Condition>, { selector: ({ type }) => type });
    fc.assert(
      fc.property(fc.option(lists, { nil: undefined }), lists, (existing, wanted) => {
        const object = {
          apiVersion: "v1",
          kind: "Node",
          metadata: { name: "n" },
          ...(existing === undefined ? {} : { status: { conditions: existing } }),
        } as KubeObject;
        const list: Condition[] = [...(existing ?? [])];
        const ours = ["A", "B"];
        for (const step of conditionSteps(object, wanted, ours)) {
          const index = /^\/status\/conditions\/(\d+|-)$/.exec(step.path)?.[1];
          if (step.op === "remove") list.splice(Number(index), 1);
          if (index === undefined || !("value" in step)) continue;
          list.splice(
            index === "-" ? list.length : Number(index),
            step.op === "replace" ? 1 : 0,
            step.value as Condition,
          );
        }
        for (const condition of wanted) expect(list).toContainEqual(condition);
        const theirs = (conditions: readonly Condition[]) =>
          conditions.filter(({ type }) => !ours.includes(type) && !wanted.some((condition) => condition.type === type));
        expect(theirs(list)).toEqual(theirs(existing ?? []));
        expect(list.filter(({ type }) => ours.includes(type))).toHaveLength(
          wanted.filter(({ type }) => ours.includes(type)).length,
        );
      }),
    );
  });
});
