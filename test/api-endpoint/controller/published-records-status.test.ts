// What status says while the DNSEndpoint is not what it should be: somebody else keeps writing or deleting it, or we may not write it.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import { customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import { isKubeError, KubeError } from "../../../src/core/kube-error.ts";
import type { Kube } from "../../../src/ports/kube.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const host = "api.blue.example.com";
const blue = { name: "blue", namespace };
const nobody = "203.0.113.250";
const minuteMs = 60_000;
let world: EndpointWorld;
let running: TestManager;
let isForbidden: boolean;

/** DNSEndpoints can be written while nobody forbids it. */
function forbidding(kube: Kube): Kube {
  const write = <K extends "patch" | "apply" | "create">(verb: K): Kube[K] =>
    ((kind: Kind, ...rest: readonly unknown[]) => {
      if (isForbidden && kind.plural === dnsEndpoints.plural)
        throw new KubeError({ code: "Forbidden", message: "no role allows it" });
      return Reflect.apply(kube[verb], kube, [kind, ...rest]);
    }) as Kube[K];
  return { ...kube, patch: write("patch"), apply: write("apply"), create: write("create") };
}

beforeEach(async () => {
  isForbidden = false;
  world = new EndpointWorld();
  await world.furnish();
  await world.kube.create(customResourceDefinitions, openCrd(dnsEndpoints));
  await world.clock.advance(100);
  running = world.manager({ through: forbidding });
  const spec = { controlPlaneEndpoint: { host, port: 6443 }, apiServerLoadBalancer: world.zones() };
  await world.cluster("blue", { spec, annotations: { "mainstay.dev/publish-dns": "true" } });
  await world.clock.advance(minuteMs / 2);
  for (const zone of ["az1", "az2", "az3"]) await world.machine("blue", zone);
  await world.clock.advance(5 * minuteMs);
});
afterEach(() => running.manager.stop());

async function told(type: string) {
  return ((await world.read("blue")).status?.conditions ?? []).find((one) => one.type === type);
}

const misdirect = () => {
  const endpoints = [{ dnsName: host, recordType: "A", recordTTL: 30, targets: [nobody] }];
  return world.kube.patch(dnsEndpoints, blue, { type: "merge", body: { spec: { endpoints } } });
};

const remove = async () => {
  try {
    await world.kube.delete(dnsEndpoints, blue);
  } catch (error) {
    if (!isKubeError(error, "NotFound")) throw error;
  }
};

describe.each([
  ["writes an address of nobody's", misdirect, `they name ${nobody}`],
  ["deletes them", remove, "there are none"],
] as const)("somebody else %s again and again", (_, undo, words) => {
  test("status says that the records are not as asked, and lead to nobody; and no longer when it is over", async () => {
    for (let ms = 0; ms < 20 * minuteMs; ms += 3_000) {
      await undo();
      await world.clock.advance(3_000);
    }
    expect(await told("APIEndpointReady")).toMatchObject({ status: "False", reason: "StepRepeated" });
    const message = expect.stringContaining(`the DNS records lead to no machine: ${words}`);
    expect(await told("Ready")).toMatchObject({ status: "False", reason: "StepRepeated", message });
    await world.clock.advance(10 * minuteMs);
    for (const type of ["APIEndpointReady", "Ready"])
      expect(await told(type)).toMatchObject({ status: "True", reason: "AsExpected" });
  });
});

test("records that cannot be written and still lead to zones that serve leave it Ready, with the cause", async () => {
  isForbidden = true;
  world.lab.fake.faults.setStatus("loadbalancers", balancerNamed(world, "az2").id, { provisioning: "ERROR" });
  await world.clock.advance(60 * minuteMs);
  expect(await told("APIEndpointReady")).toMatchObject({ status: "False", reason: "PermissionDenied" });
  const message = expect.stringMatching(/^the API can be reached through \S+.*, but not everything works: /);
  expect(await told("Ready")).toMatchObject({ status: "True", message });
});
