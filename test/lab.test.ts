// The lab as tests see it: present only when it answers, and a server of one's own that comes back with its data.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeLab, labClusterApi, labKube, probeKube, probeOpenStack } from "./lab.ts";
import { type PrivateKube, startPrivateKube } from "./private-kube.ts";

const run = promisify(execFile);

test("a lab that was never started is missing, with the command that brings it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mainstay-no-lab-"));
  expect(await probeKube(folder)).toEqual({
    available: false,
    why: "the Kubernetes lab has never been started",
    how: "make lab",
  });
  rmSync(folder, { recursive: true });
});

test("a lab whose files are there but whose server does not answer is missing too", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mainstay-dead-lab-"));
  const config = {
    clusters: [{ cluster: { server: "https://127.0.0.1:1", "certificate-authority-data": "" } }],
    users: [{ user: { token: "none" } }],
  };
  for (const name of ["kubeconfig.token", "kubeconfig.controller"])
    writeFileSync(join(folder, name), JSON.stringify(config));
  expect(await probeKube(folder)).toMatchObject({ available: false, why: expect.stringContaining("ECONNREFUSED") });
  rmSync(folder, { recursive: true });
});

test("an OpenStack lab is missing as long as one of its services is", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mainstay-no-openstack-"));
  const never = { available: false, why: "the OpenStack lab has never been started", how: "make lab" };
  expect(await probeOpenStack(folder, "amphora")).toEqual(never);
  const dead = "http://127.0.0.1:1";
  writeFileSync(join(folder, "clouds.yaml"), "clouds: {}");
  writeFileSync(join(folder, "settings"), `KEYSTONE_URL=${dead}/v3\nNEUTRON_URL=${dead}\nOCTAVIA_URL=${dead}\n`);
  expect(await probeOpenStack(folder, "ovn")).toMatchObject({
    available: false,
    why: expect.stringMatching(/with OVN does not answer at .*\/v3/),
  });
  rmSync(folder, { recursive: true });
});

describeLab("Cluster API in the lab", labClusterApi, ({ kube }) => {
  const namespace = `lab-${process.pid}`;
  const kubectl = (...args: readonly string[]) => run(kube.kubectl, ["--kubeconfig", kube.kubeconfig, ...args]);
  beforeAll(() => kubectl("create", "namespace", namespace));
  afterAll(async () => {
    const patch = '{"metadata":{"finalizers":[]}}';
    await kubectl("-n", namespace, "patch", "cluster", "one", "--type=merge", "-p", patch).catch(() => {});
    await kubectl("delete", "namespace", namespace, "--wait=false");
  });

  test("judges and looks after a Cluster", { timeout: 600_000 }, async () => {
    const infrastructureRef = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "OpenStackCluster", name: "one" };
    const cluster = (port: number) => ({
      apiVersion: "cluster.x-k8s.io/v1beta2",
      kind: "Cluster",
      metadata: { name: "one", namespace },
      spec: { infrastructureRef, clusterNetwork: { apiServerPort: port, pods: { cidrBlocks: ["nonsense"] } } },
    });
    const file = join(mkdtempSync(join(tmpdir(), "mainstay-cluster-")), "cluster.json");
    writeFileSync(file, JSON.stringify(cluster(6443)));
    await expect(kubectl("apply", "-f", file)).rejects.toThrow(/nonsense/);
    writeFileSync(file, JSON.stringify({ ...cluster(6443), spec: { infrastructureRef } }));
    await kubectl("apply", "-f", file);
    await kubectl("-n", namespace, "wait", "cluster/one", "--for=jsonpath={.metadata.finalizers}", "--timeout=300s");
    rmSync(dirname(file), { recursive: true });
  });
});

describeLab("a Kubernetes API server of a test's own", labKube, (shared) => {
  let kube: PrivateKube;
  beforeAll(async () => {
    kube = await startPrivateKube(shared);
  });
  afterAll(() => kube?.close());

  const kubectl = (...args: readonly string[]) => run(kube.lab.kubectl, ["--kubeconfig", kube.lab.kubeconfig, ...args]);

  test("is not the shared one", async () => {
    expect(kube.lab.server).not.toBe(shared.server);
    expect(kube.lab.tokens.admin).not.toBe(shared.tokens.admin);
  });

  test("knows a controller without rights", async () => {
    const asked = await run(kube.lab.kubectl, [
      "--kubeconfig",
      kube.lab.controllerKubeconfig,
      "auth",
      "whoami",
      "-o",
      "json",
    ]);
    expect(JSON.parse(asked.stdout)).toMatchObject({ status: { userInfo: { username: "controller" } } });
    const allowed = run(kube.lab.kubectl, ["--kubeconfig", kube.lab.controllerKubeconfig, "get", "namespaces"]);
    await expect(allowed).rejects.toMatchObject({ stderr: expect.stringContaining("Forbidden") });
  });

  test("comes back on the same address with the same data, stopped or killed", { timeout: 60_000 }, async () => {
    await kubectl("create", "namespace", "kept");
    for (const end of [() => kube.killApiServer(), () => kube.stopApiServer()]) {
      await end();
      expect(await probeKube(join(kube.lab.kubeconfig, ".."))).toMatchObject({ available: false });
      await kube.startApiServer();
      expect((await kubectl("get", "namespace", "kept", "-o", "name")).stdout.trim()).toBe("namespace/kept");
    }
  });

  test("a second start of the same lab finds it up and changes nothing", async () => {
    const folder = join(kube.lab.kubeconfig, "..");
    const up = await run(join(import.meta.dirname, "..", "lab", "kube", "up.sh"), [], {
      env: { ...process.env, RUN: folder, WITH_KCM: "0" },
    });
    expect(up.stderr).toContain("already up");
    expect((await kubectl("get", "namespace", "kept", "-o", "name")).stdout.trim()).toBe("namespace/kept");
  });

  test("ends with its tests, also when those are killed", { timeout: 60_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "mainstay-killed-"));
    const load = JSON.stringify(join(import.meta.dirname, "private-kube.ts"));
    const bin = JSON.stringify({ binDir: shared.binDir });
    writeFileSync(
      join(folder, "a.test.mjs"),
      `import { test } from "vitest"; import { writeFileSync } from "node:fs"; import { startPrivateKube } from ${load};
      test("a", async () => {
        await startPrivateKube(${bin});
        writeFileSync(${JSON.stringify(join(folder, "up"))}, "");
        await new Promise(() => {});
      }, 60_000);`,
    );
    const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
    const tests = spawn(process.execPath, [vitest, "run", "--root", folder, "--pool", "threads"], {
      stdio: "ignore",
      env: { ...process.env, TMPDIR: folder },
    });
    const ended = once(tests, "exit");
    const itsLab = () => readdirSync(folder).find((name) => name.startsWith("mainstay-kube-")) ?? "none";
    await expect.poll(() => existsSync(join(folder, "up")), { timeout: 50_000 }).toBe(true);
    expect(await probeKube(join(folder, itsLab()))).toMatchObject({ available: true });
    tests.kill("SIGKILL");
    await ended;
    await expect.poll(itsLab, { timeout: 20_000 }).toBe("none");
    rmSync(folder, { recursive: true });
  });

  test("down.sh leaves a process alone whose number it knows but whose start it does not", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mainstay-stranger-"));
    mkdirSync(join(folder, "pids"));
    writeFileSync(join(folder, "pids", "etcd"), `${process.pid} 1\n`);
    const down = await run(join(import.meta.dirname, "..", "lab", "kube", "down.sh"), [], {
      env: { ...process.env, RUN: folder },
    });
    expect(down.stderr).toContain("was not running");
    rmSync(folder, { recursive: true });
  });
});
