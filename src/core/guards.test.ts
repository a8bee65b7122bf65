import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allGuards, dryRun, type Guard, maxRemovals, noDeletes, parseGuard } from "./guards.ts";
import type { Action, Plan } from "./plan.ts";

const add = (name: string, lane?: string): Action => ({
  kind: `add-${name}`,
  because: "ObjectNotFound",
  ...(lane === undefined ? {} : { lane: { part: lane } }),
});
const remove = (name: string, lane?: string): Action => ({ ...add(name, lane), kind: `remove-${name}`, removes: name });
const planOf = (...actions: readonly Action[]): Plan => ({ actions, waits: [], refusals: [] });
const kinds = ({ actions }: Plan): readonly string[] => actions.map((action) => action.kind);

describe("dry-run", () => {
  test("does nothing and says what would have been done", () => {
    const guarded = dryRun(planOf({ ...add("member", "zone-a"), address: "10.0.0.1" } as Action));
    expect(guarded.actions).toEqual([]);
    expect(guarded.refusals).toEqual([
      {
        reason: "DryRun",
        lane: { part: "zone-a" },
        message: "would add member (address 10.0.0.1) in zone-a because ObjectNotFound",
      },
    ]);
  });
});

describe("no-deletes", () => {
  test("makes additions and refuses removals by name", () => {
    const guarded = noDeletes(planOf(add("a"), remove("b")));
    expect(kinds(guarded)).toEqual(["add-a"]);
    expect(guarded.refusals).toMatchObject([
      { reason: "DeletesForbidden", message: expect.stringContaining("removing b") },
    ]);
  });

  test("holds back what was planned to follow a removal in its lane, and nothing in other lanes", () => {
    const guarded = noDeletes(planOf(remove("x", "a"), add("finish", "a"), add("y", "b")));
    expect(kinds(guarded)).toEqual(["add-y"]);
    expect(guarded.refusals.map(({ lane }) => lane?.part)).toEqual(["a", "a"]);
  });
});

describe("max-removals", () => {
  test("lets a plan through whose removals are few enough", () => {
    const plan = planOf(remove("a"), remove("b"), add("c"));
    expect(maxRemovals(2)(plan)).toBe(plan);
  });

  test("makes none of the removals when they are too many", () => {
    const guarded = maxRemovals(1)(planOf(add("c"), remove("a"), remove("b")));
    expect(kinds(guarded)).toEqual(["add-c"]);
    expect(guarded.refusals.map(({ reason }) => reason)).toEqual(["TooManyRemovals", "TooManyRemovals"]);
  });
});

describe("guards from configuration", () => {
  test("are read by their names", () => {
    for (const text of ["dry-run", "no-deletes", "max-removals=0", "max-removals=12"])
      expect(parseGuard(text)).toHaveProperty("guard");
  });

  test.each(["", "dryrun", "max-removals", "max-removals=", "max-removals=-1", "max-removals=1.5"])(
    "do not include %j",
    (text) => {
      expect(parseGuard(text)).toMatchObject({ problem: expect.stringContaining("known are dry-run") });
    },
  );
});

describe("every guard", () => {
  const lane = fc.constantFrom(undefined, "a", "b");
  const action = fc
    .tuple(fc.constantFrom("x", "y", "z"), lane, fc.boolean())
    .map(([name, where, takes]) => (takes ? remove(name, where) : add(name, where)));
  const plans = fc.array(action, { maxLength: 8 }).map((actions) => planOf(...actions));
  const single = fc.oneof(fc.constant(dryRun), fc.constant(noDeletes), fc.nat(4).map(maxRemovals));
  const guards: fc.Arbitrary<Guard> = fc.array(single, { minLength: 1, maxLength: 3 }).map(allGuards);

  test("adds no action and keeps the order", () => {
    fc.assert(
      fc.property(plans, guards, (plan, guard) => {
        const kept = guard(plan).actions;
        expect(kept).toEqual(plan.actions.filter((candidate) => kept.includes(candidate)));
      }),
    );
  });

  test("explains each action it takes out", () => {
    fc.assert(
      fc.property(plans, guards, (plan, guard) => {
        const guarded = guard(plan);
        expect(guarded.refusals.length).toBe(plan.actions.length - guarded.actions.length);
      }),
    );
  });

  test("changes nothing the second time", () => {
    fc.assert(
      fc.property(plans, guards, (plan, guard) => {
        const once = guard(plan);
        expect(guard(once)).toEqual(once);
      }),
    );
  });
});
