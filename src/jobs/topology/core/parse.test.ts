import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { controlPlaneTopologies, infrastructureTopologies } from "../apis/infrastructure.ts";
import { everyTopology } from "./every-topology.ts";
import { parseTopology } from "./parse.ts";

describe("reading the topology as a consumer", () => {
  test.each([
    ["no object", undefined],
    ["an object of an older cluster", { kind: "Infrastructure" }],
    ["an empty status", { status: {} }],
    ["empty strings", { status: { controlPlaneTopology: "", infrastructureTopology: "" } }],
    ["nulls", { status: { controlPlaneTopology: null, infrastructureTopology: null } }],
  ])("takes %s for HighlyAvailable, without a warning", (_name, object) => {
    const expected = {
      controlPlane: "HighlyAvailable",
      infrastructure: "HighlyAvailable",
      known: false,
      source: "default",
      warnings: [],
    };
    expect(parseTopology(object)).toEqual(expected);
  });

  test.each(everyTopology)("reads $controlPlane / $infrastructure", (reading) => {
    const status = { controlPlaneTopology: reading.controlPlane, infrastructureTopology: reading.infrastructure };
    expect(parseTopology({ status })).toEqual(reading);
  });

  test("takes a value from a version to come for HighlyAvailable, with a warning, and keeps the other field", () => {
    const reading = parseTopology({
      status: { controlPlaneTopology: "ActivePassive", infrastructureTopology: "SingleReplica" },
    });
    expect(reading).toMatchObject({ controlPlane: "HighlyAvailable", infrastructure: "SingleReplica", known: false });
    expect(reading.warnings).toEqual([expect.stringContaining('"ActivePassive"')]);
  });

  test("takes External for unknown where infrastructure is concerned", () => {
    const reading = parseTopology({ status: { controlPlaneTopology: "External", infrastructureTopology: "External" } });
    expect(reading).toMatchObject({ controlPlane: "External", infrastructure: "HighlyAvailable", known: false });
    expect(reading.warnings).toHaveLength(1);
  });

  test("answers with known values whatever it is given, and never throws", () => {
    const anything = fc.anything();
    fc.assert(
      fc.property(
        fc.oneof(
          anything,
          fc.record({
            status: fc.oneof(anything, fc.record({ controlPlaneTopology: anything, infrastructureTopology: anything })),
          }),
        ),
        (object) => {
          const { controlPlane, infrastructure } = parseTopology(object);
          expect(controlPlaneTopologies).toContain(controlPlane);
          expect(infrastructureTopologies).toContain(infrastructure);
        },
      ),
    );
  });
});
