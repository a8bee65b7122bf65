// Where the manager asks the balancers' addresses itself: Octavia can be wrong about itself, in both directions.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import { customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Feature } from "../../../src/engine/feature.ts";
import { openStackClusterFeature } from "../../../src/jobs/api-endpoint/controller/front-doors.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, floatingIps } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const zones = ["az1", "az2", "az3"];
/** Two looks, the second probe, the damping, and the look after it. */
const boundMs = 120_000;

class ProbedWorld extends EndpointWorld {
  /** Questions by address. */
  readonly asked = new Map<string, number>();

  override features(): readonly Feature[] {
    const { fake: openStack } = this.lab;
    const probe = {
      isAnswered: (target: Parameters<typeof openStack.probe.isAnswered>[0]) => {
        this.asked.set(target.address, (this.asked.get(target.address) ?? 0) + 1);
        return openStack.probe.isAnswered(target);
      },
    };
    const probing = { probe, how: "readyz", intervalMs: 30_000, timeoutMs: 3_000 } as const;
    return [openStackClusterFeature({ openStack, claims: "annotated", probing })];
  }
}

let world: ProbedWorld;
let running: TestManager;

beforeEach(async () => {
  world = new ProbedWorld();
  await world.furnish();
  await world.kube.create(customResourceDefinitions, openCrd(dnsEndpoints));
  await world.clock.advance(100);
  running = world.work();
  const spec = {
    controlPlaneEndpoint: { host: "api.blue.example.com", port: 6443 },
    apiServerLoadBalancer: world.zones(),
  };
  await world.cluster("blue", { spec, annotations: { "mainstay.dev/publish-dns": "true" } });
  await world.clock.advance(30_000);
  for (const zone of zones) await world.machine("blue", zone);
  await world.clock.advance(120_000);
});

afterEach(async () => {
  await running.manager.stop();
});

async function zonesPublished(): Promise<readonly string[]> {
  const { spec } = await world.kube.get(dnsEndpoints, { name: "blue", namespace });
  const published = (spec?.endpoints ?? []).flatMap(({ targets }) => targets);
  return zones.filter((zone) =>
    floatingIps(world).some(
      ({ tags, address }) => tags.includes(`mainstay-zone=${zone}`) && published.includes(address),
    ),
  );
}

const probesShown = async () => (await world.read("blue")).status?.apiServerLoadBalancers?.map(({ probe }) => probe);

test("a balancer that is known to be dead stays out of the records across a restart", async () => {
  const { faults } = world.lab.fake;
  faults.killBalancer(balancerNamed(world, "az2").id);
  await world.clock.advance(boundMs);
  const stopped = running.manager.stop();
  await world.clock.advance(1_000);
  await stopped;
  running = world.work();
  for (let seconds = 0; seconds < 180; seconds += 1) {
    await world.clock.advance(1_000);
    expect(await zonesPublished()).toEqual(["az1", "az3"]);
  }
  faults.reviveBalancer(balancerNamed(world, "az2").id);
  await world.clock.advance(60_000);
  expect(await zonesPublished()).toEqual(zones);
});

test("a balancer that is dead while its members are fine leaves the records, and comes back", async () => {
  const { faults } = world.lab.fake;
  const { id } = balancerNamed(world, "az2");
  expect(await probesShown()).toEqual(["Answered", "Answered", "Answered"]);
  faults.killBalancer(id);
  await world.clock.advance(boundMs);
  expect(await zonesPublished()).toEqual(["az1", "az3"]);
  expect(await probesShown()).toEqual(["Answered", "Failed", "Answered"]);
  expect(balancerNamed(world, "az2")).toMatchObject({ id, operatingStatus: "ONLINE" });
  expect(await world.notes()).toContainEqual(expect.stringContaining("nobody answers at its address"));
  faults.reviveBalancer(id);
  await world.clock.advance(60_000);
  expect(await zonesPublished()).toEqual(zones);
});

describe("while Octavia hides it", () => {
  /** Answers with how it comes back. */
  const hide = (isHidden: (call: { readonly operation: string; readonly balancerId?: string }) => boolean) =>
    world.lab.fake.addCallPlan((call) =>
      call.service === "octavia" && isHidden(call) ? { turnAway: { status: 503 } } : undefined,
    );
  const said = async (wanted: string) => {
    const { status } = await world.read("blue");
    return status?.conditions?.find(({ type }) => type === wanted);
  };

  test("a dead balancer whose tree cannot be read leaves the records, is said, and comes back", async () => {
    const { id } = balancerNamed(world, "az2");
    const back = hide(({ operation, balancerId }) => operation === "get status tree" && balancerId === id);
    world.lab.fake.faults.killBalancer(id);
    // A tree is read when the list shows something new of its balancer.
    world.lab.fake.faults.setStatus("loadbalancers", id, { operating: "DEGRADED" });
    await world.clock.advance(boundMs);
    expect(await zonesPublished()).toEqual(["az1", "az3"]);
    expect(await said("LoadBalancersReady")).toMatchObject({ status: "False", reason: "LoadBalancerDown" });
    expect(await said("Ready")).toMatchObject({
      status: "True",
      message: expect.stringContaining("nobody answers at its address"),
    });
    running.writes.length = 0;
    await world.clock.advance(600_000);
    expect(running.writes.filter((write) => write.includes("openstackclusters"))).toEqual([]);
    back();
    world.lab.fake.faults.reviveBalancer(id);
    await world.clock.advance(boundMs);
    expect(await zonesPublished()).toEqual(zones);
  });

  test("addresses are asked on while the cloud does not answer at all, and what comes of it is said", async () => {
    const back = hide(() => true);
    world.lab.fake.faults.killBalancer(balancerNamed(world, "az2").id);
    await world.clock.advance(boundMs);
    expect(await probesShown()).toEqual(["Answered", "Failed", "Answered"]);
    for (const type of ["Ready", "LoadBalancersReady"])
      expect(await said(type)).toMatchObject({
        status: "Unknown",
        message: expect.stringMatching(
          /^the cloud does not answer \(Octavia\): .*; az2: nobody answers at its address/,
        ),
      });
    running.writes.length = 0;
    await world.clock.advance(600_000);
    expect(running.writes.filter((write) => write.includes("openstackclusters"))).toEqual([]);
    back();
    // Octavia is asked again after five minutes at the latest.
    await world.clock.advance(300_000 + boundMs);
    expect(await zonesPublished()).toEqual(["az1", "az3"]);
  });

  test("what is not asked any more is not shown: a paused object has no probes", async () => {
    await world.patch("blue", { metadata: { annotations: { "cluster.x-k8s.io/paused": "true" } } });
    await world.clock.advance(boundMs);
    expect(await probesShown()).toEqual([undefined, undefined, undefined]);
  });
});

test("a manager that reaches none of them changes nothing", async () => {
  for (const zone of zones) world.lab.fake.faults.killBalancer(balancerNamed(world, zone).id);
  await world.clock.advance(10 * boundMs);
  expect(await zonesPublished()).toEqual(zones);
});

test("a balancer that Octavia calls dead although it serves stays in the records", async () => {
  const { faults } = world.lab.fake;
  faults.setStatus("loadbalancers", balancerNamed(world, "az2").id, { operating: "ERROR" });
  await world.clock.advance(boundMs);
  expect(await zonesPublished()).toEqual(zones);
});

test("at rest each address is asked at most once an interval", async () => {
  world.asked.clear();
  await world.clock.advance(600_000);
  expect(world.asked.size).toBe(3);
  for (const [, count] of world.asked) expect(count).toBeLessThanOrEqual(21);
  for (const [, count] of world.asked) expect(count).toBeGreaterThan(10);
});
