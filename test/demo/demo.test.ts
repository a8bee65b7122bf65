import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Fault, type ManagerInfo, type ObjectsAnswer, routes } from "../../src/server/contract.ts";
import { eventually } from "../topology/topology-world.ts";
import { type RunningDemo, spawnDemo, startDemo } from "./running-demo.ts";

describe("mainstay demo", () => {
  let demo: RunningDemo;
  beforeAll(async () => {
    demo = await startDemo();
  });
  afterAll(() => demo.stop());

  const get = async <T>(path: string): Promise<T> => (await (await fetch(`${demo.dashboard}${path}`)).json()) as T;
  const send = (method: string, id: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${demo.dashboard}${routes.fault(id)}`, { method, headers: { ...headers } });

  test("says where things are and three things to try", () => {
    expect(demo.said).toMatch(/Dashboard +http:\/\/127\.0\.0\.1:\d+/);
    expect(demo.said).toContain("Three things to try");
    expect(existsSync(demo.kubeconfig)).toBe(true);
    // The same place for the same port, so that a terminal which is left open works again after the next start.
    expect(demo.kubeconfig).toBe(join(tmpdir(), `mainstay-demo-${new URL(demo.url).port}`, "kubeconfig"));
  });

  test("the commands it names work on it", async () => {
    expect(await demo.mainstay("status")).toMatch(/Infrastructure\/cluster +healthy/);
    expect(await demo.mainstay("explain", "openstackcluster/blue")).toContain("It is healthy.");
    const records = await demo.mainstay("dns", "records", "blue", "-o", "bind");
    expect(records.match(/^api\.blue\.example\.com\.\s.*\sA\s/gm)).toHaveLength(3);
    expect(await demo.mainstay("explain", "infrastructure/cluster")).toContain("It is healthy.");
    expect(await demo.mainstay("plan", "infrastructure/cluster", "--config", demo.config)).toMatch(
      /there is nothing to do[^]*Configuration: .*mainstay\.yaml\./,
    );
    expect(await demo.mainstay("doctor")).toContain(" 0 failed.");
  });

  test("needs no token and shows everything", async () => {
    const { objects } = await get<ObjectsAnswer>(routes.objects);
    expect(objects.map(({ id, health }) => `${id.kind} ${health}`).toSorted()).toEqual([
      "Infrastructure healthy",
      "OpenStackCluster healthy",
      "TopologyReport healthy",
    ]);
    expect(objects.flatMap(({ parts }) => parts?.healths ?? [])).toEqual(["healthy", "healthy", "healthy"]);
    expect((await get<ManagerInfo>(routes.manager)).replicas.map(({ state }) => state).toSorted()).toEqual([
      "leading",
      "standby",
    ]);
  });

  test("a fault from the command line kills the leader, and another one leads", async () => {
    const { identity } = await get<ManagerInfo>(routes.manager);
    const begun = await demo.mainstay(
      "demo",
      "fault",
      "start",
      "kill-leader",
      "seconds=300",
      "--server",
      demo.dashboard,
    );
    expect(begun).toContain("Kill the leader has begun");
    expect(await demo.mainstay("demo", "fault", "list", "--server", demo.dashboard)).toMatch(
      /kill-leader +active until/,
    );
    await eventually(async () => {
      const manager = await get<ManagerInfo>(routes.manager);
      expect([manager.leading, manager.identity === identity]).toEqual([true, false]);
    }, 600_000);
    await send("DELETE", "kill-leader");
    await eventually(async () => {
      const manager = await get<ManagerInfo>(routes.manager);
      expect(manager.replicas).toHaveLength(2);
      expect(manager.replicas.map(({ state }) => state)).not.toContain("stopped");
    }, 25_000);
  });

  test("a page of another site, or one under another name, breaks nothing", async () => {
    expect((await send("POST", "api-server-away", { origin: "http://evil.example.com" })).status).toBe(403);
    expect((await send("POST", "api-server-away", { origin: "http://127.0.0.1:1" })).status).toBe(403);
    expect((await send("DELETE", "api-server-away", { "sec-fetch-site": "cross-site" })).status).toBe(403);
    const spelt = await fetch(`${demo.dashboard}/%61pi/v1/faults/api-server-away`, {
      method: "POST",
      headers: { origin: "http://evil.example.com" },
    });
    expect(spelt.status).toBe(403);
    const { faults } = await get<{ readonly faults: readonly Fault[] }>(routes.faults);
    expect(faults.filter(({ active }) => active !== undefined)).toEqual([]);
  });

  test("what cannot be started is said", async () => {
    const answer = await send("POST", "nonsense", { "content-type": "application/json" });
    expect(answer.status).toBe(400);
    await expect(
      demo.mainstay("demo", "fault", "start", "slow-calls", "delay=99", "--server", demo.dashboard),
    ).rejects.toThrow("delay must be from 0.1 to 10");
  });

  test("every fault is listed with what it does", async () => {
    const listed = await demo.mainstay("demo", "fault", "list", "--server", demo.dashboard);
    const { faults } = await get<{ readonly faults: readonly Fault[] }>(routes.faults);
    expect(faults.length).toBeGreaterThan(3);
    for (const { id, description } of faults) {
      const line = listed.split("\n").find((one) => one.startsWith(`${id} `)) ?? "";
      expect([line.includes(" off "), line.endsWith(description)]).toEqual([true, true]);
    }
  });

  test("stopping ends a fault before its time", async () => {
    expect((await send("POST", "slow-calls")).status).toBe(200);
    expect(await demo.mainstay("demo", "fault", "stop", "slow-calls", "--server", demo.dashboard)).toBe(
      "Slow calls is over.\n",
    );
    const { faults } = await get<{ readonly faults: readonly Fault[] }>(routes.faults);
    expect(faults.find(({ id }) => id === "slow-calls")).not.toHaveProperty("active");
    expect(await demo.mainstay("demo", "fault", "stop", "slow-calls", "--server", demo.dashboard)).toBe(
      "Slow calls was not on; there is nothing to stop.\n",
    );
    await expect(demo.mainstay("demo", "fault", "stop", "nonsense", "--server", demo.dashboard)).rejects.toThrow(
      "there is no fault nonsense",
    );
  });
});

describe("with a temporary folder of its own and no other program", () => {
  let temporary = "";
  beforeEach(() => {
    temporary = mkdtempSync(join(tmpdir(), "mainstay-demo-test-"));
  });
  afterEach(() => rmSync(temporary, { recursive: true, force: true }));
  // No kubectl, nothing at all but Node: it is a thing to try in another terminal, and not needed here.
  const start = (...args: readonly string[]) => spawnDemo(args, { TMPDIR: temporary, PATH: "" });

  test("--check converges, prints the status, ends well and leaves nothing behind", async () => {
    const { ended, said } = start("--check");
    expect(await ended).toBe(0);
    expect(said()).toMatch(/^OBJECT +HEALTH +CONTROLLER +IN WORDS$/m);
    expect(said()).toMatch(/TopologyReport\/cluster +healthy/);
    expect(said()).toMatch(/OpenStackCluster\/default\/blue +healthy/);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "leaves nothing behind when %s comes before it is ready",
    async (signal) => {
      const { child, ended } = start();
      await eventually(async () => expect(readdirSync(temporary)).toHaveLength(1), 60_000);
      child.kill(signal);
      expect(await ended).toBe(0);
      expect(readdirSync(temporary)).toEqual([]);
    },
  );
});

test("takes the next ports when its own are taken, says so, and leaves nothing behind", async () => {
  const squatters = [await squat(), await squat()];
  const [port = 0, dashboardPort = 0] = squatters.map(({ number }) => number);
  const demo = await startDemo(["--port", String(port), "--dashboard-port", String(dashboardPort)]);
  expect(demo.said).toContain(`Port ${port} is taken, trying ${port + 1} for the API server.`);
  expect(demo.said).toContain(`Port ${dashboardPort} is taken, trying ${dashboardPort + 1} for the dashboard.`);
  expect(Number(new URL(demo.dashboard).port)).toBeGreaterThan(dashboardPort);
  expect(Number(new URL(demo.url).port)).toBeGreaterThan(port);
  expect((await fetch(`${demo.url}/version`)).status).toBe(200);
  expect(await demo.stop()).toBe(0);
  expect(existsSync(dirname(demo.kubeconfig))).toBe(false);
  await expect(fetch(`${demo.dashboard}${routes.session}`)).rejects.toThrow("fetch failed");
  await expect(fetch(`${demo.url}/version`)).rejects.toThrow("fetch failed");
  for (const { server } of squatters) server.close();
}, 600_000);

async function squat(): Promise<{ readonly server: Server; readonly number: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { server, number: typeof address === "object" && address !== null ? address.port : 0 };
}
