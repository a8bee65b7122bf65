// Names, versions and status of a CRD.

import { expect, it } from "vitest";
import type { GetContext } from "../kube-target.ts";
import { type Crd, type CrdVersion, crds, install, kindOf, until, version, widget, widgetCrd } from "./sample-crd.ts";
import { refusal } from "./samples.ts";

const plain = version({ type: "object" });
type Change = (crd: Crd) => Crd;

const spec =
  (more: Readonly<Record<string, unknown>>): Change =>
  (crd) => ({ ...crd, spec: { ...crd.spec, ...more } });
const names = (more: Readonly<Record<string, unknown>>): Change =>
  spec({ names: { kind: "Widget", plural: "widgets", ...more } });
const first = (more: Readonly<Record<string, unknown>>): Change => spec({ versions: [{ ...plain, ...more }] });
const column = (more: Readonly<Record<string, unknown>>): Change =>
  first({ additionalPrinterColumns: [{ name: "x", type: "string", jsonPath: ".spec", ...more }] });
const webhook = (more: Readonly<Record<string, unknown>>): Change =>
  spec({ conversion: { strategy: "Webhook", ...more } });
const clientConfig = { url: "https://localhost/convert" };

const refused: readonly (readonly [what: string, change: Change, reason: string, field: string])[] = [
  [
    "a name that is not plural and group",
    (crd) => ({ ...crd, metadata: { name: `x${crd.metadata.name}` } }),
    "FieldValueInvalid",
    "metadata.name",
  ],
  ["an unknown scope", spec({ scope: "Galaxy" }), "FieldValueNotSupported", "spec.scope"],
  ["no storage version", first({ storage: false }), "FieldValueInvalid", "spec.versions"],
  [
    "two versions of one name",
    spec({ versions: [plain, { ...plain, storage: false }] }),
    "FieldValueInvalid",
    "spec.versions",
  ],
  ["no schema", first({ schema: {} }), "FieldValueRequired", "spec.versions[0].schema.openAPIV3Schema"],
  [
    "preserving unknown fields the old way",
    spec({ preserveUnknownFields: true }),
    "FieldValueInvalid",
    "spec.preserveUnknownFields",
  ],
  ["one name for kind and list", names({ listKind: "Widget" }), "FieldValueInvalid", "spec.names.listKind"],
  ["a short name with capitals", names({ shortNames: ["W"] }), "FieldValueInvalid", "spec.names.shortNames[0]"],
  [
    "a column without a path",
    column({ jsonPath: "" }),
    "FieldValueRequired",
    "spec.additionalPrinterColumns[0].JSONPath",
  ],
  [
    "a column path without a dot",
    column({ jsonPath: "spec" }),
    "FieldValueInvalid",
    "spec.additionalPrinterColumns[0].JSONPath",
  ],
  ["an unknown column type", column({ type: "foo" }), "FieldValueInvalid", "spec.additionalPrinterColumns[0].type"],
  [
    "a replica path outside of spec",
    first({ subresources: { scale: { specReplicasPath: ".x", statusReplicasPath: ".status.x" } } }),
    "FieldValueInvalid",
    "spec.subresources.scale.specReplicasPath",
  ],
  [
    "a selectable field that is not there",
    first({ selectableFields: [{ jsonPath: ".spec.zz" }] }),
    "FieldValueInvalid",
    "spec.selectableFields[0].jsonPath",
  ],
  [
    "an unknown conversion",
    spec({ conversion: { strategy: "Magic" } }),
    "FieldValueNotSupported",
    "spec.conversion.strategy",
  ],
  [
    "a review version nobody knows",
    webhook({ webhook: { clientConfig, conversionReviewVersions: ["v9"] } }),
    "FieldValueInvalid",
    "spec.conversion.conversionReviewVersions",
  ],
  [
    "a warning about a version that is not deprecated",
    first({ deprecationWarning: "x" }),
    "FieldValueInvalid",
    "spec.versions[0].deprecationWarning",
  ],
];

export function crdDefinitionBehaviours(get: GetContext): void {
  it.each(refused)("refuses %s", async (_, change, reason, field) => {
    const context = get();
    const error = await refusal(context.admin.create(crds, change(widgetCrd(context, [plain])), { dryRun: true }));
    expect(error).toMatchObject({ code: "Invalid", status: 422 });
    expect(error.causes).toContainEqual(expect.objectContaining({ reason, field }));
  });

  it("refuses a group of one word, and groups of Kubernetes itself without approval", async () => {
    const { admin, unique } = get();
    const inGroup = (group: string): Crd => ({ ...widgetCrd(get(), [plain]), metadata: { name: `widgets.${group}` } });
    const create = (group: string) => refusal(admin.create(crds, spec({ group })(inGroup(group)), { dryRun: true }));
    expect((await create(unique("word"))).causes).toMatchObject([{ field: "spec.group" }]);
    expect((await create("mainstay.k8s.io")).causes).toMatchObject([
      { field: "metadata.annotations[api-approved.kubernetes.io]" },
    ]);
  });

  it("fills in names and conversion", async () => {
    const created = await get().admin.create(crds, widgetCrd(get(), [plain]), { dryRun: true });
    expect(created.spec).toMatchObject({
      names: { singular: "widget", listKind: "WidgetList" },
      conversion: { strategy: "None" },
    });
  });

  it("establishes a CRD and says which names and versions it has", async () => {
    const context = get();
    const crd = names({ shortNames: ["wd"], categories: ["all-widgets"] })(widgetCrd(context, [plain]));
    await install(context, crd);
    const { status, spec: stored, metadata } = await context.admin.get(crds, crd.metadata);
    expect(status).toMatchObject({ acceptedNames: stored["names"], storedVersions: ["v1"] });
    expect(status?.["conditions"]).toMatchObject([
      { type: "NamesAccepted", status: "True", reason: "NoConflicts", lastTransitionTime: expect.stringMatching(/Z$/) },
      { type: "Established", status: "True", reason: "InitialNamesAccepted" },
    ]);
    expect(metadata.generation).toBe(1);
  });

  it("keeps group, scope and names", async () => {
    const context = get();
    const crd = widgetCrd(context, [plain]);
    await install(context, crd);
    const patch = (body: object) =>
      refusal(context.admin.patch(crds, crd.metadata, { type: "merge", body: { spec: body } }));
    for (const [body, field] of [
      [{ scope: "Cluster" }, "spec.scope"],
      [{ names: { kind: "Other" } }, "spec.names.kind"],
      [{ names: { plural: "others" } }, "spec.names.plural"],
    ] as const) {
      expect((await patch(body)).causes).toContainEqual(
        expect.objectContaining({ field, message: expect.stringContaining("field is immutable") }),
      );
    }
  });

  it("keeps a version in which objects may be stored", async () => {
    const context = get();
    const crd = widgetCrd(context, [plain]);
    await install(context, crd);
    const versions: readonly CrdVersion[] = [{ ...plain, name: "v2" }];
    const error = await refusal(
      context.admin.patch(crds, crd.metadata, { type: "merge", body: { spec: { versions } } }),
    );
    expect(error.causes).toMatchObject([{ reason: "FieldValueInvalid", field: "status.storedVersions[0]" }]);
  });

  it("gives a name to the CRD that had it first, and to the next when it is free", async () => {
    const context = get();
    const { admin, cleanup } = context;
    const firstCrd = widgetCrd(context, [plain]);
    await install(context, firstCrd);
    const group = String(firstCrd.spec["group"]);
    const second: Crd = {
      ...names({ plural: "gadgets", singular: "gadget" })(firstCrd),
      metadata: { name: `gadgets.${group}` },
    };
    await admin.create(crds, second);
    cleanup(() => admin.delete(crds, second.metadata));
    const conditions = async () =>
      ((await admin.get(crds, second.metadata)).status?.["conditions"] ?? []) as readonly {
        type: string;
        status: string;
        reason: string;
      }[];
    await until(async () => (await conditions()).length > 0);
    expect(await conditions()).toMatchObject([
      { type: "NamesAccepted", status: "False", reason: "ListKindConflict" },
      { type: "Established", status: "False", reason: "NotAccepted" },
    ]);
    await admin.delete(crds, firstCrd.metadata);
    await until(async () => (await conditions()).every(({ status }) => status === "True"));
    const gadgets = { ...kindOf(second), plural: "gadgets" };
    await until(async () =>
      admin.list(gadgets).then(
        () => true,
        () => false,
      ),
    );
  });

  it("takes the objects away with the CRD", async () => {
    const context = get();
    const crd = widgetCrd(context, [plain]);
    const kind = await install(context, crd);
    await context.admin.create(kind, widget(kind, { name: "gone", namespace: context.namespace }));
    await context.admin.delete(crds, crd.metadata);
    await until(async () =>
      context.admin.get(crds, crd.metadata).then(
        () => false,
        () => true,
      ),
    );
    await install(context, crd);
    expect((await context.admin.list(kind)).items).toEqual([]);
  });
}
