// What a job shows of itself so that its planner can be put through the laws: random worlds, what may happen in them, and how a plan is
// observed, made and carried out there. A law that a job cannot have is left out by name, with the reason.

import fc from "fast-check";
import type { Action, Plan } from "../../../src/core/plan.ts";
import type { Histories } from "./history.ts";

/** World: what the planner acts on; it changes in place. Seen: everything that one planning reads, time and rules included. */
export interface PlannerUnderTest<World, Event, Seen, A extends Action> {
  /** Random beginnings: see `worldsFrom`. Each call makes the same world again. */
  readonly world: fc.Arbitrary<() => World>;
  /** What users, machines and clouds do between two rounds. Rounds and crashes are added by the harness. */
  readonly events: fc.Arbitrary<Event>;
  /** What happened before a law is judged: up to 40 events, rounds and crashes in any order, unless said otherwise. */
  readonly history?: Histories<Event>;
  readonly happen: (world: World, event: Event) => void;
  readonly observe: (world: World) => Seen;
  readonly plan: (seen: Seen) => Plan<A>;
  readonly apply: (world: World, action: A) => void;
  /** After a round that came to its end: what the job writes down of it. */
  readonly report?: (world: World, plan: Plan<A>) => void;
  /** After any round: time passes, and what was begun outside comes to its end. */
  readonly pass?: (world: World) => void;
  /** Everything that was broken works again; what is wanted stays. */
  readonly heal?: (world: World) => void;
  readonly laws: Laws<World, Seen, A>;
  /** How many random histories each law is judged by. */
  readonly runs?: number;
}

/** Worlds that a counterexample names by what they were made from. */
export function worldsFrom<Beginning, World>(
  beginnings: fc.Arbitrary<Beginning>,
  make: (beginning: Beginning) => World,
): fc.Arbitrary<() => World> {
  return beginnings.map((beginning) =>
    Object.assign(() => make(beginning), { [fc.toStringMethod]: () => fc.stringify(beginning) }),
  );
}

interface LeftOut {
  readonly leftOut: string;
}

/** For a law that has no meaning for a job. */
export function leftOut(reason: string): LeftOut {
  return { leftOut: reason };
}

export function isLeftOut(law: object): law is LeftOut {
  return "leftOut" in law;
}

/** What each law needs to know of the job. */
export interface LawDetails<World, Seen, A extends Action> {
  /** Within so many rounds the plan is empty, and stays so. */
  readonly quiet: {
    readonly mostRounds: number;
    /** Nothing to do and nothing to wait for, unless said otherwise. */
    readonly isAtRest?: (plan: Plan<A>) => boolean;
    /** Fails where the world is not what is wanted. */
    readonly expectWanted?: (world: World) => void;
  };
  readonly deterministic: {
    /** The same things seen, in another order. */
    readonly shuffled: (seen: Seen, shuffle: Shuffle) => Seen;
    /** What of a plan must not change; all of it, unless said otherwise. */
    readonly compared?: (plan: Plan<A>) => unknown;
  };
  /** How many stand on each traffic path, by its name: of those before and those after, at least the fewer are there all the way. */
  readonly makeBeforeBreak: { readonly paths: (world: World) => ReadonlyMap<string, number> };
  readonly neverLast: { readonly ways: readonly WaysIn<World, A>[] };
  /** Everything in the world that is not ours. */
  readonly ownOrLeave: { readonly foreign: (world: World) => unknown };
  /** What is there in the end, the same with crashes and without: what is there beyond it has leaked. */
  readonly crashAnywhere: { readonly outcome: (world: World) => unknown };
  readonly deleteIsDesiringNothing: {
    readonly desireNothing: (world: World) => void;
    /** Everything that was made for the object, its finalizer included. */
    readonly remaining: (world: World) => readonly unknown[];
  };
}

export interface WaysIn<World, A extends Action> {
  readonly name: string;
  readonly count: (world: World) => number;
  /** The only kind of action that is to answer for them; all, unless said otherwise. */
  readonly takenBy?: A["kind"];
}

export type Laws<World, Seen, A extends Action> = {
  readonly [Law in keyof LawDetails<World, Seen, A>]: LawDetails<World, Seen, A>[Law] | LeftOut;
};

export type LawName = keyof LawDetails<unknown, unknown, Action>;
export type Shuffle = <T>(list: readonly T[]) => T[];
