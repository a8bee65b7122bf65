import { expect, test } from "vitest";
import { CloudModel } from "../../../../test/api-endpoint/model/cloud-model.ts";
import { amphora, machine, tcpPorts, zonesIntent } from "../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../core/known.ts";
import { type DesiredBalancer, desireBalancer } from "./desired.ts";
import type { EndpointIntent } from "./model/intent.ts";
import { tcpPort } from "./model/port.ts";
import { situationOf } from "./situation/situation.ts";

function worldOf(over: Partial<EndpointIntent> = {}): CloudModel {
  const world = new CloudModel(zonesIntent(["az1"], over));
  world.join(machine("az1", 1));
  return world;
}

function desiredIn(world: CloudModel): DesiredBalancer {
  const observed = world.observe();
  if (!observed.balancers.known) throw new Error("unseen");
  const situation = situationOf(observed, observed.balancers.value, observed.intent.ownerId ?? "", world.nowMs);
  const [wanted] = situation.assignment.wanted;
  if (wanted === undefined) throw new Error("none is wanted");
  return desireBalancer(wanted, situation);
}

test("before a balancer is made it has a place, and no ports: they depend on the provider that Octavia chooses", () => {
  const world = worldOf({ provider: "amphora" });
  expect(desiredIn(world)).toMatchObject({
    placement: { vipSubnetId: "sub-az1", provider: "amphora", availabilityZone: "az1" },
    ports: [],
  });
  world.converge();
  expect(desiredIn(world)).toMatchObject({ placement: undefined, ports: [{ port: tcpPort(6443) }] });
});

test("whatever is made is then there as desired: planning again changes nothing", () => {
  const world = worldOf({ additionalPorts: tcpPorts(9345), allowedCidrs: ["192.0.2.0/24"], tags: ["team=a"] });
  world.converge();
  const desired = desiredIn(world);
  expect(desired.ports.map(({ port, members }) => [port.number, members.length])).toEqual([
    [6443, 1],
    [9345, 1],
  ]);
  expect(desired.ports[0]?.listener.allowedCidrs).toEqual(["10.6.0.0/16", "192.0.2.0/24", "203.0.113.7/32"]);
  expect(world.plan().actions).toEqual([]);
});

test("an access list is absent where the provider has none, and where it cannot be told now", () => {
  const world = worldOf({ allowedCidrs: ["192.0.2.0/24"] });
  world.converge();
  world.places = { known: false, reason: "OpenStackServerError", message: "503" };
  expect(desiredIn(world).ports[0]).toMatchObject({ isAccessListKnown: false });
  expect(desiredIn(world).ports[0]?.listener).not.toHaveProperty("allowedCidrs");
  world.capabilities = known({ ...amphora, version: [2, 11] });
  expect(desiredIn(world).ports[0]).toMatchObject({ isAccessListKnown: true });
  expect(desiredIn(world).ports[0]?.listener).not.toHaveProperty("allowedCidrs");
});
