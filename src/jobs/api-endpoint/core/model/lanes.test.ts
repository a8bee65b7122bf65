import { expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { machine, zonesIntent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { laneKey } from "../../../../core/plan.ts";
import type { EndpointAction } from "./action.ts";
import { endpointActionWords } from "./action-words.ts";

const lanesOf = (done: readonly EndpointAction[], ...kinds: readonly EndpointAction["kind"][]) =>
  new Set(done.filter(({ kind }) => kinds.includes(kind)).map(({ lane }) => laneKey(lane)));

test("a zone may be called as one likes: its failures hold up nothing but itself", () => {
  const zones = ["dns", "single", "legacy", "floating-ip", "zone dns"];
  const world = new CloudModel(zonesIntent(zones, { publishDns: true }));
  world.join(...zones.map((zone, index) => machine(zone, index + 1)));
  const done = world.converge(400);
  const balancers = lanesOf(done, "create-load-balancer", "create-listener");
  expect(balancers.size).toBe(zones.length);
  expect([...lanesOf(done, "apply-dns-endpoint")].filter((lane) => balancers.has(lane))).toEqual([]);
});

test.each(["az1", "az/2", "dns", "zone dns"])("what is done for zone %s says so", (zone) => {
  const world = new CloudModel(zonesIntent([zone]));
  world.join(machine(zone, 1));
  const [created] = world.converge().filter(({ kind }) => kind === "create-load-balancer");
  if (created === undefined) throw new Error("none was made");
  expect(endpointActionWords(created).endsWith(` for zone ${zone}`)).toBe(true);
});
