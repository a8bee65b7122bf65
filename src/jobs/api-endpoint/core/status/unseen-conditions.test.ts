import { expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { machine, zonesIntent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";

test("an object that is being deleted says so first, and that what keeps it from the cloud holds it up", () => {
  const world = new CloudModel(zonesIntent(["az1"]));
  world.join(machine("az1", 1));
  world.converge();
  world.machines = [];
  world.intent = { ...world.intent, deleting: true };
  const message = "Secret default/blue-cloud: there is no such object";
  world.unreachable = { known: false, reason: "CredentialsUnusable", message };
  world.report();
  expect(world.status?.conditions.find(({ type }) => type === "Ready")).toMatchObject({
    status: "False",
    reason: "CredentialsUnusable",
    message: expect.stringMatching(`^the object is being deleted, and this holds it up: .*${message}`),
  });
});
