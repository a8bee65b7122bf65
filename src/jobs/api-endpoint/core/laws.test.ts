import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CloudModel } from "../../../../test/api-endpoint/cloud-model.ts";
import { location, withoutFloatingIpTags } from "../../../../test/api-endpoint/endpoint-builders.ts";
import {
  beginning,
  events,
  expectAsWanted,
  expectFollowing,
  happen,
  heal,
  quietEvents,
} from "../../../../test/api-endpoint/endpoint-story.ts";
import { known } from "../../../core/known.ts";
import { planEndpoint } from "./plan.ts";

const stories = fc.record({
  legacy: fc.boolean(),
  /** It begins when everything is done, and not before. */
  settled: fc.boolean(),
  provider: fc.constantFrom("amphora", "ovn"),
  /** Whether floating IPs can be tagged. */
  tags: fc.boolean(),
  publishDns: fc.boolean(),
  events: fc.array(events, { maxLength: 40 }),
});

function told(story: {
  readonly legacy: boolean;
  readonly settled: boolean;
  readonly provider: string;
  readonly tags: boolean;
  readonly publishDns: boolean;
  readonly events: readonly Parameters<typeof happen>[1][];
}): CloudModel {
  const world = beginning(story.legacy, story.provider, story.publishDns);
  // Without tags nothing says whose CAPO's was once its balancer, kept as a fall-back, is gone.
  if (!story.tags && !story.legacy) world.capabilities = known(withoutFloatingIpTags);
  if (story.settled) world.converge();
  for (const event of story.events) happen(world, event);
  return world;
}

describe("the laws, over random stories of users, machines, clouds and crashes", () => {
  test("whatever happened, it comes to rest at what is wanted, with nothing left over and nothing foreign touched", () => {
    fc.assert(
      fc.property(stories, (story) => {
        const world = told(story);
        heal(world);
        world.converge(250);
        expect(world.plan()).toMatchObject({ actions: [], waits: [] });
        expectAsWanted(world);
      }),
      { numRuns: 200 },
    );
  }, 120_000);

  test("no round takes the last way in, or the last record that leads to one, while machines come to an end and much cannot be seen", () => {
    fc.assert(
      fc.property(stories, fc.array(quietEvents, { minLength: 10, maxLength: 30 }), (story, quiet) => {
        told({ ...story, settled: true, events: [...story.events.slice(0, 10), ...quiet] });
      }),
      { numRuns: 200 },
    );
  }, 120_000);

  test("machines stand behind every balancer that they belong behind, as long as it is there, whatever is to become of it", () => {
    fc.assert(
      fc.property(stories, (story) => {
        const world = told(story);
        world.location = location;
        for (const row of world.rows) {
          row.hidden = false;
          if (row.lb.provisioningStatus === "ERROR") row.lb.provisioningStatus = "ACTIVE";
        }
        for (let round = 0; round < 60; round += 1) world.round();
        expectFollowing(world);
      }),
      { numRuns: 200 },
    );
  }, 120_000);

  test("deleting leaves nothing but what is not ours, from wherever it begins", () => {
    fc.assert(
      fc.property(stories, (story) => {
        const world = told(story);
        world.machines = [];
        for (const row of world.rows) row.hidden = false;
        world.neutronAway = false;
        world.problems = [];
        world.location = location;
        world.intent = { ...world.intent, deleting: true };
        world.converge();
        expect(world.ours()).toEqual([]);
        expect(world.rows).toHaveLength(1);
        expect(world.floatingIps.map(({ address }) => address)).toEqual(["203.0.113.250"]);
        expect(world.object.hasFinalizer).toBe(false);
      }),
      { numRuns: 200 },
    );
  }, 120_000);

  test("the order of inputs changes nothing", () => {
    fc.assert(
      fc.property(stories, fc.func(fc.integer()), (story, rank) => {
        const world = told(story);
        const observed = world.observe();
        const mixed = <T>(list: readonly T[]): T[] =>
          list.toSorted((a, b) => rank(JSON.stringify(a)) - rank(JSON.stringify(b)));
        const { balancers, floatingIps } = observed;
        const permuted = {
          ...observed,
          machines: mixed(observed.machines),
          balancers: balancers.known
            ? known(
                mixed(balancers.value).map((one) => ({
                  ...one,
                  listeners: mixed(one.listeners),
                  monitors: mixed(one.monitors),
                })),
              )
            : balancers,
          floatingIps: floatingIps.known ? known(mixed(floatingIps.value)) : floatingIps,
        };
        expect(planEndpoint(permuted, world.nowMs)).toEqual(planEndpoint(observed, world.nowMs));
      }),
      { numRuns: 200 },
    );
  }, 120_000);
});
