// What status says of a cluster that serves while a service of the cloud does not answer: nothing goes away, what is not known is
// Unknown with what was last known, and saying so costs one write however long it lasts.

import { beforeEach, describe, expect, test } from "vitest";
import type { TestManager } from "../../support/test-manager.ts";
import { mainstay } from "../world/endpoint-commands.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
const zones = ["az1", "az2"];
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
  await world.cluster("blue", { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones(zones) } });
  await world.clock.advance(60_000);
  for (const zone of zones) await world.machine("blue", zone);
  await world.clock.advance(120_000);
});

/** Answers with how it comes back. */
function away(...services: readonly string[]): () => void {
  return world.lab.fake.addCallPlan(({ service }) =>
    services.includes(service) ? { turnAway: { status: 503 } } : undefined,
  );
}

async function conditions(): Promise<Readonly<Record<string, readonly [string, string]>>> {
  const { status } = await world.read("blue");
  return Object.fromEntries(
    (status?.conditions ?? []).map(({ type, status: truth, message }) => [type, [truth, message]]),
  );
}

/** What was asked and never answered is given up. */
async function stopped(): Promise<void> {
  const ended = running.manager.stop();
  await world.clock.advance(60_000);
  await ended;
}

const truths = async () =>
  Object.fromEntries(Object.entries(await conditions()).map(([type, [truth]]) => [type, truth]));
const allTrue = {
  Ready: "True",
  OpenStackAuthenticationSucceeded: "True",
  NetworkReady: "True",
  LoadBalancersReady: "True",
  APIEndpointReady: "True",
  MembersHealthy: "True",
  Paused: "False",
};

describe("status of a cluster that serves", () => {
  test("while Octavia does not answer: every condition stays, Unknown with the cause and what was last known", async () => {
    expect(await truths()).toEqual(allTrue);
    const back = away("octavia");
    await world.clock.advance(60_000);
    expect(await truths()).toMatchObject({
      ...Object.fromEntries(Object.keys(allTrue).map((type) => [type, "Unknown"])),
      OpenStackAuthenticationSucceeded: "True",
      Paused: "False",
    });
    const said = await conditions();
    expect(said["Ready"]?.[1]).toMatch(
      /^the cloud does not answer \(Octavia\): .*; when last seen, the API could be reached\. Mainstay waits and goes on by itself \(mainstay runbook OpenStackServerError\)$/,
    );
    expect(await world.notes()).toContainEqual(expect.stringMatching(/^the cloud does not answer \(Octavia\): /));
    expect(said["LoadBalancersReady"]?.[1]).toMatch(/; when last seen, every load balancer was complete$/);

    // Neither time nor another manager changes the words, and nothing is written again.
    await running.manager.stop();
    running = world.work();
    await world.clock.advance(60_000);
    running.writes.length = 0;
    await world.clock.advance(600_000);
    expect(await conditions()).toEqual(said);
    expect(running.writes.filter((write) => write.includes("openstackclusters"))).toEqual([]);

    back();
    await world.clock.advance(120_000);
    expect(await truths()).toEqual(allTrue);
    expect((await world.read("blue")).status).not.toHaveProperty("lastKnownConditions");
    await running.manager.stop();
  });

  test("while Neutron is silent: Unknown within two time-outs, as where it refuses, and until it answers again", async () => {
    const back = world.lab.fake.addCallPlan(({ service }) =>
      service === "neutron" ? { delayMs: Number.POSITIVE_INFINITY } : undefined,
    );
    // At rest it is asked every two minutes, and a call is given up after half a minute.
    await world.clock.advance(150_000 + 2 * 30_000 + 5_000);
    const unknown = { Ready: "Unknown", LoadBalancersReady: "Unknown", APIEndpointReady: "Unknown" };
    expect(await truths()).toEqual({ ...allTrue, ...unknown });
    const said = await conditions();
    expect(said["Ready"]?.[1]).toMatch(/^the cloud does not answer \(Neutron\): .*; when last seen, the API could be/);
    for (let look = 0; look < 40; look += 1) {
      await world.clock.advance(7_000);
      expect(await conditions()).toEqual(said);
    }
    back();
    await world.clock.advance(120_000);
    expect(await truths()).toEqual(allTrue);
    await stopped();
  });

  test("while Neutron is slow and well: what it said last counts until it answers, and nothing turns", async () => {
    world.lab.fake.addCallPlan(({ service }) => (service === "neutron" ? { delayMs: 5_000 } : undefined));
    await world.machine("blue", "az1", "second");
    for (let second = 0; second < 60; second += 1) {
      await world.clock.advance(1_000);
      expect(await truths()).toMatchObject({ Ready: "True", APIEndpointReady: "True", NetworkReady: "True" });
    }
    await stopped();
  });

  test("while Neutron does not answer: nothing is called broken, and members are known to be healthy", async () => {
    away("neutron");
    // At rest it is asked every two minutes.
    await world.clock.advance(150_000);
    expect(await truths()).toMatchObject({
      Ready: "Unknown",
      LoadBalancersReady: "Unknown",
      APIEndpointReady: "Unknown",
      MembersHealthy: "True",
    });
    expect((await conditions())["Ready"]?.[1]).toMatch(
      /^the cloud does not answer \(Neutron\): .*; when last seen, the API could/,
    );
    expect(await world.notes()).toContainEqual(expect.stringMatching(/^the cloud does not answer \(Neutron\): /));
    await running.manager.stop();
  });

  test("while its Secret is gone: the credentials are the cause that everything names", async () => {
    await world.putCredentials("clouds: {}");
    await world.clock.advance(120_000);
    const { OpenStackAuthenticationSucceeded: credentials, ...others } = await conditions();
    expect(credentials?.[0]).toBe("False");
    expect(others["Ready"]?.[0]).toBe("Unknown");
    for (const type of ["Ready", "LoadBalancersReady", "MembersHealthy"])
      expect(others[type]?.[1]?.startsWith(credentials?.[1] ?? "nothing")).toBe(true);
    await running.manager.stop();
  });
});

test("a deletion that waits for machines is False, with an Event, and names them", async () => {
  await world.remove("blue");
  await world.clock.advance(60_000);
  const [ready, words = ""] = (await conditions())["Ready"] ?? [];
  expect([ready, words]).toEqual(["False", expect.stringContaining("blue-az1, blue-az2")]);
  expect((await world.notes()).filter((note) => note.includes("blue-az1, blue-az2"))).toHaveLength(1);
  expect((await mainstay(world, ["explain", `openstackcluster/${namespace}/blue`])).out).toContain("MachinesRemain");
  await running.manager.stop();
});
