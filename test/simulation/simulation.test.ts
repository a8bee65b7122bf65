import { afterEach, describe, expect, test, vi } from "vitest";
import { simulate } from "../../src/bin/sim-runtime.ts";
import { Informer } from "../../src/engine/informer/informer.ts";
import { simulatedJobs } from "../../src/jobs/simulated.ts";
import { allFaults } from "../../src/sim/faults/all-faults.ts";
import { parseFaults } from "../../src/sim/faults/fault-text.ts";
import { jobsOfSeed } from "../../src/sim/run/jobs-of-seed.ts";
import { renderFailure } from "../../src/sim/run/render-simulation.ts";
import { faultsOf } from "../../src/sim/run/run-seed.ts";
import { shrink } from "../../src/sim/run/shrink.ts";
import { describeLab, slowSuites } from "../lab.ts";
import { childSim } from "./child-sim.ts";
import { mutations } from "./mutations.ts";

const minutes = 60_000;

describeLab("simulation of many seeds", slowSuites, () => {
  test(
    "every promise holds in 300 worlds, and every fault struck in some of them",
    async () => {
      const { code, out } = await childSim(["--seeds", "300", "--workers", "2"]);
      expect(out).toContain("every promise held");
      expect(code).toBe(0);
      for (const { name } of allFaults) expect(out).toMatch(new RegExp(`[1-9]\\d* {2}${name} `));
    },
    30 * minutes,
  );
});

describe("simulation", () => {
  test(
    "every promise holds in the first 16 worlds, every job's among them",
    async () => {
      const { code, out } = await childSim(["--seeds", "16", "--workers", "1"]);
      expect(out).toContain("every promise held");
      expect(code).toBe(0);
    },
    30 * minutes,
  );

  test(
    "a seed gives the same trace to the last character, in any process, time zone and language",
    async () => {
      const seed = "47";
      const here = await simulate(Number(seed));
      const [east, west] = await Promise.all([
        childSim(["--seed", seed, "--lines", "100000"], { TZ: "Asia/Kathmandu", LANG: "tr_TR.UTF-8" }),
        childSim(["--seed", seed, "--lines", "100000"], { TZ: "America/St_Johns", LANG: "C" }),
      ]);
      expect(east.out).toBe(west.out);
      expect(east.out).toContain(`trace ${here.hash}`);
    },
    10 * minutes,
  );

  test(
    "a seed gives the same trace whatever ran before it",
    async () => {
      const alone = await simulate(11);
      await simulate(12);
      expect((await simulate(11)).hash).toBe(alone.hash);
      expect((await simulate(12)).hash).not.toBe(alone.hash);
    },
    10 * minutes,
  );

  test("a run stops at the step that it is told", async () => {
    const { steps, lines } = await simulate(8, { until: 60 });
    expect(steps).toBe(60);
    expect(lines.length).toBeGreaterThan(10);
  });

  test(
    "a failure says how to see it again, and the shrinker drops the faults it does not need",
    async () => {
      const bug = mutations.find(({ name }) => name === "finalizer-removed-first");
      const runWith = (seed: number, faults = faultsOf(seed, jobsOfSeed(seed, simulatedJobs))) =>
        simulate(seed, { faults, jobs: jobsOfSeed(seed, simulatedJobs), overrides: bug?.overrides?.() ?? {} });
      const failing = await firstFailure((seed) => runWith(seed), 50);
      const text = renderFailure(failing, failing.faults);
      expect(text).toContain(`npm run sim -- --seed ${failing.seed} --until ${failing.violation?.step}`);
      expect(text).toContain(failing.violation?.how);
      const { result } = await shrink(failing, (faults) => runWith(failing.seed, faults), 25);
      expect(result.violation?.checker).toBe(failing.violation?.checker);
      expect(result.faults.length).toBeLessThan(failing.faults.length);
    },
    5 * minutes,
  );
});

// What the simulation found, kept as the seed and the faults that show it, and as what undoes its fix: a seed that no longer shows
// the bug once the fix is gone proves nothing, and another one has to be looked for.
const found = [
  {
    bug: "a plan made while a kind could not be seen was not made again when the kind came back",
    seed: 19,
    faults: "api-server-away@0-38493",
    undo: () => {
      // oxlint-disable-next-line typescript/unbound-method -- called with its own informer below
      const { onStateChange } = Informer.prototype;
      vi.spyOn(Informer.prototype, "onStateChange").mockImplementation(function (this: Informer, listener) {
        return onStateChange.call(this, (state) => listener(state === "synced" ? "unreachable" : state));
      });
    },
  },
];

describe("what the simulation found stays mended", () => {
  afterEach(() => void vi.restoreAllMocks());

  test.each(found)(
    "$bug",
    async ({ seed, faults, undo }) => {
      const run = async () => (await simulate(seed, { faults: parseFaults(faults) ?? [] })).violation?.checker;
      expect(await run()).toBeUndefined();
      undo();
      expect(await run()).toBe("converges");
    },
    10 * minutes,
  );
});

async function firstFailure(run: (seed: number) => ReturnType<typeof simulate>, max: number) {
  for (let seed = 1; seed <= max; seed += 1) {
    const result = await run(seed);
    // One with faults, so that there is something to drop.
    if (result.violation !== undefined && result.faults.length > 2) return result;
  }
  throw new Error(`no failure in ${max} seeds`);
}
