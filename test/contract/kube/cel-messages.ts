// What a refused rule says, where, and by which reason.

import { beforeAll, expect, it } from "vitest";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import type { GetContext } from "../kube-target.ts";
import { type Custom, install, version, widget, widgetCrd } from "./sample-crd.ts";
import { refusal } from "./samples.ts";

const text = { type: "string", maxLength: 20 };
const rules = (...list: readonly Readonly<Record<string, unknown>>[]) => ({ "x-kubernetes-validations": list });

const spec = {
  type: "object",
  properties: {
    plain: text,
    told: text,
    computed: text,
    broken: text,
    forbidden: text,
    needed: text,
    doubled: text,
    erring: text,
    number: { type: "integer", ...rules({ rule: "self > 3" }) },
    word: { ...text, ...rules({ rule: "self != 'bad'", message: "not that word" }) },
    map: {
      type: "object",
      maxProperties: 3,
      additionalProperties: { type: "integer", ...rules({ rule: "self < 10" }) },
    },
    list: {
      type: "array",
      maxItems: 3,
      items: { ...text, ...rules({ rule: "self != 'bad'" }) },
      ...rules({ rule: "self.size() != 2", message: "not two" }),
    },
    sub: { type: "object", properties: { x: text } },
    kind: { type: "string", enum: ["a"] },
    shape: { type: "string", pattern: "^a" },
  },
  ...rules(
    { rule: "!has(self.plain)" },
    { rule: "!has(self.told)", message: "told so" },
    { rule: "!has(self.computed)", messageExpression: "'computed: ' + self.computed" },
    { rule: "!has(self.broken)", message: "fallback", messageExpression: "self.list[7]" },
    { rule: "!has(self.forbidden)", reason: "FieldValueForbidden", message: "not here" },
    { rule: "!has(self.needed)", reason: "FieldValueRequired", fieldPath: ".sub.x", message: "need x" },
    { rule: "!has(self.doubled)", reason: "FieldValueDuplicate", fieldPath: ".map['a.b']" },
    { rule: "!has(self.erring) || self.list[7] == 'x'", message: "cannot tell" },
  ),
};

export function messageBehaviours(get: GetContext): void {
  let widgets: Kind<Custom>;

  beforeAll(async () => {
    const named = version(spec);
    const { openAPIV3Schema } = named["schema"] as { openAPIV3Schema: object };
    const root = rules({ rule: "self.metadata.name != 'reserved'", message: "name is reserved" });
    widgets = await install(
      get(),
      widgetCrd(get(), [{ ...named, schema: { openAPIV3Schema: { ...openAPIV3Schema, ...root } } }]),
    );
  });

  const create = (wanted: Readonly<Record<string, unknown>>, name = "case") => {
    const { admin, namespace } = get();
    return refusal(admin.create(widgets, widget(widgets, { name, namespace }, wanted), { dryRun: true }));
  };

  it.each([
    [
      "the rule itself, without a message",
      { plain: "x" },
      "FieldValueInvalid",
      "spec",
      "Invalid value: failed rule: !has(self.plain)",
    ],
    ["its message", { told: "x" }, "FieldValueInvalid", "spec", "Invalid value: told so"],
    ["its computed message", { computed: "x" }, "FieldValueInvalid", "spec", "Invalid value: computed: x"],
    [
      "its fixed message when the computed one fails",
      { broken: "x" },
      "FieldValueInvalid",
      "spec",
      "Invalid value: fallback",
    ],
    ["Forbidden", { forbidden: "x" }, "FieldValueForbidden", "spec", "Forbidden: not here"],
    ["Required, at the field it names", { needed: "x" }, "FieldValueRequired", "spec.sub.x", "Required value: need x"],
    ["Duplicate, at a key", { doubled: "x" }, "FieldValueDuplicate", "spec.map[a.b]", "Duplicate value"],
    [
      "the value of a scalar",
      { number: 1 },
      "FieldValueInvalid",
      "spec.number",
      "Invalid value: 1: failed rule: self > 3",
    ],
    ["the text of a string", { word: "bad" }, "FieldValueInvalid", "spec.word", 'Invalid value: "bad": not that word'],
    [
      "the key of a map",
      { map: { "a.b": 11 } },
      "FieldValueInvalid",
      "spec.map[a.b]",
      "Invalid value: 11: failed rule: self < 10",
    ],
    [
      "the index of an item",
      { list: ["bad"] },
      "FieldValueInvalid",
      "spec.list[0]",
      "Invalid value: \"bad\": failed rule: self != 'bad'",
    ],
    ["no value of a list", { list: ["a", "b"] }, "FieldValueInvalid", "spec.list", "Invalid value: not two"],
  ])("says %s", async (_, wanted, reason, field, message) => {
    expect((await create(wanted)).causes).toEqual([{ reason, field, message }]);
  });

  it("refuses when a rule cannot be evaluated", async () => {
    const { causes } = await create({ erring: "x", list: ["a"] });
    expect(causes).toMatchObject([
      { reason: "FieldValueInvalid", field: "spec", message: expect.stringContaining("evaluating rule: cannot tell") },
    ]);
  });

  it("sees the name of the object at the root", async () => {
    expect((await create({}, "reserved")).causes).toMatchObject([
      { reason: "FieldValueInvalid", message: expect.stringContaining("name is reserved") },
    ]);
  });

  it("asks rules also when a value has the wrong form", async () => {
    const fields = (await create({ shape: "b", number: 1 })).causes.map(({ field }) => field);
    expect(fields).toEqual(["spec.shape", "spec.number"]);
  });

  it.each([
    ["type", { number: "x" }, "FieldValueTypeInvalid"],
    ["choice", { kind: "b", number: 1 }, "FieldValueNotSupported"],
    ["length", { plain: "x".repeat(21), number: 1 }, "FieldValueTooLong"],
  ])("asks no rules of an object with a value of the wrong %s, and says so", async (_, wanted, reason) => {
    const { causes } = await create(wanted);
    expect(causes).toMatchObject([
      { reason },
      { reason: "FieldValueInvalid", field: "<nil>", message: expect.stringContaining("not checked") },
    ]);
  });
}
