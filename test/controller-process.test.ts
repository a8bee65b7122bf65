// `mainstay controller` as people run it: a process with a configuration file, on a server that a kubeconfig leads to.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { customResourceDefinitions, leases } from "../src/apis/kube/builtin-kinds.ts";
import { infrastructures } from "../src/jobs/topology/apis/infrastructure.ts";
import type { KubeTarget, KubeTargetSession } from "./contract/kube-target.ts";
import { fakeHttp } from "./contract/targets/fake-http.ts";
import { realTarget } from "./contract/targets/real.ts";
import { describeLab, labKube } from "./lab.ts";
import { type PrivateKube, startPrivateKube } from "./private-kube.ts";
import { cliWorld } from "./support/cli-world.ts";
import { eventually, TopologyWorld } from "./topology/topology-world.ts";

const program = join(import.meta.dirname, "..", "src", "bin", "mainstay.ts");

type Line = Readonly<Record<string, unknown>>;

interface ControllerProcess {
  readonly lines: readonly string[];
  said(message: string): Line | undefined;
  end(signal: NodeJS.Signals): Promise<number | null>;
  readonly ended: Promise<number | null>;
}

function startController(config: string): ControllerProcess {
  const child = spawn(process.execPath, [program, "controller", "--config", config], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let text = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  const lines = () => text.split("\n").slice(0, -1);
  return {
    get lines() {
      return lines();
    },
    said: (message) =>
      lines()
        .map(parsed)
        .find(({ msg }) => msg === message),
    end(signal) {
      child.kill(signal);
      return ended;
    },
    ended,
  };
}

function parsed(line: string): Line {
  return JSON.parse(line) as Line;
}

describe("mainstay controller on the fake API server", () => {
  controllerProcess(() => fakeHttp);
});

describeLab("mainstay controller on the real API server", labKube, (lab) => {
  let server: PrivateKube;
  beforeAll(async () => {
    server = await startPrivateKube(lab);
  }, 600_000);
  afterAll(() => server?.close(), 120_000);
  controllerProcess(() => realTarget(server.lab));
});

function controllerProcess(target: () => KubeTarget): void {
  let session: KubeTargetSession;
  let world: TopologyWorld;
  let folder = "";
  let running: ControllerProcess | undefined;
  beforeAll(async () => {
    session = await target().open();
    world = new TopologyWorld(session);
    await world.installDefinitions();
    await world.ensureNamespace("mainstay-system");
    folder = mkdtempSync(join(tmpdir(), "mainstay-controller-"));
  });
  afterEach(async () => {
    await running?.end("SIGKILL");
    await world.clear();
  });
  afterAll(async () => {
    await session?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  // A Lease that is new is not taken before its duration has passed: short, so that the test is.
  const leaderElection = { durationSeconds: 2, renewDeadlineSeconds: 1.5, retrySeconds: 0.2 };
  const start = (kubeconfig = session.kubeconfigPath, more: object = {}): ControllerProcess => {
    const config = join(folder, "mainstay.yaml");
    writeFileSync(config, JSON.stringify({ kubeconfig, leaderElection, health: { port: 0 }, ...more }));
    running = startController(config);
    return running;
  };
  const declare = async () => {
    await world.declareInstallConfig("controlPlane: {replicas: 1}\ncompute: [{replicas: 0}]\n");
    const metadata = { name: "cluster" };
    await world.kube.create(infrastructures, {
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata,
    });
  };
  const page = async (process: ControllerProcess, path: string): Promise<string> => {
    const { health } = process.said("controller manager started") ?? {};
    const answer = await fetch(`${String(health)}${path}`);
    return `${answer.status} ${await answer.text()}`;
  };

  it("leads, does its work, answers on its pages, and gives the lease back when it is asked to end", {
    timeout: 90_000,
  }, async () => {
    const controller = start();
    await declare();
    await eventually(async () => expect(await world.condition("Published")).toBe("True TopologyPublished"), 60_000);
    const { lease, identity } = controller.said("leading") ?? {};
    const [namespace = "", name = ""] = String(lease).split("/");
    expect(await world.kube.get(leases, { namespace, name })).toMatchObject({ spec: { holderIdentity: identity } });
    await eventually(async () => expect(await page(controller, "/readyz")).toMatch(/^200 ok\n/));
    const planned = await cliWorld({ kube: world.kube }).run("plan", "infrastructure/cluster");
    expect(planned.out).toContain(
      `Configuration: that of the running manager ${String(identity)} (lease ${String(lease)}).`,
    );
    const metrics = await page(controller, "/metrics");
    expect(metrics).toContain("\nmainstay_leader_state 1\n");
    expect(metrics).toMatch(/\nmainstay_feature_gate_enabled\{name="MutableTopology",stage="alpha"\} 0\n/);
    expect(metrics).toMatch(/\nmainstay_api_requests_total\{verb="list",kind="nodes",code="200"\} \d+\n/);
    expect(await controller.end("SIGTERM")).toBe(0);
    expect(controller.said("controller manager stopped")).toMatchObject({ level: "info" });
    expect(await world.kube.get(leases, { namespace, name })).not.toHaveProperty("spec.holderIdentity");
    const after = await cliWorld({ kube: world.kube }).run("plan", "infrastructure/cluster");
    expect(after.out).toContain(
      `Configuration: that of the manager that led last; none leads now (lease ${String(lease)}).`,
    );
  });

  it("ends with a sentence, and leads nothing, when the dashboard's port is taken", { timeout: 60_000 }, async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const controller = start(session.kubeconfigPath, { dashboard: { enabled: true, port } });
    expect(await controller.ended).toBe(2);
    taken.close();
    expect(controller.lines.join("\n")).toContain(`dashboard: cannot listen on 127.0.0.1:${port}: EADDRINUSE`);
  });

  it("says at the start when it does not verify the server, and hands on what the server warns about", {
    timeout: 90_000,
  }, async () => {
    const careless = join(folder, "careless");
    const text = readFileSync(session.kubeconfigPath ?? "", "utf8");
    writeFileSync(
      careless,
      text.replace(/"?certificate-authority-data"?: ?"[^"]*"/, '"insecure-skip-tls-verify": true'),
    );
    await deprecate("use another");
    const controller = start(careless);
    await eventually(
      async () => expect(controller.said("the API server warns")).toMatchObject({ warning: "use another" }),
      60_000,
    );
    expect(controller.said("the API server's certificate is not verified")).toMatchObject({ level: "warn" });
    expect(await controller.end("SIGINT")).toBe(0);
    await deprecate(undefined);
  });

  const deprecate = async (warning: string | undefined) => {
    const name = "infrastructures.config.openshift.io";
    const steps = [
      { op: "add" as const, path: "/spec/versions/0/deprecated", value: warning !== undefined },
      ...(warning === undefined
        ? [{ op: "remove" as const, path: "/spec/versions/0/deprecationWarning" }]
        : [{ op: "add" as const, path: "/spec/versions/0/deprecationWarning", value: warning }]),
    ];
    await world.kube.patch(customResourceDefinitions, { name }, { type: "json", body: steps });
  };
}
