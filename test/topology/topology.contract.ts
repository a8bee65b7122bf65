// Topology from end to end, on whichever API server it is given: the definition, applying, the controller, the consumers.

import { afterAll, afterEach, beforeAll, describe } from "vitest";
import type { KubeTargetSession } from "../contract/kube-target.ts";
import { applyContract } from "./apply.contract.ts";
import { consumerContract } from "./consumer.contract.ts";
import { controllerContract } from "./controller.contract.ts";
import { definitionContract } from "./definition.contract.ts";
import { managerRightsContract } from "./manager-rights.contract.ts";
import { skewContract } from "./skew.contract.ts";
import { TopologyWorld } from "./topology-world.ts";
import { transitionContract } from "./transition.contract.ts";

export function topologyContract(open: () => KubeTargetSession): void {
  let world: TopologyWorld;
  const get = (): TopologyWorld => world;
  beforeAll(async () => {
    world = new TopologyWorld(open());
    await world.installDefinitions();
  });
  afterEach(() => world.clear());
  afterAll(() => world.removeDefinitions());

  describe("the definition", () => definitionContract(get));
  describe("mainstay topology derive --apply", () => applyContract(get));
  describe("the controller", () => controllerContract(get));
  describe("the mutable mode", () => transitionContract(get));
  describe("versions apart", () => skewContract(get));
  describe("a consumer", () => consumerContract(get));
  describe("the manager's rights", () => managerRightsContract(get));
}
