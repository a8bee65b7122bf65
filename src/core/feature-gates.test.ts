import { describe, expect, test } from "vitest";
import { decideGates, type GateFacts, parseGates } from "./feature-gates.ts";

const fact = (stage: GateFacts["stage"], on: boolean): GateFacts => ({
  stage,
  default: on,
  since: "0.1.0",
  description: "",
});
const gates = { Young: fact("alpha", false), Grown: fact("ga", true), Old: fact("deprecated", true) };

describe("feature gates", () => {
  test("have their defaults when nothing is said", () => {
    expect(decideGates(gates, {})).toEqual({
      enabled: { Young: false, Grown: true, Old: true },
      problems: [],
      warnings: [],
    });
  });

  test("can be switched", () => {
    expect(decideGates(gates, { Young: true }).enabled.Young).toBe(true);
  });

  test("that do not exist are an error that lists those that do", () => {
    expect(decideGates(gates, { Yuong: true }).problems).toEqual([
      'feature gate "Yuong" is not known; known are Grown, Old, Young',
    ]);
  });

  test("that are general stay on", () => {
    const decided = decideGates(gates, { Grown: false });
    expect(decided.enabled.Grown).toBe(true);
    expect(decided.problems).toEqual(['feature gate "Grown" is general since 0.1.0 and cannot be switched off']);
  });

  test("that are deprecated work, with a warning", () => {
    const decided = decideGates(gates, { Old: false });
    expect(decided).toMatchObject({ enabled: { Old: false }, problems: [] });
    expect(decided.warnings).toEqual(['feature gate "Old" is deprecated since 0.1.0 and will go']);
  });

  test("read as a list of settings", () => {
    expect(parseGates(" A=true, B=false ,")).toEqual({ values: { A: true, B: false }, problems: [] });
    expect(parseGates("A=yes,B,A=true,A=false").problems).toEqual([
      'feature gate "A=yes" must read Name=true or Name=false',
      'feature gate "B" must read Name=true or Name=false',
      'feature gate "A" is set twice',
    ]);
  });
});
