import fc from "fast-check";
import { describe, test } from "vitest";
import type { CloudModel } from "../../../../test/api-endpoint/model/cloud-model.ts";
import {
  type EndpointEvent,
  endpointEvents,
  happen,
  losses,
  userTags,
} from "../../../../test/api-endpoint/model/endpoint-events.ts";
import {
  endpointWorlds,
  foreignAddress,
  heal,
  mendBalancers,
  settledWorlds,
  showEverything,
} from "../../../../test/api-endpoint/model/endpoint-worlds.ts";
import { expectOneChangeEach } from "../../../../test/api-endpoint/model/expect-one-change-each.ts";
import { expectMembersFollow, expectWanted } from "../../../../test/api-endpoint/model/expect-wanted.ts";
import { histories, inTurn, live } from "../../../../test/support/plan-laws/history.ts";
import { lawChecks } from "../../../../test/support/plan-laws/law-checks.ts";
import { planLaws } from "../../../../test/support/plan-laws/plan-laws.ts";
import type { PlannerUnderTest, Shuffle } from "../../../../test/support/plan-laws/planner-under-test.ts";
import { searchRuns } from "../../../../test/support/search-share.ts";
import { known } from "../../../core/known.ts";
import type { EndpointAction } from "./model/action.ts";
import type { EndpointObserved } from "./model/observed.ts";
import { isOn } from "./model/port.ts";
import { planEndpoint } from "./plan.ts";

interface Seen {
  readonly observed: EndpointObserved;
  readonly nowMs: number;
}

const neverLast = {
  ways: [
    { name: "way in", count: (world: CloudModel) => world.waysIn() },
    {
      name: "published address that leads to somebody",
      count: (world: CloudModel) => world.waysPublished(),
      takenBy: "apply-dns-endpoint" as const,
    },
  ],
};

const planner: PlannerUnderTest<CloudModel, EndpointEvent, Seen, EndpointAction> = {
  world: endpointWorlds,
  events: endpointEvents,
  happen,
  observe: (world) => ({ observed: world.observe(), nowMs: world.nowMs }),
  plan: ({ observed, nowMs }) => {
    const plan = planEndpoint(observed, nowMs);
    // In every round of every history, whichever law it is judged by.
    expectOneChangeEach(plan);
    return plan;
  },
  apply: (world, action) => world.apply(action),
  report: (world, plan) => world.report(plan),
  pass: (world) => world.settle(),
  heal,
  runs: searchRuns(200),
  laws: {
    quiet: { mostRounds: 250, expectWanted },
    deterministic: { shuffled },
    makeBeforeBreak: { paths },
    neverLast,
    ownOrLeave: {
      foreign: ({ rows, floatingIps }) => [
        rows.filter(({ foreign }) => foreign),
        floatingIps.filter(({ address }) => address === foreignAddress),
      ],
    },
    crashAnywhere: { outcome },
    deleteIsDesiringNothing: {
      desireNothing: (world) => {
        showEverything(world);
        world.machines = [];
        world.intent = { ...world.intent, deleting: true };
      },
      remaining: (world) => [
        ...world.ours(),
        ...world.floatingIps.filter(({ address }) => address !== foreignAddress),
        ...(world.object.hasFinalizer ? ["finalizer"] : []),
      ],
    },
  },
};

planLaws(planner);

describe("beyond the laws, over random histories", () => {
  test("no round takes the last way in, or the last record that leads to one, while machines come to an end and much cannot be seen", () => {
    const history = inTurn(
      histories(endpointEvents, { maxLength: 10 }),
      histories(losses, { minLength: 10, maxLength: 30 }),
    );
    lawChecks.neverLast({ ...planner, world: settledWorlds, history }, neverLast);
  }, 600_000);

  test("machines are members of every balancer that they belong behind, as long as it is there, whatever is to become of it", () => {
    fc.assert(
      fc.property(endpointWorlds, histories(endpointEvents), (make, history) => {
        const world = make();
        live(planner, world, history);
        showEverything(world);
        mendBalancers(world);
        for (let round = 0; round < 60; round += 1) world.round();
        expectMembersFollow(world);
      }),
      { numRuns: searchRuns(200) },
    );
  }, 600_000);
});

function shuffled({ observed, nowMs }: Seen, shuffle: Shuffle): Seen {
  const { machines, balancers, floatingIps } = observed;
  const parts = balancers.known
    ? balancers.value.map((one) => ({ ...one, listeners: shuffle(one.listeners), monitors: shuffle(one.monitors) }))
    : [];
  return {
    nowMs,
    observed: {
      ...observed,
      machines: shuffle(machines),
      balancers: balancers.known ? known(shuffle(parts)) : balancers,
      floatingIps: floatingIps.known ? known(shuffle(floatingIps.value)) : floatingIps,
    },
  };
}

/** The cluster as a whole, through whichever balancer; and each balancer, through machines that are there and answer. */
function paths(world: CloudModel): ReadonlyMap<string, number> {
  const { up, machines, intent } = world;
  const real = new Set(machines.flatMap(({ addresses }) => addresses));
  const behind = world.ours().map(({ lb, listeners, pools }) => {
    const poolId = listeners.find((listener) => isOn(listener, intent.apiPort))?.defaultPoolId;
    const members = pools.find(({ id }) => id === poolId)?.members ?? [];
    return [lb.id, members.filter(({ address }) => real.has(address) && up.has(address)).length] as const;
  });
  return new Map([["the cluster", Math.min(1, world.waysIn())], ...behind]);
}

function outcome(world: CloudModel): unknown {
  const balancers = world.ours().map(({ lb, listeners, pools, monitors }) => ({
    name: lb.name,
    hasFloatingIp: world.floatingIps.some(({ portId }) => portId === lb.vipPortId),
    ports: listeners.map(({ port }) => port).toSorted(),
    pools: pools
      .map(
        ({ name, members }) =>
          `${name}: ${members
            .map(({ address, tags }) => [address, ...userTags.filter((tag) => tags.includes(tag))].join(" "))
            .toSorted()
            .join()}`,
      )
      .toSorted(),
    monitors: monitors.map(({ name }) => name).toSorted(),
  }));
  return {
    balancers: balancers.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
    floatingIps: world.floatingIps.length,
    finalizer: world.object.hasFinalizer,
  };
}
