// The laws that every planner obeys (ARCHITECTURE.md), each as a check that throws with a counterexample.

import fc from "fast-check";
import { expect } from "vitest";
import type { Action } from "../../../src/core/plan.ts";
import { converge, crashes, type Entry, histories, live, round } from "./history.ts";
import { isQuiet } from "./is-quiet.ts";
import type { LawDetails, LawName, PlannerUnderTest } from "./planner-under-test.ts";

/** So many more rounds show that rest is rest. */
const roundsAtRest = 3;

type Check<Law extends LawName> = <World, Event, Seen, A extends Action>(
  planner: PlannerUnderTest<World, Event, Seen, A>,
  details: LawDetails<World, Seen, A>[Law],
) => void;

const quiet: Check<"quiet"> = (planner, { isAtRest = isQuiet, expectWanted }) => {
  overHistories(planner, ({ world, history }) => {
    live(planner, world, history);
    planner.heal?.(world);
    converge(planner, world);
    for (let count = 0; count < roundsAtRest; count += 1) {
      const plan = round(planner, world);
      expect(isAtRest(plan), `quiet: it acts again: ${JSON.stringify(plan)}`).toBe(true);
    }
    expectWanted?.(world);
  });
};

const deterministic: Check<"deterministic"> = (planner, { shuffled, compared = (plan) => plan }) => {
  const ranks = fc.func(fc.integer());
  overHistories(
    planner,
    ({ world, history, more: rank }) => {
      live(planner, world, history);
      const seen = planner.observe(world);
      const inOtherOrder = shuffled(seen, (list) =>
        list.toSorted((a, b) => rank(JSON.stringify(a)) - rank(JSON.stringify(b))),
      );
      expect(compared(planner.plan(inOtherOrder)), "deterministic: another order, another plan").toEqual(
        compared(planner.plan(seen)),
      );
    },
    ranks,
  );
};

const makeBeforeBreak: Check<"makeBeforeBreak"> = (planner, { paths }) => {
  overHistories(planner, ({ world, history }) => {
    live(planner, world, history);
    planner.heal?.(world);
    const atFirst = paths(world);
    const between: { readonly action: unknown; readonly paths: ReadonlyMap<string, number> }[] = [];
    converge(planner, world, (_world, action, carryOut) => {
      carryOut();
      between.push({ action, paths: paths(world) });
    });
    const interrupted = [...paths(world)].flatMap(([path, inTheEnd]) => {
      const fewest = Math.min(atFirst.get(path) ?? 0, inTheEnd);
      const broken = between.find((step) => (step.paths.get(path) ?? 0) < fewest);
      return broken === undefined ? [] : [{ path, atFirst: atFirst.get(path), inTheEnd, by: broken.action }];
    });
    expect(interrupted, "make before break: a path was interrupted").toEqual([]);
  });
};

const neverLast: Check<"neverLast"> = (planner, { ways }) => {
  overHistories(planner, ({ world, history }) => {
    live(planner, world, history, (_world, action, carryOut) => {
      const before = ways.map(({ count }) => count(world));
      carryOut();
      const lost = ways.filter(
        ({ count, takenBy = action.kind }, index) =>
          takenBy === action.kind && (before[index] ?? 0) > 0 && count(world) === 0,
      );
      expect(
        lost.map(({ name }) => name),
        `never last: ${JSON.stringify(action)} took the last`,
      ).toEqual([]);
    });
  });
};

const ownOrLeave: Check<"ownOrLeave"> = (planner, { foreign }) => {
  overHistories(planner, ({ world, history }) => {
    live(planner, world, history, (_world, action, carryOut) => {
      const before = structuredClone(foreign(world));
      carryOut();
      expect(foreign(world), `own or leave: ${JSON.stringify(action)} changed what is not ours`).toEqual(before);
    });
  });
};

const crashAnywhere: Check<"crashAnywhere"> = (planner, { outcome }) => {
  const severalCrashes = fc.array(crashes, { minLength: 1, maxLength: 6 });
  overHistories(
    planner,
    ({ make, history, more: died }) => {
      const after = (entries: readonly Entry<never>[]) => {
        const world = make();
        live(planner, world, history);
        planner.heal?.(world);
        live(planner, world, entries);
        converge(planner, world);
        return outcome(world);
      };
      expect(after(died), "crash anywhere: it ends otherwise than without the crashes").toEqual(after([]));
    },
    severalCrashes,
  );
};

const deleteIsDesiringNothing: Check<"deleteIsDesiringNothing"> = (planner, { desireNothing, remaining }) => {
  overHistories(
    planner,
    ({ world, history, more: died }) => {
      live(planner, world, history);
      desireNothing(world);
      live(planner, world, died);
      converge(planner, world);
      expect(remaining(world), "delete is desiring nothing: something remains").toEqual([]);
    },
    fc.array(crashes, { maxLength: 3 }),
  );
};

export const lawChecks: { readonly [Law in LawName]: Check<Law> } = {
  quiet,
  deterministic,
  makeBeforeBreak,
  neverLast,
  ownOrLeave,
  crashAnywhere,
  deleteIsDesiringNothing,
};

interface Case<World, Event, More> {
  readonly make: () => World;
  readonly world: World;
  readonly history: readonly Entry<Event>[];
  readonly more: More;
}

function overHistories<World, Event, Seen, A extends Action, More = undefined>(
  { world: worlds, events, history: given = histories(events), runs = 100 }: PlannerUnderTest<World, Event, Seen, A>,
  judge: (given: Case<World, Event, More>) => void,
  more: fc.Arbitrary<More> = fc.constant(undefined as More),
): void {
  fc.assert(
    fc.property(worlds, given, more, (make, history, extra) => judge({ make, world: make(), history, more: extra })),
    { numRuns: runs },
  );
}
