// A CRD with a rule that does not compile is refused; nothing is skipped.

import { expect, it } from "vitest";
import type { GetContext } from "../kube-target.ts";
import { expressionSchema, refused, valid } from "./cel-expressions.ts";
import { crds, version, widgetCrd } from "./sample-crd.ts";
import { refusal } from "./samples.ts";

const rulesAt = "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0]";

export function compileBehaviours(get: GetContext): void {
  const create = (rules: readonly Readonly<Record<string, unknown>>[], schema: object = expressionSchema) => {
    const context = get();
    const crd = widgetCrd(context, [version({ ...schema, "x-kubernetes-validations": rules })]);
    return context.admin.create(crds, crd, { dryRun: true });
  };

  it.each(valid)("takes %s", async (rule) => {
    await expect(create([{ rule }])).resolves.toMatchObject({ kind: "CustomResourceDefinition" });
  });

  it.each(refused)("refuses %s", async (rule) => {
    const error = await refusal(create([{ rule }]));
    expect(error).toMatchObject({ code: "Invalid", status: 422 });
    expect(error.causes).toMatchObject([{ reason: "FieldValueInvalid", field: `${rulesAt}.rule` }]);
  });

  it.each([
    ["an empty rule", { rule: "" }, "rule", "FieldValueRequired"],
    ["a message of two lines", { rule: "true", message: "a\nb" }, "message", "FieldValueInvalid"],
    [
      "a message expression that is no text",
      { rule: "true", messageExpression: "1" },
      "messageExpression",
      "FieldValueInvalid",
    ],
    [
      "a message expression that does not compile",
      { rule: "true", messageExpression: "self.nope" },
      "messageExpression",
      "FieldValueInvalid",
    ],
    ["an unknown reason", { rule: "true", reason: "Because" }, "reason", "FieldValueNotSupported"],
    ["a path to nowhere", { rule: "true", fieldPath: ".nope" }, "fieldPath", "FieldValueInvalid"],
    [
      "an optional oldSelf that is not used",
      { rule: "true", optionalOldSelf: true },
      "optionalOldSelf",
      "FieldValueInvalid",
    ],
  ])("refuses %s", async (_, rule, field, reason) => {
    const error = await refusal(create([rule]));
    expect(error.causes).toMatchObject([{ reason, field: `${rulesAt}.${field}` }]);
  });

  it("refuses oldSelf where the old item cannot be found", async () => {
    const items = { type: "integer", "x-kubernetes-validations": [{ rule: "self == oldSelf" }] };
    const list = { type: "array", maxItems: 3, items };
    const error = await refusal(create([], { type: "object", properties: { list } }));
    const at =
      "spec.validation.openAPIV3Schema.properties[spec].properties[list].items.x-kubernetes-validations[0].rule";
    expect(error.causes).toMatchObject([{ reason: "FieldValueInvalid", field: at }]);
  });

  it("refuses rules on what has no declared type", async () => {
    const free = { "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-validations": [{ rule: "true" }] };
    expect(await refusal(create([], { type: "object", properties: { free } }))).toMatchObject({ code: "Invalid" });
  });

  it("refuses a rule that would run far too often", async () => {
    const deep = { type: "string", maxLength: 9, "x-kubernetes-validations": [{ rule: "self == 'x'" }] };
    const lists = { type: "array", maxItems: 100_000, items: { type: "array", maxItems: 100_000, items: deep } };
    const error = await refusal(create([], { type: "object", properties: { lists } }));
    expect(error.causes.map(({ reason }) => reason)).toContain("FieldValueForbidden");
  });
}
