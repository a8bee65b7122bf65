import { expect, test } from "vitest";
import { childSim } from "./child-sim.ts";

test.each([
  ["--bogus", "--bogus is not known."],
  ["--seeds 3 more", '"more" is one word too many.'],
  ["--seed x", '--seed takes a whole number above 0, not "x".'],
])("npm run sim -- %s ends with a sentence and code 2, not with a stack", async (line, sentence) => {
  const { code, out, err } = await childSim(line.split(" "));
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toBe(`${sentence}\n--help shows what can be asked for.\n`);
});

test("one seed says that its trace was cut, and shows all of it when asked", async () => {
  const [cut, whole] = await Promise.all([
    childSim(["--seed", "2", "--until", "120", "--lines", "5"]),
    childSim(["--seed", "2", "--until", "120", "--full"]),
  ]);
  expect(cut.out).toContain(
    "(these are the last 5 lines; the whole trace: npm run sim -- --seed 2 --until 120 --full)",
  );
  expect(whole.out).not.toContain("these are the last");
  expect(whole.out.split("\n").length).toBeGreaterThan(cut.out.split("\n").length + 10);
});
