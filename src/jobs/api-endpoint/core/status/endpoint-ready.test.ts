import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  intent,
  machine,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { unseen } from "../../../../../test/api-endpoint/model/observe-model.ts";
import { endpointStatus } from "../status.ts";
import type { Failure } from "./endpoint-condition.ts";

const az = ["az1", "az2", "az3"];

function serving(): CloudModel {
  const world = new CloudModel(zonesIntent(az));
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
  return world;
}

function reported(world: CloudModel, failures: readonly Failure[] = []) {
  const { conditions, provisioned } = endpointStatus(world.observe(), { plan: world.plan(), failures }, world.nowMs);
  const found = conditions.find(({ type }) => type === "APIEndpointReady");
  return { status: found?.status, reason: found?.reason, provisioned };
}

const fail = (world: CloudModel, ...zones: readonly string[]) => {
  for (const zone of zones) world.row(zoneBalancerName(zone)).lb.provisioningStatus = "ERROR";
};
const problem = { where: "spec.tags", message: "it is wrong", hint: "Correct it." };

describe("APIEndpointReady", () => {
  test("of a cluster that was provisioned needs one balancer that lets people in, and not none", () => {
    const world = serving();
    fail(world, "az1", "az2");
    expect(reported(world)).toMatchObject({ status: "True" });
    fail(world, "az3");
    expect(reported(world)).toMatchObject({ status: "Unknown", reason: "LoadBalancerInError" });
    world.up.clear();
    world.settle();
    expect(reported(world)).toMatchObject({ status: "False", reason: "EndpointNotReady" });
  });

  test("of one that was not needs all of them, or as many as are enough", () => {
    const world = serving();
    world.object.provisioned = false;
    fail(world, "az1");
    expect(reported(world)).toMatchObject({ status: "False", provisioned: false });
    world.intent = { ...world.intent, consents: { ...world.intent.consents, minZones: 2 } };
    expect(reported(world)).toMatchObject({ status: "True", provisioned: true });
  });

  test("is Unknown, and nothing is provisioned, while only Neutron can tell whether they have an address", () => {
    const world = serving();
    world.object.provisioned = false;
    world.neutronAway = true;
    world.places = unseen("networks: 503");
    expect(reported(world)).toMatchObject({ status: "Unknown", provisioned: false });
  });

  test.each([
    ["of the whole object, such as a note of its tags", undefined, "True"],
    ["of the Secret with the credentials", { part: "credentials" }, "True"],
    ["of the DNS records", { part: "dns" }, "False"],
    ["of the endpoint, in CAPO's object too", { part: "endpoint" }, "False"],
    ["of an address for the machines", { part: "floating-ip" }, "False"],
    ["of a floating IP that is left over", { part: "floating-ip", aspect: "203.0.113.9" }, "True"],
    ["of a zone", { part: "az1" }, "True"],
  ])("a step that fails %s", (_whose, lane, status) => {
    const failed: Failure = { lane, reason: "PermissionDenied", message: "forbidden" };
    expect(reported(serving(), [failed])).toMatchObject({ status });
  });
});

test("a cluster without balancers is provisioned once it has an endpoint", () => {
  const world = new CloudModel(intent({ mode: "none", endpoint: { host: "api.example.com", port: 6443 } }));
  expect(reported(world)).toMatchObject({ status: "True", provisioned: true });
});

describe("a cluster is not provisioned", () => {
  test("while the object is refused, whatever stands", () => {
    const world = serving();
    world.object.provisioned = false;
    expect(reported(world).provisioned).toBe(true);
    world.problems = [problem];
    expect(reported(world)).toMatchObject({ status: "False", reason: "EndpointSpecInvalid", provisioned: false });
  });

  test.each([
    ["without a host", undefined],
    ["without a port", { host: "api.example.com", port: 0 }],
  ])("%s", (_what, endpoint) => {
    const world = new CloudModel(intent({ mode: "none", endpoint }));
    expect(reported(world)).toMatchObject({ status: "False", reason: "EndpointMissing", provisioned: false });
  });

  test("while it is being deleted", () => {
    const world = serving();
    world.object.provisioned = false;
    world.intent = { ...world.intent, deleting: true };
    expect(reported(world).provisioned).toBe(false);
  });
});
