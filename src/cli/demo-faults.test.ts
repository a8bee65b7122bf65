import { expect, test } from "vitest";
import { cliWorld } from "../../test/support/cli-world.ts";
import type { Fault } from "../server/contract.ts";
import { dashboardFile } from "./demo-faults.ts";

const faults = ["api-server-away", "slow-calls"].map(
  (id): Fault => ({ id, title: id, description: "", watch: "", parameters: [] }),
);
const cli = cliWorld({
  http: async ({ method }) => ({ status: 200, body: method === "GET" ? { faults } : faults[0] }),
});

test.each(["start", "stop"])("demo fault %s names the fault that was probably meant", async (verb) => {
  expect(await cli.run("demo", "fault", verb, "api-sever-away")).toEqual({
    code: 2,
    out: "",
    err: "error: <fault>: there is no fault api-sever-away\nhint: Did you mean api-server-away?",
  });
});

test("where none is near, all are named", async () => {
  const { err } = await cli.run("demo", "fault", "start", "nonsense");
  expect(err).toContain("hint: Known are api-server-away, slow-calls.");
});

test("starting one again says which one has ended for it", async () => {
  const active = { startedAt: "", endsAt: "2026-01-01T00:00:00Z", parameters: { zone: 1, seconds: 60 }, says: "" };
  const dark: Fault = {
    id: "zone-dark",
    title: "Lose a zone",
    description: "",
    watch: "Watch.",
    parameters: [],
    active,
  };
  const there = cliWorld({
    http: async ({ method }) => ({ status: 200, body: method === "GET" ? { faults: [dark] } : dark }),
  });
  expect((await there.run("demo", "fault", "start", "zone-dark", "zone=2")).out).toContain(
    "The one that was active (zone=1 seconds=60) has ended for it.",
  );
});

test("one that exists is started", async () => {
  expect((await cli.run("demo", "fault", "start", "api-server-away")).code).toBe(0);
});

test("the list shows with which settings a fault runs", async () => {
  const active = { startedAt: "", endsAt: "2026-01-01T00:00:00Z", parameters: { zone: 3, seconds: 90 }, says: "" };
  const parameters = [{ name: "zone", title: "", default: 2, min: 1, max: 4 }];
  const dark = { id: "zone-dark", title: "", description: "", watch: "", parameters, active } as Fault;
  const there = cliWorld({ http: async () => ({ status: 200, body: { faults: [dark] } }) });
  const { out } = await there.run("demo", "fault", "list");
  expect(out).toContain("zone=3 seconds=90");
  expect(out).not.toContain("zone=2");
});

test("faults go to the demonstration that KUBECONFIG names, unless another one is named; one that has ended is told so", async () => {
  const asked: string[] = [];
  const http = async ({ url }: { readonly url: string }) => {
    asked.push(new URL(url).origin);
    return { status: 200, body: { faults } };
  };
  const demoFolder = "/tmp/mainstay-demo-16081";
  const second = { [`${demoFolder}/${dashboardFile}`]: "http://127.0.0.1:16091" };
  await cliWorld({ http, demoFolder, files: second }).run("demo", "fault", "list");
  await cliWorld({ http, demoFolder, files: second }).run("demo", "fault", "list", "--server", "http://127.0.0.1:1");
  await cliWorld({ http }).run("demo", "fault", "list");
  expect(asked).toEqual(["http://127.0.0.1:16091", "http://127.0.0.1:1", "http://127.0.0.1:16090"]);
  const ended = await cliWorld({ http, demoFolder }).run("demo", "fault", "list");
  expect([ended.code, ended.err]).toEqual([3, expect.stringContaining("this demonstration is not running")]);
});

test("a mistyped word after demo is answered with the command that was meant", async () => {
  expect(await cli.run("demo", "faults", "list")).toEqual({
    code: 2,
    out: "",
    err: 'error: demo: there is no command "faults"\nhint: Did you mean fault?',
  });
});
