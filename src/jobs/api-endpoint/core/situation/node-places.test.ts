import { expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { machine, placesOf, zonesIntent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";
import { unresolvedNodes } from "./node-places.ts";

test("what is said of subnets that were not found does not depend on their order", () => {
  const said = (...clusterUnresolved: string[]) => unresolvedNodes(placesOf([], { clusterUnresolved }));
  expect(said("subnet b: 2 fit", "subnet a: 2 fit")).toEqual(["subnet a: 2 fit", "subnet b: 2 fit"]);
  expect(said("subnet a: 2 fit", "subnet b: 2 fit")).toEqual(said("subnet b: 2 fit", "subnet a: 2 fit"));
});

test("machines that a list does not let in are named, and not those of which no address is known yet", () => {
  const world = new CloudModel(zonesIntent(["az1"], { allowedCidrs: ["192.0.2.0/24"] }));
  world.join(machine("az1", 1));
  world.converge();
  const far = { ...machine("az1", 2), name: "far", addresses: ["172.16.0.5"] };
  world.join(far, { ...machine("az1", 3), name: "unborn", addresses: [] });
  world.places = known({ ...placesOf(["az1"]), clusterNetwork: undefined });
  const said = world.plan().refusals.find(({ reason }) => reason === "NodeNetworkUnnamed")?.message;
  expect(said).toContain("machines that are not: far (172.16.0.5);");
});
