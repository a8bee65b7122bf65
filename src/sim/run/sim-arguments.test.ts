import { describe, expect, test } from "vitest";
import { parseSimArguments } from "./sim-arguments.ts";

const parse = (line: string, environment: Readonly<Record<string, string>> = {}) =>
  parseSimArguments(line === "" ? [] : line.split(" "), environment);

describe("what is typed after npm run sim", () => {
  test("one seed comes with the end of its trace, or with all of it", () => {
    const one = { does: "one", seed: 8412, until: 311, lines: 80, faults: undefined };
    expect(parse("--seed 8412 --until 311")).toEqual(one);
    expect(parse("--seed=8412 --until=311 --lines 5")).toEqual({ ...one, lines: 5 });
    expect(parse("--seed 8412 --until 311 --full")).toEqual({ ...one, lines: Number.POSITIVE_INFINITY });
    expect(parse("--seed 8412 --until 311 --faults none")).toEqual({ ...one, faults: [] });
  });

  test("many seeds are a range, or a pod's part of it", () => {
    expect(parse("--seeds 10")).toEqual({ does: "many", range: { from: 1, count: 10 }, workers: undefined });
    expect(parse("--seeds 10 --from 5 --workers 3", { JOB_COMPLETION_INDEX: "1", SIM_PARTS: "2" })).toEqual({
      does: "many",
      range: { from: 10, count: 5 },
      workers: 3,
    });
  });

  test.each([
    ["", "Either --seed or --seeds is needed."],
    ["--seed 1 --seeds 2", "--seed and --seeds exclude each other."],
    ["--sedes 2", "--sedes is not known."],
    ["--seeds 2 more", '"more" is one word too many.'],
    ["--seeds 2 -x", '"-x" is one word too many.'],
    ["--seeds", "--seeds lacks its value."],
    ["--seeds 2 --seeds 3", "--seeds is given twice."],
    ["--seeds 0", '--seeds takes a whole number above 0, not "0".'],
    ["--seeds 1e3", '--seeds takes a whole number above 0, not "1e3".'],
    ["--seed 1 --until -4", '--until takes a whole number above 0, not "-4".'],
    ["--seed 1 --workers 2", "--workers goes with --seeds only."],
    ["--seeds 1 --faults none", "--faults goes with --seed only."],
    ["--seed 1 --lines 3 --full", "--lines and --full exclude each other."],
    ["--seed 1 --faults nonsense@1-2", '--faults "nonsense@1-2" names no faults'],
  ])("%s: says in one sentence that %s", (line, sentence) => {
    const parsed = parse(line);
    expect(parsed).toMatchObject({ does: "refuse", problems: [expect.stringContaining(sentence)] });
  });

  test("says everything that is wrong at once", () => {
    expect(parse("--seeds many --what")).toMatchObject({ problems: { length: 2 } });
  });

  test("a pod that does not know its part runs nothing", () => {
    expect(parse("--seeds 10", { SIM_PARTS: "2" })).toMatchObject({ does: "refuse" });
  });
});
