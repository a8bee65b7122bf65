import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareVersions } from "./compare-versions.ts";

const version = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.constantFrom("", "beta1", "beta2", "alpha1"))
    .map(([major, stage]) => `v${major}${stage}`),
  fc.constantFrom("foo", "bar1", "v0", "v1gamma"),
);

describe("the order of versions", () => {
  it("puts stable before beta before alpha, higher numbers first, and words last by alphabet", () => {
    const versions = [
      "foo10",
      "v1beta1",
      "v10",
      "v11alpha2",
      "foo1",
      "v2",
      "v12alpha1",
      "v1",
      "v10beta3",
      "v3beta1",
      "v11beta2",
    ];
    expect(versions.toSorted(compareVersions)).toEqual([
      "v10",
      "v2",
      "v1",
      "v11beta2",
      "v10beta3",
      "v3beta1",
      "v1beta1",
      "v12alpha1",
      "v11alpha2",
      "foo1",
      "foo10",
    ]);
  });

  it("is the same whatever the order at first", () => {
    fc.assert(
      fc.property(fc.uniqueArray(version), (versions) => {
        expect(versions.toReversed().toSorted(compareVersions)).toEqual(versions.toSorted(compareVersions));
      }),
    );
  });
});
