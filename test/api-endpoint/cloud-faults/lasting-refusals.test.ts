// Something is refused for an hour: a step, a write to Kubernetes, a list, the credentials. People read one steady text, are told by an Event
// and a condition, and whoever refuses is not asked again and again.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { machines, openStackMachines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import { customResourceDefinitions, events } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { KubeError, type KubeErrorCode } from "../../../src/core/kube-error.ts";
import { apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import type { Kube } from "../../../src/ports/kube.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { cloudsYaml, EndpointWorld, namespace } from "../world/endpoint-world.ts";

const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** So often what people read may still change. */
const handful = 6;
let world: EndpointWorld;
let running: TestManager | undefined;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  await world.kube.create(customResourceDefinitions, openCrd(dnsEndpoints));
  await world.clock.advance(100);
});
afterEach(() => running?.manager.stop());

const refuse = (operation: string, status: number) =>
  world.lab.fake.addCallPlan((call) => (call.operation === operation ? { turnAway: { status } } : undefined));

function refuseUntilItEnds(operation: string, status: number): { readonly end: () => void } {
  let isOver = false;
  world.lab.fake.addCallPlan((call) =>
    !isOver && call.operation === operation ? { turnAway: { status } } : undefined,
  );
  return { end: () => void (isOver = true) };
}

function userName(): string {
  const { auth } = world.lab.clouds.password;
  return auth.type === "password" ? (auth.user as { readonly name: string }).name : "";
}

async function want(zones: readonly string[], annotations: Readonly<Record<string, string>> = {}): Promise<void> {
  const spec = { controlPlaneEndpoint, apiServerLoadBalancer: world.zones(zones) };
  await world.cluster("blue", { spec, annotations });
  await world.clock.advance(5 * minuteMs);
}

async function anHour() {
  world.lab.fake.resetCounts();
  const before = running?.writes.length ?? 0;
  await world.clock.advance(hourMs);
  const writes = (running?.writes ?? []).slice(before);
  const counts = world.lab.fake.counts();
  return {
    counts,
    calls: [...counts.values()].reduce((sum, count) => sum + count, 0),
    statusWrites: writes.filter((write) => /^apply (openstackclusters|apiendpoints)/.test(write)).length,
  };
}

async function warnings(): Promise<readonly string[]> {
  const { items } = await world.kube.list<KubeObject & { readonly type?: string; readonly reason?: string }>(events);
  return items.flatMap(({ type, reason = "" }) => (type === "Warning" ? reason : []));
}

const conditions = async () => (await world.read("blue")).status?.conditions ?? [];
const told = async (type: string) => (await conditions()).find((one) => one.type === type);

/** A manager whose writes of this kind are refused, from when `isOn` says so. */
function refusingWritesOf({ plural }: Kind, code: KubeErrorCode, isOn = () => true): TestManager {
  const refusing = (kube: Kube): Kube => {
    const answer = <K extends "patch" | "apply" | "create">(verb: K): Kube[K] =>
      ((kind: Kind, ...rest: readonly unknown[]) => {
        if (kind.plural === plural && isOn()) throw new KubeError({ code, message: "a webhook denied the request" });
        return Reflect.apply(kube[verb], kube, [kind, ...rest]);
      }) as Kube[K];
    return { ...kube, patch: answer("patch"), apply: answer("apply"), create: answer("create") };
  };
  return world.manager({ through: refusing });
}

describe("a step that is refused for an hour", () => {
  test.each([
    ["create floating ip", 403, "OpenStackForbidden"],
    ["create floating ip", 409, "OpenStackConflict"],
    ["create load balancer", 503, "OpenStackServerError"],
    ["create load balancer", 409, "OpenStackConflict"],
    ["create listener", 500, "OpenStackServerError"],
  ] as const)("%s with %i in three zones: a steady text, and a Warning", async (operation, status, reason) => {
    refuse(operation, status);
    running = world.work();
    await want(["az1", "az2", "az3"]);
    expect((await anHour()).statusWrites).toBeLessThanOrEqual(handful);
    expect(await warnings()).toContain(reason);
    const { message = "" } = (await told("LoadBalancersReady")) ?? {};
    expect(message).toContain(operation);
    expect(message).not.toMatch(/\blanes?\b/);
  });

  test("a conflict that goes away by itself is told nobody", async () => {
    const endsMs = world.clock.nowMs() + 20_000;
    world.lab.fake.addCallPlan(({ operation }) =>
      operation === "create listener" && world.clock.nowMs() < endsMs ? { turnAway: { status: 409 } } : undefined,
    );
    running = world.work();
    await want(["az1"]);
    expect(await told("LoadBalancersReady")).toMatchObject({ status: "True" });
    expect(await warnings()).not.toContain("OpenStackConflict");
  });
});

describe("a write to Kubernetes that is refused for an hour", () => {
  test.each([
    ["Forbidden", "PermissionDenied"],
    ["Conflict", "WriteConflict"],
  ] as const)("%s of the DNSEndpoint: a steady text, and a Warning", async (code, reason) => {
    running = refusingWritesOf(dnsEndpoints, code);
    await want(["az1", "az2"], { "mainstay.dev/publish-dns": "true" });
    expect((await anHour()).statusWrites).toBeLessThanOrEqual(handful);
    expect(await warnings()).toContain(reason);
  });

  test.each([
    ["Forbidden", "PermissionDenied"],
    ["Invalid", "ObjectInvalid"],
    ["Conflict", "WriteConflict"],
  ] as const)("%s of the endpoint that CAPO waits for: a steady text, and a Warning", async (code, reason) => {
    running = refusingWritesOf({ plural: "openstackclusters" } as Kind, code);
    await world.cluster("blue", { spec: { apiServerLoadBalancer: { enabled: false } } });
    await world.patch("blue", { metadata: { annotations: { "cluster.x-k8s.io/managed-by": null } } });
    await world.kube.create(apiEndpoints, world.apiEndpoint("blue", { openGate: true }));
    await world.clock.advance(5 * minuteMs);
    expect((await anHour()).statusWrites).toBeLessThanOrEqual(handful);
    expect(await warnings()).toContain(reason);
    const { status } = await world.kube.get(apiEndpoints, { name: "blue", namespace });
    expect(JSON.stringify(status)).not.toMatch(/\blanes?\b/);
  });
});

test("status that is refused for an hour is not sent at every look while a member comes and goes", async () => {
  let isRefused = false;
  running = refusingWritesOf({ plural: "openstackclusters" } as Kind, "Forbidden", () => isRefused);
  await want(["az1", "az2"]);
  const address = await world.machine("blue", "az1");
  await world.machine("blue", "az2");
  await world.clock.advance(5 * minuteMs);
  isRefused = true;
  for (let atMs = 0; atMs < 2 * hourMs; atMs += 45_000)
    world.clock.after(atMs, () => world.lab.fake.faults.setMemberDown(address, (atMs / 45_000) % 2 === 0));
  await world.clock.advance(10 * minuteMs);
  const before = running.writes.length;
  await world.clock.advance(hourMs);
  const refused = running.writes.slice(before).filter((write) => write.includes("openstackclusters"));
  expect(refused.length).toBeLessThanOrEqual(20);
  expect(await warnings()).toContain("PermissionDenied");
  isRefused = false;
  await world.clock.advance(7 * minuteMs);
  expect(running.writes.slice(before).filter((write) => write.includes("openstackclusters")).length).toBeGreaterThan(
    refused.length,
  );
});

describe("what is refused to be read for an hour", () => {
  test("a wrong password is tried a few times, for however many objects", async () => {
    running = world.work();
    await want(["az1"]);
    for (const name of ["green", "red"])
      await world.cluster(name, { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones(["az1"]) } });
    await world.clock.advance(3 * minuteMs);
    world.lab.fake.faults.setPassword(userName(), "another");
    world.lab.fake.faults.revokeTokens(userName());
    await world.clock.advance(5 * minuteMs);
    const { counts } = await anHour();
    expect(counts.get("keystone authenticate")).toBeLessThan(20);
    expect(await told("OpenStackAuthenticationSucceeded")).toMatchObject({ status: "False" });
  });

  test("credentials are tried at once when their Secret changes", async () => {
    running = world.work();
    await want(["az1"]);
    const refusal = refuseUntilItEnds("authenticate", 401);
    world.lab.fake.faults.revokeTokens(userName());
    await world.clock.advance(hourMs);
    expect(await told("OpenStackAuthenticationSucceeded")).toMatchObject({ status: "False" });
    refusal.end();
    await world.putCredentials(`${cloudsYaml(world.lab)}\n# corrected\n`);
    await world.clock.advance(20_000);
    expect(await told("OpenStackAuthenticationSucceeded")).toMatchObject({ status: "True" });
  });

  test.each([
    ["authenticate", 403, 20],
    ["list load balancers", 403, 20],
    ["list floating ips", 403, 20],
    ["get status tree", 404, 40],
    ["get status tree", 500, 80],
  ] as const)("%s with %i is asked for a few times", async (operation, status, most) => {
    running = world.work();
    await want(["az1", "az2"]);
    refuse(operation, status);
    // The hourly full look meets it.
    await world.clock.advance(hourMs + 5 * minuteMs);
    const { counts, statusWrites, calls } = await anHour();
    const asked = [...counts].filter(([name]) => name.endsWith(` ${operation}`)).reduce((sum, [, n]) => sum + n, 0);
    expect(asked).toBeLessThan(most);
    expect(calls).toBeLessThan(1_000);
    expect(statusWrites).toBeLessThanOrEqual(handful);
  });
});

describe("a compute service that refuses for an hour", () => {
  const machineNames = ["blue-1", "blue-2", "blue-3"];

  /** Nothing in Kubernetes says which zones they are in. */
  async function putMachinesWithoutZone(): Promise<void> {
    const labels = { "cluster.x-k8s.io/cluster-name": "blue", "cluster.x-k8s.io/control-plane": "" };
    for (const [index, name] of machineNames.entries()) {
      const addresses = [{ type: "InternalIP", address: `10.0.1.${20 + index}` }];
      await world.put(openStackMachines, name, {}, { labels, status: { addresses, instanceID: `server-${name}` } });
      const infrastructureRef = { kind: "OpenStackMachine", name };
      await world.put(machines, name, { clusterName: "blue", infrastructureRef }, { labels });
    }
  }

  test.each([
    ["get server", 403, 20 * machineNames.length],
    ["get server", 404, 20 * machineNames.length],
    ["get server", 500, 40 * machineNames.length],
    ["list availability zones", 403, 20],
    ["list availability zones", 500, 40],
  ] as const)("%s with %i is asked for a few times", async (operation, status, most) => {
    const services = ["keystone", "neutron", "octavia", "nova"] as const;
    world = new EndpointWorld({ cloud: { services, computeZones: { az1: true } } });
    await world.furnish();
    running = world.work();
    refuse(operation, status);
    await putMachinesWithoutZone();
    await want(["az1"]);
    await world.clock.advance(hourMs);
    const { counts, statusWrites } = await anHour();
    expect(counts.get(`nova ${operation}`)).toBeLessThan(most);
    expect(statusWrites).toBeLessThanOrEqual(handful);
  });
});

test("a correction of several fields that never lasts is sent every five minutes for each zone, not once for each field", async () => {
  running = world.work();
  await want(["az1", "az2"]);
  const { healthmonitors } = world.lab.fake.cloud.tables;
  const undo = () => {
    const wrong = { name: "monitor", delaySeconds: 42, timeoutSeconds: 41, maxRetries: 9, maxRetriesDown: 9 };
    for (const { id } of healthmonitors.all()) healthmonitors.patch(id, wrong);
    world.clock.after(1_000, undo);
  };
  undo();
  await world.patch("blue", { spec: { tags: ["team=a"] } });
  await world.clock.advance(20 * minuteMs);
  const { counts, calls } = await anHour();
  expect(counts.get("octavia update health monitor")).toBeLessThanOrEqual(2 * 13);
  expect(counts.get("octavia update health monitor")).toBeGreaterThanOrEqual(2 * 6);
  expect(calls).toBeLessThan(600);
  const { message = "" } = (await told("LoadBalancersReady")) ?? {};
  expect(message).toContain("tried again at most every five minutes");
});

test("a step that somebody undoes each time is in conditions while it lasts, and only then", async () => {
  running = world.work();
  await want(["az1", "az2"]);
  const { loadbalancers } = world.lab.fake.cloud.tables;
  let isWiping = true;
  const wipe = () => {
    for (const { id, tags, provisioningStatus } of loadbalancers.all())
      if (isWiping && provisioningStatus === "ACTIVE" && tags.length > 0) loadbalancers.patch(id, { tags: [] });
    world.clock.after(1_000, wipe);
  };
  wipe();
  await world.patch("blue", { metadata: { annotations: { look: "now" } } });
  await world.clock.advance(20 * minuteMs);
  expect((await anHour()).statusWrites).toBeLessThanOrEqual(4 * handful);
  expect(await told("LoadBalancersReady")).toMatchObject({ status: "True", reason: "StepRepeated" });
  expect(await told("Ready")).toMatchObject({ reason: "StepRepeated" });
  isWiping = false;
  await world.clock.advance(20 * minuteMs);
  expect(await told("LoadBalancersReady")).toMatchObject({ status: "True", reason: "AsExpected", message: "" });
});
