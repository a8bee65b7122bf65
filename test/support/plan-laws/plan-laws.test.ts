// Each law can fail: for each there is a planner that breaks it, and a sound one that none of them holds anything against.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Action, emptyPlan, type Plan } from "../../../src/core/plan.ts";
import { lawChecks } from "./law-checks.ts";
import { planLaws } from "./plan-laws.ts";
import { type LawDetails, type LawName, type PlannerUnderTest, worldsFrom } from "./planner-under-test.ts";

/** A server of the toy job: one for each name that is wanted. */
interface Server {
  readonly id: number;
  readonly name: string;
  readonly owner: "us" | "somebody";
}

interface ToyWorld {
  wanted: readonly string[];
  servers: readonly Server[];
  /** What a planner with a bad idea goes by instead of the mark: what it reported. */
  reported: readonly number[];
}

type ToyAction = Action & { readonly because: "AsExpected" } & (
    | { readonly kind: "create"; readonly name: string }
    | { readonly kind: "delete"; readonly id: number; readonly removes: string }
  );
type ToyPlanner = (world: ToyWorld) => readonly ToyAction[];

const create = (name: string): ToyAction => ({ kind: "create", name, because: "AsExpected" });
const remove = ({ id, name }: Server): ToyAction => ({ kind: "delete", id, removes: name, because: "AsExpected" });
const ours = ({ servers }: ToyWorld) => servers.filter(({ owner }) => owner === "us").toSorted((a, b) => a.id - b.id);
const missingIn = (world: ToyWorld) =>
  world.wanted.filter((name) => !ours(world).some((server) => server.name === name)).toSorted();
const unwantedIn = (world: ToyWorld) => ours(world).filter(({ name }) => !world.wanted.includes(name));

const sound: ToyPlanner = (world) => {
  const missing = missingIn(world);
  return missing.length > 0 ? missing.map(create) : unwantedIn(world).map(remove);
};

const broken: Readonly<Record<LawName, ToyPlanner>> = {
  quiet: (world) => {
    const [first] = ours(world);
    return first === undefined ? sound(world) : [...sound(world), create("again"), remove(first)];
  },
  deterministic: (world) => {
    const missing = world.wanted.filter((name) => missingIn(world).includes(name));
    return missing.length > 0 ? missing.map(create) : unwantedIn(world).map(remove);
  },
  makeBeforeBreak: (world) => {
    const [, ...butOne] = ours(world);
    const early = unwantedIn(world).filter((server) => butOne.includes(server));
    return [
      ...early.map(remove),
      ...missingIn(world).map(create),
      ...(early.length === 0 ? sound(world).filter(({ kind }) => kind === "delete") : []),
    ];
  },
  neverLast: (world) => [...unwantedIn(world).map(remove), ...missingIn(world).map(create)],
  ownOrLeave: (world) => {
    const missing = missingIn(world);
    return missing.length > 0
      ? missing.map(create)
      : world.servers.filter(({ name }) => !world.wanted.includes(name)).map(remove);
  },
  crashAnywhere: (world) => {
    const known = ours(world).filter(({ id }) => world.reported.includes(id));
    return sound({ ...world, servers: known });
  },
  deleteIsDesiringNothing: (world) => (world.wanted.length === 0 ? [] : sound(world)),
};

const names = ["a", "b", "c"];
const stranger: Server = { id: 0, name: "x", owner: "somebody" };
const wishes = fc.shuffledSubarray(names, { minLength: 1 });

function toy(plan: ToyPlanner): PlannerUnderTest<ToyWorld, readonly string[], ToyWorld, ToyAction> {
  return {
    world: worldsFrom(wishes, (wanted): ToyWorld => ({ wanted, servers: [stranger], reported: [] })),
    events: wishes,
    happen: (world, wanted) => void (world.wanted = wanted),
    observe: (world) => ({ ...world }),
    plan: (seen): Plan<ToyAction> => ({ ...emptyPlan, actions: plan(seen) }),
    apply: (world, action) => {
      if (action.kind === "delete") world.servers = world.servers.filter(({ id }) => id !== action.id);
      else {
        const id = 1 + Math.max(...world.servers.map((server) => server.id), 0);
        world.servers = [...world.servers, { id, name: action.name, owner: "us" }];
      }
    },
    report: (world) => void (world.reported = world.servers.map(({ id }) => id)),
    laws: {
      quiet: { mostRounds: 10, expectWanted: (world) => expect(missingIn(world)).toEqual([]) },
      deterministic: {
        shuffled: (seen, shuffle) => ({ ...seen, wanted: shuffle(seen.wanted), servers: shuffle(seen.servers) }),
      },
      makeBeforeBreak: { paths: (world) => new Map([["servers", ours(world).length]]) },
      neverLast: { ways: [{ name: "server", count: (world) => ours(world).length }] },
      ownOrLeave: { foreign: ({ servers }) => servers.filter(({ owner }) => owner === "somebody") },
      crashAnywhere: {
        outcome: (world) =>
          ours(world)
            .map(({ name }) => name)
            .toSorted(),
      },
      deleteIsDesiringNothing: { desireNothing: (world) => void (world.wanted = []), remaining: ours },
    },
  };
}

describe("a sound planner", () => {
  planLaws(toy(sound));
});

const complaints: Readonly<Record<LawName, RegExp>> = {
  quiet: /not at rest after 10 rounds/,
  deterministic: /deterministic: another order, another plan/,
  makeBeforeBreak: /make before break: a path was interrupted/,
  neverLast: /never last: .* took the last/,
  ownOrLeave: /own or leave: .* changed what is not ours/,
  crashAnywhere: /crash anywhere: it ends otherwise/,
  deleteIsDesiringNothing: /delete is desiring nothing: something remains/,
};

test.each(Object.keys(broken) as LawName[])("%s finds the planner that breaks it", (law) => {
  // Some need a rare history, and this must not depend on luck.
  const complaint = complaintOf(law, { ...toy(broken[law]), runs: 2_000 });
  expect(complaint).toMatch(complaints[law]);
});

function complaintOf<Law extends LawName>(law: Law, planner: ReturnType<typeof toy>): string {
  const details = planner.laws[law] as LawDetails<ToyWorld, ToyWorld, ToyAction>[Law];
  try {
    lawChecks[law](planner, details);
    return "none";
  } catch (error) {
    return error instanceof Error ? String(error.cause) : String(error);
  }
}
