import { describe, expect, it } from "vitest";
import { zeroObject } from "../apply/zero-object.ts";
import { builtinSchema, hasBuiltinSchema, objectMetaSchema } from "./builtin-schemas.ts";
import { roots } from "./builtin-schemas-data.ts";

describe("schemas of built-in kinds", () => {
  it("resolve for every kind of the table", () => {
    const keys = Object.keys(roots);
    expect(keys.length).toBeGreaterThan(20);
    for (const key of keys) {
      const [, group = "", version = "", kind = ""] = /^(?:(.*)\/)?([^/]+)\/([^/]+)$/.exec(key) ?? [];
      expect(hasBuiltinSchema(group, version, kind)).toBe(true);
      expect(builtinSchema(group, version, kind).properties).toHaveProperty("metadata");
    }
  });

  it("carry how lists merge and what their keys default to", () => {
    const ports = builtinSchema("", "v1", "Service").properties?.["spec"]?.properties?.["ports"];
    expect(ports).toMatchObject({
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port", "protocol"],
    });
    expect(ports?.items?.properties?.["protocol"]?.default).toBe("TCP");
  });

  it("may refer to themselves", () => {
    const crd = builtinSchema("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    const root =
      crd.properties?.["spec"]?.properties?.["versions"]?.items?.properties?.["schema"]?.properties?.[
        "openAPIV3Schema"
      ];
    expect(root?.properties?.["not"]).toBe(root);
  });

  it("hold no prose", () => {
    expect(JSON.stringify(objectMetaSchema())).not.toContain('"description"');
  });

  it("know the structs that are written even when empty", () => {
    expect(zeroObject(builtinSchema("", "v1", "Service"), { apiVersion: "v1", kind: "Service" })).toEqual({
      apiVersion: "v1",
      kind: "Service",
      metadata: {},
      spec: {},
      status: { loadBalancer: {} },
    });
  });
});
