import { describe, expect, it } from "vitest";
import type { JsonObject } from "../schema/json-value.ts";
import { objectAt } from "../schema/json-value.ts";
import { crdResource } from "./crd-resource.ts";
import { withCrdStatus } from "./crd-status.ts";

function crd(plural: string, names: JsonObject = {}, versions: readonly JsonObject[] = [version("v1")]): JsonObject {
  const kind = `${plural.charAt(0).toUpperCase()}${plural.slice(1, -1)}`;
  const all = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List`, ...names };
  return {
    metadata: { name: `${plural}.example.test` },
    spec: { group: "example.test", scope: "Namespaced", names: all, versions },
  };
}

function version(name: string, more: JsonObject = {}): JsonObject {
  return { name, served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } }, ...more };
}

const noon = "2026-01-01T12:00:00Z";
const later = "2026-01-01T13:00:00Z";

describe("the status of a CRD", () => {
  it("keeps a CRD established when a later one wants its names", () => {
    const first = withCrdStatus(crd("apples", { shortNames: ["a"] }), [], noon);
    const second = withCrdStatus(crd("avocados", { shortNames: ["a"] }), [first], later);
    expect(objectAt(second, "status").conditions).toMatchObject([
      { type: "NamesAccepted", status: "False", reason: "ShortNamesConflict" },
      { type: "Established", status: "False" },
    ]);
    expect(withCrdStatus(first, [second], later)).toEqual(first);
  });

  it("accepts names that became free, and says since when", () => {
    const first = withCrdStatus(crd("apples"), [], noon);
    const waiting = withCrdStatus(crd("pommes", { kind: "Apple" }), [first], noon);
    const accepted = withCrdStatus(waiting, [], later);
    expect(objectAt(accepted, "status").conditions).toMatchObject([
      { type: "NamesAccepted", status: "True", lastTransitionTime: later },
      { type: "Established", status: "True", lastTransitionTime: later },
    ]);
  });

  it("minds names of its own group only", () => {
    const other = withCrdStatus(
      { ...crd("apples"), spec: { ...objectAt(crd("apples"), "spec"), group: "other.test" } },
      [],
      noon,
    );
    expect(objectAt(withCrdStatus(crd("apples"), [other], noon), "status").acceptedNames).toMatchObject({
      kind: "Apple",
    });
  });

  it("adds every storage version there ever was", () => {
    const stored = withCrdStatus(crd("apples"), [], noon);
    const spec = { ...objectAt(stored, "spec"), versions: [version("v1", { storage: false }), version("v2")] };
    expect(objectAt(withCrdStatus({ ...stored, spec }, [], later), "status").storedVersions).toEqual(["v1", "v2"]);
  });
});

describe("the resource of a CRD", () => {
  it("shows the age when the CRD names no columns", () => {
    expect(crdResource(crd("apples")).versions[0]?.columns.map(({ name }) => name)).toEqual(["Age"]);
  });

  it("knows metadata, whatever the schema says", () => {
    const schema = crdResource(crd("apples")).versions[0]?.schema;
    expect(schema?.properties?.["metadata"]?.properties).toHaveProperty("ownerReferences");
  });

  it("gives the values of its selectable fields", () => {
    const colour = {
      type: "object",
      properties: { spec: { type: "object", properties: { colour: { type: "string" } } } },
    };
    const selectable = version("v1", {
      schema: { openAPIV3Schema: colour },
      selectableFields: [{ jsonPath: ".spec.colour" }],
    });
    const { strategy } = crdResource(crd("apples", {}, [selectable]));
    const object = { apiVersion: "example.test/v1", spec: { colour: "red" } };
    expect(strategy.selectableFields?.(object)).toEqual({ "spec.colour": "red" });
  });
});
