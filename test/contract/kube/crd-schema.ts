// A schema must be structural, or the CRD is refused at the very place.

import { expect, it } from "vitest";
import type { GetContext } from "../kube-target.ts";
import { acceptedSchemas, refusedSchemas } from "./crd-schema-cases.ts";
import { crds, version, widgetCrd } from "./sample-crd.ts";
import { refusal } from "./samples.ts";

const root = "spec.validation.openAPIV3Schema";

export function crdSchemaBehaviours(get: GetContext): void {
  const create = (a: object) => {
    const context = get();
    return context.admin.create(crds, widgetCrd(context, [version({ type: "object", properties: { a } })]), {
      dryRun: true,
    });
  };
  const createWithRoot = (openAPIV3Schema: object) => {
    const context = get();
    return context.admin.create(crds, widgetCrd(context, [{ ...version({}), schema: { openAPIV3Schema } }]), {
      dryRun: true,
    });
  };

  it.each(acceptedSchemas)("takes %s", async (_, schema) => {
    await expect(create(schema)).resolves.toMatchObject({ kind: "CustomResourceDefinition" });
  });

  it.each(refusedSchemas)("refuses %s", async (_, schema, reason, at) => {
    const error = await refusal(create(schema));
    expect(error).toMatchObject({ code: "Invalid", status: 422 });
    expect(error.causes).toMatchObject([{ reason, field: `${root}.properties[spec].properties[a].${at}` }]);
  });

  it("lets a schema restrict the name in metadata and nothing else", async () => {
    const metadata = (properties: object) => ({
      type: "object",
      properties: { metadata: { type: "object", properties } },
    });
    await expect(createWithRoot(metadata({ name: { type: "string", maxLength: 5 } }))).resolves.toBeDefined();
    const error = await refusal(createWithRoot(metadata({ labels: { type: "object" } })));
    expect(error.causes).toMatchObject([{ reason: "FieldValueForbidden", field: `${root}.properties[metadata]` }]);
  });

  it("wants an object at the root", async () => {
    const error = await refusal(createWithRoot({ type: "string" }));
    expect(error.causes).toMatchObject([{ reason: "FieldValueInvalid", field: `${root}.type` }]);
  });

  it("says in which version a schema is wrong", async () => {
    const context = get();
    const versions = [version({ type: "object" }), { ...version({}), name: "v2", storage: false }];
    const error = await refusal(context.admin.create(crds, widgetCrd(context, versions), { dryRun: true }));
    expect(error.causes).toMatchObject([
      { reason: "FieldValueRequired", field: "spec.versions[1].schema.openAPIV3Schema.properties[spec].type" },
    ]);
  });
}
