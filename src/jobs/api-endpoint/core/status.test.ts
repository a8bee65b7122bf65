import { expect, test } from "vitest";
import { CloudModel } from "../../../../test/api-endpoint/model/cloud-model.ts";
import { machine, zonesIntent } from "../../../../test/api-endpoint/model/endpoint-builders.ts";
import { endpointStatus } from "./status.ts";

test("while the cloud cannot be seen, the latest round's word on DNS records counts before what status still says", () => {
  const world = new CloudModel(zonesIntent(["az1", "az2"], { publishDns: true }));
  world.join(machine("az1", 1), machine("az2", 1));
  world.converge();
  world.octaviaAway = true;
  const plan = world.plan();
  const dnsMemory = [{ zone: "az1", memory: { addresses: ["203.0.113.99"], badSinceMs: undefined } }];
  const report = (over: object) => endpointStatus({ ...world.observe(), ...over }, { plan, failures: [] }, world.nowMs);
  expect(report({ dnsMemory }).dns).toEqual(dnsMemory);
  expect(report({}).dns.map(({ zone }) => zone)).toEqual(["az1", "az2"]);
});
