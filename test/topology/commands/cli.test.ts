import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { kubeadmControlPlanes } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { configMaps, namespaces } from "../../../src/apis/kube/builtin-kinds.ts";
import { apiVersionOf } from "../../../src/apis/kube/kube-object.ts";
import { installCrds } from "../../../src/cli/install-crds.ts";
import { definitionsOf } from "../../../src/core/job/declaration.ts";
import { kubeClient } from "../../../src/drivers/kube/client.ts";
import { systemClock } from "../../../src/drivers/system/system-clock.ts";
import { allJobs } from "../../../src/jobs/all.ts";
import {
  type Infrastructure,
  infrastructures,
  recordedAnnotation,
} from "../../../src/jobs/topology/apis/infrastructure.ts";
import { topologyReports } from "../../../src/jobs/topology/apis/topology-report.ts";
import type { Kube } from "../../../src/ports/kube.ts";
import { adminToken, createFakeKubeApi } from "../../../src/sim/fakes/kube/api-server.ts";
import { seededRandom } from "../../../src/sim/time/seeded-random.ts";
import { cliWorld } from "../../support/cli-world.ts";
import { looseCrd } from "../topology-world.ts";

const samples = join(import.meta.dirname, "..", "..", "..", "deploy", "samples");
const sample = (name: string) => readFileSync(join(samples, name), "utf8");

describe("mainstay", () => {
  test("prints its version and its help on request", async () => {
    const cli = cliWorld();
    expect(await cli.run("--version")).toMatchObject({ code: 0, out: "1.2.3" });
    expect(await cli.run("--help")).toMatchObject({ code: 0, out: expect.stringContaining("Exit codes: 0 done") });
    expect(await cli.run("topology", "derive", "--help")).toMatchObject({
      code: 0,
      out: expect.stringContaining("--profile"),
    });
  });

  test("helps with any command, and names the nearest for one that does not exist", async () => {
    const cli = cliWorld();
    const asked = await cli.run("help", "topology", "derive");
    expect(asked).toEqual(await cli.run("topology", "derive", "--help"));
    expect(await cli.run("help")).toEqual(await cli.run("--help"));
    expect(await cli.run("help", "topology", "derrive")).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("Did you mean derive?"),
    });
    expect(await cli.run("help", "nope")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/Known are .*topology/),
    });
  });

  test("calls what it cannot understand invalid, without a stack", async () => {
    const cli = cliWorld();
    for (const args of [
      ["nonsense"],
      ["topology", "nonsense"],
      ["topology", "derive", "--nonsense"],
      ["topology", "derive", "--rules", "mine"],
      ["demo", "--port", "x"],
      ["topology", "derive", "--control-plane", "1", "--control-plane", "3", "--workers", "0"],
      ["topology", "derive", "--control-plane", "1", "--workers", "0", "-o", "json", "--output", "yaml"],
    ]) {
      const { code, err, out } = await cli.run(...args);
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).not.toMatch(/\n\s+at /);
    }
  });

  test("says message and hint when a cluster does not answer", async () => {
    const { code, err } = await cliWorld().run("topology", "show");
    expect({ code, err }).toEqual({ code: 3, err: "error: there is no cluster\nhint: Bring one." });
  });

  test("runs the controller with file and flags, or prints what is in effect", async () => {
    const cli = cliWorld({ files: { "/c.yaml": "topology: {rules: current}\nlog: {level: warn}\n" } });
    expect(
      (
        await cli.run(
          "controller",
          "--config",
          "/c.yaml",
          "--log-level",
          "debug",
          "--feature-gates",
          "MutableTopology=true",
          "--no-leader-election",
        )
      ).code,
    ).toBe(0);
    expect(cli.started).toMatchObject([
      {
        jobs: { topology: { rules: "current" } },
        log: { level: "debug" },
        featureGates: { MutableTopology: true },
        leaderElection: { enabled: false },
      },
    ]);
    const printed = await cli.run("controller", "--config", "/c.yaml", "--print-config");
    expect(parse(printed.out)).toMatchObject({ topology: { rules: "current" }, log: { level: "warn" } });
    expect(cli.started).toHaveLength(1);
    expect(await cli.run("controller", "--feature-gates", "Wrong")).toMatchObject({ code: 2 });
    const { code, err } = await cli.run("controller", "--health-port", "many", "--log-level", "loud");
    expect({ code, lines: err.split("\n").slice(0, 3) }).toEqual({
      code: 2,
      lines: [
        "error: the configuration cannot be used",
        '  - --health-port: "many" is not a whole number from 0 to 65535',
        '  - --log-level: "loud" is not one of debug, info, warn, error',
      ],
    });
  });

  test("prints definitions that can be applied", async () => {
    const { out } = await cliWorld().run("crds", "print");
    expect(out).toContain("name: infrastructures.config.openshift.io");
    expect(out).not.toContain("&a1");
  });
});

describe("mainstay topology derive", () => {
  test("explains itself to people", async () => {
    const { code, out } = await cliWorld().run("topology", "derive", "--control-plane", "1", "--workers", "0");
    expect(code).toBe(0);
    expect(out).toMatch(/controlPlaneTopology +SingleReplica +1 control-plane machine: fewer than 3/);
  });

  test("prints the manifest as YAML and JSON", async () => {
    const cli = cliWorld();
    const args = ["topology", "derive", "--control-plane", "3", "--workers", "1", "--workers", "1"];
    const expected = {
      metadata: { name: "cluster" },
      status: { controlPlaneTopology: "HighlyAvailable", infrastructureTopology: "HighlyAvailable" },
    };
    expect(parse((await cli.run(...args, "-o", "yaml")).out)).toMatchObject(expected);
    expect(JSON.parse((await cli.run(...args, "-o", "json")).out)).toMatchObject(expected);
  });

  test("prints the very manifest that the samples show", async () => {
    const { out } = await cliWorld().run("topology", "derive", "--control-plane", "1", "--workers", "0", "-o", "yaml");
    expect(parse(sample("topology-infrastructure.yaml"))).toEqual(parse(out));
  });

  test("reads an install-config, a manifest around one, and standard input", async () => {
    const config = sample("files/topology-install-config.yaml");
    const manifest = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cluster-config-v1, namespace: kube-system}\ndata:\n  install-config: |\n${config.replaceAll(/^/gm, "    ")}\n`;
    const cli = cliWorld({
      files: { "/install-config.yaml": config, "/cluster-config.yaml": manifest },
      input: config,
    });
    for (const path of ["/install-config.yaml", "/cluster-config.yaml", "-"]) {
      const { code, out } = await cli.run("topology", "derive", path, "-o", "json");
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({
        status: { controlPlaneTopology: "SingleReplica", infrastructureTopology: "SingleReplica" },
      });
    }
  });

  test("says on screen which defaults of the installer it took", async () => {
    const { err } = await cliWorld({ files: { "/i.yaml": "apiVersion: v1\n" } }).run("topology", "derive", "/i.yaml");
    expect(err).toBe(
      "note: controlPlane is not set: the installer makes 3\nnote: compute is not set: the installer makes one worker pool of 3",
    );
  });

  test("takes an external control plane from a flag", async () => {
    const cli = cliWorld({ files: { "/i.yaml": "controlPlane: {replicas: 0}\ncompute: [{replicas: 2}]\n" } });
    expect((await cli.run("topology", "derive", "/i.yaml")).code).toBe(2);
    expect((await cli.run("topology", "derive", "/i.yaml", "--external", "-o", "yaml")).out).toContain(
      "controlPlaneTopology: External",
    );
    expect((await cli.run("topology", "derive", "--external", "--workers", "2", "-o", "yaml")).out).toContain(
      "controlPlaneTopology: External",
    );
  });

  test.each([
    [[], ["source"]],
    [["--control-plane", "1"], ["--workers"]],
    [["--workers", "1"], ["--control-plane"]],
    [
      ["--control-plane", "-1", "--workers", "1.5", "--workers", "x", "--arbiters", ""],
      ["--control-plane", "--workers", "--workers", "--arbiters"],
    ],
    [["--control-plane", "0", "--workers", "3"], ["--control-plane"]],
    [
      ["--control-plane", "0", "--workers", "-1"],
      ["--workers", "--control-plane"],
    ],
    [
      ["--workers", "-1", "--arbiters", "1"],
      ["--control-plane", "--workers"],
    ],
    [["--control-plane", "1", "--workers", "0", "--arbiters", "1"], ["--arbiters"]],
    [["--control-plane", "1", "--workers", "0", "--external"], ["--control-plane"]],
    [["/i.yaml", "--live", "--profile", "/p.yaml"], ["FILE, --live, --profile"]],
    [["--live", "--external"], ["--external"]],
    [["/i.yaml", "--cluster", "a/b"], ["--cluster"]],
    [["--live", "--cluster", "a"], ["--cluster"]],
    [["--live", "--cluster", "a/b/c"], ["--cluster"]],
    [["--control-plane", "1", "--workers", "0", "--into", "/x", "--apply"], ["--into, --apply"]],
    [["--control-plane", "1", "--workers", "0", "--into", "/x", "-o", "json"], ["--into, -o"]],
    [["--control-plane", "1", "--workers", "0", "--target-kubeconfig", "/k"], ["--target-kubeconfig"]],
  ])("refuses %j and lists every problem", async (args, places) => {
    const { code, err } = await cliWorld().run("topology", "derive", ...args);
    expect(code).toBe(2);
    expect([...err.matchAll(/^(?: {2}- |error: )(.+?): /gm)].map((match) => match[1])).toEqual(places);
  });

  test.each([
    ["a: b: c", "YAML"],
    ["controlPlane: {replicas: 1}\n---\ncompute: []\n", "2 YAML documents"],
    ["", "/i.yaml: it is empty"],
    ["# later\n---\n", "/i.yaml: it is empty"],
    ["controlPlane: *x", "/i.yaml: Unresolved alias"],
    ["kind: ConfigMap\ndata: {install-config: 'a: *x'}\n", "data.install-config: Unresolved alias"],
    ["controlPlane: {replicas: 1}\ncontrolPlane: {replicas: 3}\n", "unique"],
    ["kind: ConfigMap\ndata: {}\n", "data.install-config"],
    ["apiVersion: apps/v1\nkind: Deployment\n", 'kind "Deployment" is something else'],
    ["kind: ConfigMap\ndata: {install-config: 'a: b: c'}\n", "data.install-config"],
  ])("refuses the file %j", async (text, word) => {
    const { code, err } = await cliWorld({ files: { "/i.yaml": text } }).run("topology", "derive", "/i.yaml");
    expect(code).toBe(2);
    expect(err).toContain(word);
  });

  test.each([
    ["", "/p.yaml: it is empty."],
    ["spec: *x", "/p.yaml: Unresolved alias"],
    ["spec: {replicas: {controlPlane: 1}}", "kind: it is not set. Write ClusterProfile."],
    ["spec: {replicas: {controlPlane: 1}}", "spec.replicas.workers: it is not set."],
    ["kind: Profile", 'kind: "Profile" is not ClusterProfile.'],
  ])("refuses the profile %j by the name of its file", async (text, words) => {
    const { code, err } = await cliWorld({ files: { "/p.yaml": text } }).run(
      "topology",
      "derive",
      "--profile",
      "/p.yaml",
    );
    expect({ code, first: err.split("\n")[0] }).toEqual({ code: 2, first: "error: /p.yaml cannot be used" });
    expect(err).toContain(words);
  });

  test("reads a profile from standard input, too", async () => {
    const cli = cliWorld({ input: sample("files/topology-profile.yaml") });
    expect(await cli.run("topology", "derive", "--profile", "-")).toMatchObject({ code: 0, err: "" });
    expect((await cliWorld({ input: "kind: x" }).run("topology", "derive", "--profile", "-")).err).toContain(
      "standard input cannot be used",
    );
  });

  test("has samples of which all that kubectl would apply are objects of known kinds", () => {
    const known = [...definitionsOf(allJobs).map(({ crd }) => crd.spec.names.kind), "Job", "Service"];
    const kinds = readdirSync(samples, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".yaml"))
      .map(({ name }) => (parse(sample(name)) as { readonly kind?: string }).kind);
    expect(kinds.length).toBeGreaterThan(0);
    expect(kinds.filter((kind) => kind === undefined || !known.includes(kind))).toEqual([]);
  });

  test("keeps the name of a profile to itself, on screen, in files and in what it applies", async () => {
    const cli = cliWorld({ files: { "/p.yaml": sample("files/topology-profile.yaml") } });
    for (const output of ["text", "yaml", "json"]) {
      const { code, out, err } = await cli.run("topology", "derive", "--profile", "/p.yaml", "-o", output);
      expect(code).toBe(0);
      expect(out + err).not.toContain("single-node-edge");
    }
    await cli.run("topology", "derive", "--profile", "/p.yaml", "--into", "/out.yaml");
    expect(cli.files.get("/out.yaml")).toContain("SingleReplica");
    expect(cli.files.get("/out.yaml")).not.toContain("single-node-edge");
    const wrong = cliWorld({
      files: { "/p.yaml": sample("files/topology-profile.yaml").replace("workers: 0", "workers: none") },
    });
    const { code, err } = await wrong.run("topology", "derive", "--profile", "/p.yaml");
    expect(code).toBe(2);
    expect(err).not.toContain("single-node-edge");
  });
});

describe("with a cluster", () => {
  let kube: Kube;
  beforeEach(async () => {
    const api = createFakeKubeApi({ clock: systemClock, random: seededRandom(1) });
    kube = kubeClient({ transport: api.transport(adminToken), clock: systemClock });
  });

  test("tells how to get the definition where there is none", async () => {
    const { code, err } = await cliWorld({ kube }).run(
      "topology",
      "derive",
      "--control-plane",
      "1",
      "--workers",
      "0",
      "--apply",
    );
    expect(code).toBe(3);
    expect(err).toContain("mainstay crds install");
  });

  test.each(["show", "explain", "check"])("%s tells so, too", async (command) => {
    const { code, err } = await cliWorld({ kube }).run("topology", command);
    expect(code).toBe(3);
    expect(err).toContain("mainstay crds install");
  });

  test("check repeats the words of a controller that may change the topology", async () => {
    const cli = cliWorld({ kube });
    await cli.run("crds", "install");
    await cli.run("topology", "derive", "--control-plane", "1", "--workers", "0", "--apply");
    await kube.patch(
      infrastructures,
      { name: "cluster" },
      { type: "merge", body: { spec: { controlPlaneTopology: "HighlyAvailable" } } },
    );
    expect((await cli.run("topology", "check")).out).toContain("TopologyImmutable");
    const metadata = { name: "cluster" };
    await kube.create(topologyReports, {
      apiVersion: "topology.mainstay.dev/v1alpha1",
      kind: "TopologyReport",
      metadata,
    });
    const settled = {
      type: "Settled",
      status: "False",
      reason: "TransitionPreconditionFailed",
      message: "1 of 3 control-plane nodes are ready",
      lastTransitionTime: "2026-01-01T00:00:00Z",
    };
    await kube.patch(
      topologyReports,
      { name: "cluster" },
      { type: "merge", body: { status: { conditions: [settled] } } },
      { subresource: "status" },
    );
    const { code, out } = await cli.run("topology", "check");
    expect(code).toBe(1);
    expect(out).toMatch(/^TransitionPreconditionFailed +1 of 3 control-plane nodes are ready$/);
  });

  test("goes the whole way: install, apply, show, explain, check", async () => {
    const cli = cliWorld({ kube });
    expect(await cli.run("crds", "install")).toMatchObject({ code: 0 });
    expect((await cli.run("topology", "show")).code).toBe(5);
    expect((await cli.run("topology", "derive", "--control-plane", "1", "--workers", "0", "--apply")).code).toBe(0);
    expect((await cli.run("topology", "show")).out).toMatch(
      /controlPlaneTopology +SingleReplica +SingleReplica +SingleReplica/,
    );
    expect(JSON.parse((await cli.run("topology", "show", "-o", "json")).out)).toMatchObject({
      operatorsRead: { controlPlane: "SingleReplica", known: true },
    });
    expect((await cli.run("topology", "explain")).out).toContain("270/240/60 s");
    expect(await cli.run("topology", "check")).toMatchObject({ code: 0, out: "The topology is as it should be." });
    const other = await cli.run("topology", "check", "--control-plane", "3", "--workers", "3", "-o", "json");
    expect(other.code).toBe(1);
    expect(JSON.parse(other.out)).toMatchObject({
      findings: [
        { reason: "TopologyAlreadySet", message: expect.stringContaining("the command line declares HighlyAvailable") },
        { reason: "TopologyAlreadySet" },
      ],
    });
    expect(await cli.run("topology", "derive", "--control-plane", "3", "--workers", "3", "--apply")).toMatchObject({
      code: 1,
    });
  });

  describe("show, explain and check agree on who set a field", () => {
    const setUp = async (recorded: string) => {
      const cli = cliWorld({ kube });
      await cli.run("crds", "install");
      await cli.run("topology", "derive", "--control-plane", "1", "--workers", "0", "--apply");
      const published = { controlPlaneTopology: "HighlyAvailable", infrastructureTopology: "HighlyAvailable" };
      const { annotations = {} } = (await kube.get(infrastructures, { name: "cluster" })).metadata;
      const before = annotations[recordedAnnotation] ?? "";
      const after = before.replaceAll("SingleReplica", recorded);
      const body = { metadata: { annotations: { [recordedAnnotation]: after } }, spec: published };
      await kube.patch(infrastructures, { name: "cluster" }, { type: "merge", body });
      const status = { type: "merge", body: { status: published } } as const;
      await kube.patch(infrastructures, { name: "cluster" }, status, { subresource: "status" });
      const [show, explain, check] = [
        await cli.run("topology", "show"),
        await cli.run("topology", "explain"),
        await cli.run("topology", "check"),
      ];
      return { show, explain, check };
    };

    test("when Mainstay granted it: nobody else is blamed", async () => {
      const { show, explain, check } = await setUp("HighlyAvailable");
      expect(show.out).toMatch(/controlPlaneTopology +HighlyAvailable .* SingleReplica +Mainstay, on request/);
      expect(explain.out).toMatch(
        /controlPlaneTopology +HighlyAvailable +published by Mainstay because spec\.controlPlaneTopology asked for it; declared at first was SingleReplica \(1 control-plane machine: fewer than 3\)/,
      );
      expect(explain.err).toBe("");
      expect(check).toMatchObject({ code: 0, out: "The topology is as it should be." });
    });

    test("when somebody else did: all three say so", async () => {
      const { show, explain, check } = await setUp("SingleReplica");
      expect(show.out).toMatch(/controlPlaneTopology +HighlyAvailable .* SingleReplica +somebody else/);
      expect(explain.out).toContain("set by somebody else; declared is SingleReplica");
      expect(explain.err).toContain("see mainstay topology check");
      expect(check).toMatchObject({ code: 1, out: expect.stringContaining("TopologyEdited") });
    });
  });

  test("check fails on an edit, with a finding for programs", async () => {
    const cli = cliWorld({ kube });
    await cli.run("crds", "install");
    await cli.run("topology", "derive", "--control-plane", "1", "--workers", "0", "--apply");
    await kube.patch(
      infrastructures,
      { name: "cluster" },
      { type: "merge", body: { status: { controlPlaneTopology: "DualReplica" } } },
      { subresource: "status" },
    );
    const { code, out } = await cli.run("topology", "check", "-o", "json");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ ok: false, findings: [{ reason: "TopologyEdited" }] });
  });

  test("check fails on an object that nobody filled", async () => {
    await installCrds(kube, systemClock, definitionsOf(allJobs));
    await kube.create(infrastructures, {
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata: { name: "cluster" },
    });
    expect(await cliWorld({ kube }).run("topology", "check")).toMatchObject({
      code: 1,
      out: expect.stringContaining("TopologyUndeclared"),
    });
    const { metadata } = parse(sample("topology-infrastructure.yaml")) as Infrastructure;
    await kube.patch(infrastructures, { name: "cluster" }, { type: "merge", body: { metadata } });
    expect(await cliWorld({ kube }).run("topology", "check")).toMatchObject({
      code: 1,
      out: expect.stringContaining("TopologyEmpty"),
    });
  });

  test("derives from what a live cluster declares, and never from its nodes", async () => {
    const cli = cliWorld({ kube });
    const empty = await cli.run("topology", "derive", "--live");
    expect(empty.code).toBe(1);
    expect(empty.err).toContain("Nodes are not counted");
    // What was not looked at is not said to be missing.
    const named = await cli.run("topology", "derive", "--live", "--cluster", "default/blue");
    expect([named.code, named.err.includes("the cluster default/blue declares no replicas")]).toEqual([1, true]);
    expect(named.err).not.toContain("cluster-config-v1");
    await kube
      .create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: "kube-system" } })
      .catch(() => {});
    const data = { "install-config": "controlPlane: {replicas: 3}\ncompute: [{replicas: 1}]\n" };
    await kube.create(configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "kube-system", name: "cluster-config-v1" },
      data,
    } as never);
    const { code, out } = await cli.run("topology", "derive", "--live", "-o", "json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      status: { controlPlaneTopology: "HighlyAvailable", infrastructureTopology: "SingleReplica" },
    });
  });

  test("applies what Cluster API declares only to the cluster that is named as the one it describes", async () => {
    const cli = cliWorld({ kube });
    const [, controlPlanes] = kubeadmControlPlanes;
    if (controlPlanes === undefined) throw new Error("the kind exists");
    const definition = looseCrd(
      controlPlanes.group,
      controlPlanes.version,
      "KubeadmControlPlane",
      controlPlanes.plural,
      "Namespaced",
    );
    await installCrds(kube, systemClock, [...definitionsOf(allJobs), { crd: definition }]);
    await kube.create(controlPlanes, {
      apiVersion: apiVersionOf(controlPlanes),
      kind: controlPlanes.kind,
      metadata: { namespace: "default", name: "self" },
      spec: { replicas: 1 },
    });
    const args = ["topology", "derive", "--live", "--kubeconfig", "/management", "--apply"];
    const refused = await cli.run(...args);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("--target-kubeconfig") });
    expect(cli.connected).toEqual([{ kubeconfig: "/management" }]);
    expect(await cli.run(...args, "--target-kubeconfig", "/workload")).toMatchObject({ code: 0 });
    expect(cli.connected.slice(1)).toEqual([{ kubeconfig: "/management" }, { kubeconfig: "/workload" }]);
  });
});
