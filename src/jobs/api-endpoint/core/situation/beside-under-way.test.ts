import { expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { single, withMode, zonesIntent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import type { EndpointAction } from "../model/action.ts";
import { planEndpoint } from "../plan.ts";

const zones = ["az1", "az2"] as const;

/** What is planned, kind by kind, while these are under way. */
function planned(world: CloudModel, underWay: readonly EndpointAction[]) {
  const { actions, waits } = planEndpoint({ ...world.observe(), underWay }, world.nowMs);
  return { kinds: actions.map(({ kind }) => kind), waits: waits.map(({ reason }) => reason) };
}

function firstOf(world: CloudModel, kind: EndpointAction["kind"]): EndpointAction {
  for (let round = 0; round < 50; round += 1) {
    const { actions } = planEndpoint(world.observe(), world.nowMs);
    const found = actions.find((action) => action.kind === kind);
    if (found !== undefined) return found;
    world.round();
  }
  throw new Error(`${kind} is never planned`);
}

test("what another lane changes is left alone, also when the object asks for something else meanwhile", () => {
  const world = new CloudModel(zonesIntent(zones));
  const listener = firstOf(world, "create-listener");
  world.intent = withMode(world.intent, single);
  expect(planned(world, []).kinds).toContain("update-load-balancer");
  const beside = planned(world, [listener]);
  expect(beside.kinds).not.toContain("update-load-balancer");
  expect(beside.waits).toContain("ChangeUnderWay");
});

test("no balancer is made while one is under way that nobody asked for any more, and each zone makes its own beside others", () => {
  const world = new CloudModel(zonesIntent(zones));
  const balancer = firstOf(world, "create-load-balancer");
  const others = planned(world, [balancer]);
  expect(others.kinds.filter((kind) => kind === "create-load-balancer")).toHaveLength(2);
  world.intent = withMode(world.intent, single);
  firstOf(world, "create-load-balancer");
  expect(planned(world, [balancer]).kinds).not.toContain("create-load-balancer");
});
