import { expect, test } from "vitest";
import { CloudModel } from "../../../../test/api-endpoint/model/cloud-model.ts";
import { machine, zonesIntent } from "../../../../test/api-endpoint/model/endpoint-builders.ts";
import { formatRef } from "../../../apis/kube/kube-object.ts";
import { DnsMemory } from "./dns-memory.ts";

const decided = [{ zone: "az1", memory: { addresses: ["192.0.2.1"], badSinceMs: 1 } }];

function remembered() {
  const world = new CloudModel(zonesIntent(["az1"], { publishDns: true }));
  world.join(machine("az1", 1));
  world.converge();
  const memory = new DnsMemory();
  const key = formatRef(world.intent.object);
  memory.remember(world.observe(), decided);
  return { world, memory, key };
}

test("what was decided counts while status shows what it did before", () => {
  const { world, memory, key } = remembered();
  expect(memory.of(key, world.observe())).toEqual(decided);
  const zones = world.recorded.zones.map((entry) => ({ ...entry, dns: { addresses: [], badSinceMs: undefined } }));
  world.recorded = { ...world.recorded, zones };
  expect(memory.of(key, world.observe())).toBeUndefined();
});

test("it is forgotten with its object, when another has its name, and when no records are published", () => {
  const { world, memory, key } = remembered();
  const observed = world.observe();
  expect(memory.of(key, { ...observed, object: { ...observed.object, uid: "another" } })).toBeUndefined();
  memory.remember(observed, []);
  expect(memory.of(key, observed)).toBeUndefined();
  memory.remember(observed, decided);
  memory.forget(key);
  expect(memory.of(key, observed)).toBeUndefined();
});
