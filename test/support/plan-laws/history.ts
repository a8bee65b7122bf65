// What happened before a law is judged: the events of the job, rounds that came to their end, and rounds in which the program died.

import fc from "fast-check";
import type { Action, Plan } from "../../../src/core/plan.ts";
import { isQuiet } from "./is-quiet.ts";
import { isLeftOut, type PlannerUnderTest } from "./planner-under-test.ts";

export type Entry<Event> =
  | { readonly what: "round" }
  /** The program dies after so many actions: the reply of the last one is lost, and nothing is reported. */
  | { readonly what: "crash"; readonly after: number }
  | { readonly what: "event"; readonly event: Event };

export const crashes = fc.record({ what: fc.constant("crash" as const), after: fc.nat({ max: 4 }) });

export type Histories<Event> = fc.Arbitrary<readonly Entry<Event>[]>;

export function histories<Event>(
  events: fc.Arbitrary<Event>,
  length: { readonly minLength?: number; readonly maxLength: number } = { maxLength: 40 },
): Histories<Event> {
  return fc.array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constant({ what: "round" } as const) },
      { weight: 3, arbitrary: crashes },
      { weight: 14, arbitrary: fc.record({ what: fc.constant("event" as const), event: events }) },
    ),
    length,
  );
}

/** The one, and after it the other. */
export function inTurn<Event>(first: Histories<Event>, second: Histories<Event>): Histories<Event> {
  return fc.tuple(first, second).map(([before, after]) => [...before, ...after]);
}

/** Called in place of each action, to look at the world before and after it. */
export type AroundAction<World, A> = (world: World, action: A, carryOut: () => void) => void;
const justCarryOut: AroundAction<unknown, unknown> = (_world, _action, carryOut) => carryOut();

export function live<World, Event, Seen, A extends Action>(
  planner: PlannerUnderTest<World, Event, Seen, A>,
  world: World,
  history: readonly Entry<Event>[],
  around: AroundAction<World, A> = justCarryOut,
): void {
  for (const entry of history) {
    if (entry.what === "event") planner.happen(world, entry.event);
    else if (entry.what === "crash") crash(planner, world, entry.after, around);
    else round(planner, world, around);
  }
}

export function round<World, Event, Seen, A extends Action>(
  planner: PlannerUnderTest<World, Event, Seen, A>,
  world: World,
  around: AroundAction<World, A> = justCarryOut,
): Plan<A> {
  const plan = planner.plan(planner.observe(world));
  for (const action of plan.actions) around(world, action, () => planner.apply(world, action));
  planner.report?.(world, plan);
  planner.pass?.(world);
  return plan;
}

function crash<World, Event, Seen, A extends Action>(
  planner: PlannerUnderTest<World, Event, Seen, A>,
  world: World,
  after: number,
  around: AroundAction<World, A>,
): void {
  const { actions } = planner.plan(planner.observe(world));
  for (const action of actions.slice(0, after)) around(world, action, () => planner.apply(world, action));
  planner.pass?.(world);
}

/** Rounds until there is nothing left to do. */
export function converge<World, Event, Seen, A extends Action>(
  planner: PlannerUnderTest<World, Event, Seen, A>,
  world: World,
  around: AroundAction<World, A> = justCarryOut,
): void {
  const { quiet } = planner.laws;
  const { mostRounds, isAtRest = isQuiet } = isLeftOut(quiet) ? { mostRounds: 250 } : quiet;
  let last: Plan<A> | undefined;
  for (let count = 0; count < mostRounds; count += 1) {
    last = round(planner, world, around);
    if (isAtRest(last)) return;
  }
  throw new Error(`not at rest after ${mostRounds} rounds: ${JSON.stringify(last, undefined, 1)}`);
}
