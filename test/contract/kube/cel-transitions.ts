// Rules about a change: they run on updates, find the old value by key, and leave alone what has none.

import { beforeAll, expect, it } from "vitest";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import type { GetContext } from "../kube-target.ts";
import { type Custom, crds, install, kindOf, until, version, widget, widgetCrd } from "./sample-crd.ts";
import { refusal } from "./samples.ts";

const rules = (...list: readonly Readonly<Record<string, unknown>>[]) => ({ "x-kubernetes-validations": list });
const text = { type: "string", maxLength: 20 };
const grows = { type: "integer", ...rules({ rule: "self >= oldSelf", message: "only grows" }) };
const spec = {
  type: "object",
  properties: {
    fixed: { ...text, ...rules({ rule: "self == oldSelf", message: "fixed" }) },
    map: { type: "object", maxProperties: 4, additionalProperties: grows },
    items: {
      type: "array",
      maxItems: 4,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { type: "object", required: ["name"], properties: { name: text, size: grows } },
    },
    counter: {
      type: "integer",
      ...rules({ rule: "oldSelf.hasValue() ? self > oldSelf.value() : self == 1", optionalOldSelf: true }),
    },
    other: text,
  },
  ...rules({ rule: "!has(oldSelf.fixed) || has(self.fixed)", message: "fixed stays" }),
};

export function transitionBehaviours(get: GetContext): void {
  let widgets: Kind<Custom>;

  beforeAll(async () => {
    widgets = await install(get(), widgetCrd(get(), [version(spec)]));
  });

  async function given(wanted: Readonly<Record<string, unknown>>) {
    const { admin, namespace, unique } = get();
    const { metadata } = await admin.create(widgets, widget(widgets, { name: unique("change"), namespace }, wanted));
    return (body: Readonly<Record<string, unknown>>) =>
      admin.patch(widgets, metadata, { type: "merge", body: { spec: body } });
  }

  /** An object from before its definition got stricter; the answer changes its spec. */
  async function storedBefore(plain: object, stricter: object, wanted: Readonly<Record<string, unknown>>) {
    const context = get();
    const { admin, namespace } = context;
    const crd = widgetCrd(context, [version({ type: "object", properties: plain })]);
    const kind = await install(context, crd);
    const { metadata } = await admin.create(kind, widget(kind, { name: "old", namespace }, wanted));
    const versions = [version({ type: "object", properties: { ...plain, ...stricter } })];
    await admin.patch(crds, { name: crd.metadata.name }, { type: "merge", body: { spec: { versions } } });
    await until(async () => {
      const fresh = widget(kind, { name: "fresh", namespace }, wanted);
      return admin.create(kind, fresh, { dryRun: true }).then(
        () => false,
        () => true,
      );
    });
    return (body: object) => admin.patch(kindOf(crd), metadata, { type: "merge", body: { spec: body } });
  }

  it("lets anything be created that only a change could break", async () => {
    await expect(given({ fixed: "x", map: { a: 1 }, items: [{ name: "a", size: 1 }] })).resolves.toBeTypeOf("function");
  });

  it("refuses to change what is fixed, and to take it away", async () => {
    const patch = await given({ fixed: "x" });
    expect((await refusal(patch({ fixed: "y" }))).causes).toMatchObject([
      { field: "spec.fixed", message: 'Invalid value: "y": fixed' },
    ]);
    expect((await refusal(patch({ fixed: null }))).causes).toMatchObject([
      { field: "spec", message: "Invalid value: fixed stays" },
    ]);
    await expect(patch({ fixed: "x", other: "z" })).resolves.toMatchObject({ spec: { other: "z" } });
  });

  it("lets a fixed field be set later", async () => {
    const patch = await given({ other: "x" });
    await expect(patch({ fixed: "y" })).resolves.toMatchObject({ spec: { fixed: "y" } });
  });

  it("finds the old value in a map by its key", async () => {
    const patch = await given({ map: { a: 5 } });
    expect((await refusal(patch({ map: { a: 4 } }))).causes).toMatchObject([
      { field: "spec.map[a]", message: "Invalid value: 4: only grows" },
    ]);
    await expect(patch({ map: { b: 1 } })).resolves.toMatchObject({ spec: { map: { a: 5, b: 1 } } });
  });

  it("finds the old item of a list by its name, wherever it stands", async () => {
    const patch = await given({
      items: [
        { name: "a", size: 5 },
        { name: "b", size: 1 },
      ],
    });
    const moved = await refusal(
      patch({
        items: [
          { name: "b", size: 1 },
          { name: "a", size: 4 },
        ],
      }),
    );
    expect(moved.causes).toMatchObject([{ field: "spec.items[1].size" }]);
    await expect(
      patch({
        items: [
          { name: "c", size: 0 },
          { name: "a", size: 6 },
        ],
      }),
    ).resolves.toMatchObject({ kind: "Widget" });
  });

  it("runs a rule with an optional old value on creation too", async () => {
    const { admin, namespace } = get();
    const created = (counter: number) =>
      admin.create(widgets, widget(widgets, { name: "counter", namespace }, { counter }), { dryRun: true });
    await expect(created(1)).resolves.toMatchObject({ spec: { counter: 1 } });
    expect((await refusal(created(2))).causes).toMatchObject([{ field: "spec.counter" }]);
    const patch = await given({ counter: 1 });
    expect((await refusal(patch({ counter: 1, other: "x" }))).causes).toMatchObject([{ field: "spec.counter" }]);
    await expect(patch({ counter: 2 })).resolves.toMatchObject({ spec: { counter: 2 } });
  });

  it("lets old objects live when a rule comes later, until the value changes", async () => {
    const plain = { word: text, other: text };
    const stricter = { word: { ...text, maxLength: 3, ...rules({ rule: "self != 'long'" }) } };
    const patch = await storedBefore(plain, stricter, { word: "long" });
    await expect(patch({ other: "x" })).resolves.toMatchObject({ spec: { word: "long", other: "x" } });
    expect((await refusal(patch({ word: "longer" }))).causes[0]).toMatchObject({ field: "spec.word" });
  });

  it("never takes an object for unchanged that has fields which nobody declared", async () => {
    const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { known: text } };
    const plain = { open, other: text };
    for (const stricter of [rules({ rule: "false" }), { maxProperties: 0 }]) {
      const later = { open: { ...open, ...stricter } };
      const strange = await storedBefore(plain, later, { open: { known: "a", strange: "b" } });
      expect((await refusal(strange({ other: "x" }))).causes[0]).toMatchObject({ field: "spec.open" });
      const known = await storedBefore(plain, later, { open: { known: "a" } });
      await expect(known({ other: "x" })).resolves.toMatchObject({ spec: { other: "x" } });
    }
  });
}
