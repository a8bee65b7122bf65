import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../json.ts";
import { compileRules, evaluateRules } from "../cel-rules.ts";
import type { StructuralSchema } from "../structural-schema.ts";
import { escapeName } from "./escape-name.ts";
import { formatCel } from "./format-cel.ts";
import { parseQuantity } from "./quantity.ts";
import { compareSemver, parseSemver, Semver } from "./semver.ts";
import { adaptSource, mentions } from "./source.ts";

function accepts(schema: StructuralSchema, rule: string, value: Json): boolean {
  const root = { type: "object", properties: { v: { ...schema, "x-kubernetes-validations": [{ rule }] } } };
  expect(compileRules(root)).toEqual([]);
  return evaluateRules(root, { v: value }, undefined).length === 0;
}

describe("rules", () => {
  it("compute with integers of any size exactly", () => {
    expect(accepts({ type: "integer" }, "self * 3 == 27021597764222973", 9007199254740991)).toBe(true);
  });

  it("tell objects of one type apart by their fields", () => {
    const pair = { type: "object", properties: { a: { type: "integer" }, b: { type: "string" } } };
    const list = { type: "array", items: pair };
    expect(
      accepts(list, "self[0] == self[1]", [
        { a: 1, b: "x" },
        { b: "x", a: 1 },
      ]),
    ).toBe(true);
    expect(accepts(list, "self[0] == self[1]", [{ a: 1 }, { a: 1, b: "x" }])).toBe(false);
    expect(
      accepts(list, "self[1] in self.filter(i, has(i.b))", [
        { a: 1, b: "x" },
        { a: 1, b: "x" },
      ]),
    ).toBe(true);
  });

  it("survive a failing item when another settles the matter", () => {
    const list = { type: "array", items: { type: "object", properties: { a: { type: "integer" } } } };
    expect(accepts(list, "self.exists(i, v, v.a == 1)", [{}, { a: 1 }])).toBe(true);
    expect(accepts(list, "self.exists(v, v.a == 1)", [{}, { a: 1 }])).toBe(true);
    expect(accepts(list, "self.all(i, v, v.a == 1)", [{}, { a: 1 }])).toBe(false);
  });

  it("leave strings in the source alone", () => {
    expect(adaptSource("has(self.a) && self.s != 'has(x)' && self.namespace.matches(r'has(\\'')")).toBe(
      "hasField(self.a) && self.s != 'has(x)' && self.__namespace__.matchesRe2(r'has(\\'')",
    );
    expect(mentions("self.a == 'oldSelf'", "oldSelf")).toBe(false);
    expect(mentions("oldSelf.a == self.a", "oldSelf")).toBe(true);
  });

  it("reach every property that has a name CEL can spell", () => {
    expect(escapeName("a-b.c/d__e")).toBe("a__dash__b__dot__c__slash__d__underscores__e");
    expect(escapeName("namespace")).toBe("__namespace__");
    expect(escapeName("1a")).toBeUndefined();
    fc.assert(fc.property(fc.string(), (name) => /^[A-Za-z_]\w*$/.test(escapeName(name) ?? "x")));
  });
});

describe("quantities", () => {
  it("are the number they say, in every unit", () => {
    expect(parseQuantity("1Ki")?.integer).toBe(1024n);
    expect(parseQuantity("1.5k")?.integer).toBe(1500n);
    expect(parseQuantity("2e3")?.integer).toBe(2000n);
    expect(parseQuantity("-500m")?.approximate).toBe(-0.5);
    expect(parseQuantity("1 Gi")).toBeUndefined();
    fc.assert(fc.property(fc.integer(), (n) => parseQuantity(String(n))?.integer === BigInt(n)));
  });
});

describe("semantic versions", () => {
  it("are ordered as the specification's own example", () => {
    const ordered = [
      "1.0.0-alpha",
      "1.0.0-alpha.1",
      "1.0.0-alpha.beta",
      "1.0.0-beta",
      "1.0.0-beta.2",
      "1.0.0-beta.11",
      "1.0.0-rc.1",
      "1.0.0",
    ];
    const versions = ordered.map((text) => parseSemver(text) ?? new Semver(0n, 0n, 0n, []));
    expect(versions.toReversed().sort(compareSemver)).toEqual(versions);
  });

  it("are strict unless asked otherwise", () => {
    expect(parseSemver("v1.2")).toBeUndefined();
    expect(parseSemver("v1.02", true)).toMatchObject({ major: 1n, minor: 2n, patch: 0n });
  });
});

describe("formatting", () => {
  it("rounds ties to the even digit", () => {
    expect(formatCel("%.1f %.1f %.0f", [1.25, 1.35, 2.5])).toBe("1.2 1.4 2");
  });

  it("shows values of every kind", () => {
    expect(formatCel("%s %x %b %%", [new Map([["a", [1n, true]]]), 255n, 5n])).toBe("{a: [1, true]} ff 101 %");
  });
});
