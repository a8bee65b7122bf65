// What a new job costs: its own folder, the page of its reason, and an entry in each of the four registries. A copy of the repository gets
// such a job, and everything runs there: checks, generated files, its controller, its commands, a simulated world.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeLab, slowSuites } from "../lab.ts";

const repository = join(import.meta.dirname, "..", "..");
const minutes = 60_000;
const patiently = { timeout: 10 * minutes };
let copy = "";

/** In the copy. Throws with all that was printed when it fails. */
function run(command: string, ...args: readonly string[]): string {
  const env = { ...process.env, PATH: `${join(copy, "node_modules", ".bin")}:${process.env["PATH"]}` };
  try {
    return execFileSync(command, args, {
      cwd: copy,
      env,
      encoding: "utf8",
      stdio: "pipe",
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${command} ${args.join(" ")}\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** One import and one entry, as somebody would write them. */
function register(file: string, name: string, from: string, entry: string): void {
  const path = join(copy, "src", "jobs", file);
  const lines = readFileSync(path, "utf8").split("\n");
  const lastImport = lines.findLastIndex((line) => line.startsWith("import "));
  lines.splice(lastImport + 1, 0, `import { ${name} } from "${from}";`);
  const end = lines.indexOf("];");
  lines.splice(end, 0, `  ${entry},`);
  writeFileSync(path, lines.join("\n"));
}

const changed = (): readonly string[] =>
  run("git", "status", "--porcelain", "--untracked-files=no")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.slice(3));

describeLab("a new job", slowSuites, () => {
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), "mainstay-new-job-"));
    const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: repository });
    for (const path of listed.toString().trim().split("\n")) {
      mkdirSync(join(copy, dirname(path)), { recursive: true });
      cpSync(join(repository, path), join(copy, path), { verbatimSymlinks: true });
    }
    symlinkSync(join(repository, "node_modules"), join(copy, "node_modules"));
    run("git", "init", "-q");
    run("git", "add", "-A");
    run("git", "-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "-qm", "before");
    cpSync(join(import.meta.dirname, "beacon"), join(copy, "src", "jobs", "beacon"), { recursive: true });
    cpSync(
      join(import.meta.dirname, "BeaconConfigMapForeign.md"),
      join(copy, "docs", "operations", "BeaconConfigMapForeign.md"),
    );
    register("all.ts", "beaconJob", "./beacon/job.ts", "beaconJob");
    register("features.ts", "beaconFeatures", "./beacon/controller/features.ts", "beaconFeatures");
    register("commands.ts", "beaconCommands", "./beacon/commands/commands.ts", "beaconCommands");
    register("simulated.ts", "simulatedBeacons", "./beacon/sim/simulated-beacons.ts", "simulatedBeacons");
    run("biome", "check", "--write", "src/jobs");
  }, 5 * minutes);
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  test("touches four files that exist: an entry in each registry", patiently, () => {
    expect(changed()).toEqual([
      "src/jobs/all.ts",
      "src/jobs/commands.ts",
      "src/jobs/features.ts",
      "src/jobs/simulated.ts",
    ]);
  });

  test("is in the generated manifests and pages", patiently, () => {
    run("node", "scripts/generate.ts");
    const read = (path: string) => readFileSync(join(copy, path), "utf8");
    expect(read("deploy/rbac/beacon-controller.yaml")).toContain("resources: [beacons/status]");
    expect(read("deploy/rbac/manager.yaml")).toContain("mainstay-beacon-controller");
    expect(read("deploy/crds/beacons.mainstay.dev.yaml")).toContain("kind: Beacon");
    expect(read("docs/reference/jobs.md")).toContain("## beacon");
    expect(read("docs/reference/reasons.md")).toContain("BeaconConfigMapForeign");
    expect(read("docs/reference/metrics.md")).toContain("mainstay_lit_beacons");
    expect(read("docs/reference/configuration.md")).toContain("`beacon.prefix`");
    const generated = changed().filter((path) => !path.startsWith("src/"));
    expect(generated.filter((path) => !/^(docs\/reference|deploy\/(rbac|crds|webhook))\//.test(path))).toEqual([]);
  });

  test("passes every check", patiently, () => {
    run("git", "add", "-A");
    expect(run("sh", "scripts/check.sh")).toContain("All clean");
  });

  test(
    "runs its controller, status, explain and plan on the fake API server, and breaks no test of the others",
    patiently,
    () => {
      const printed = run(
        "vitest",
        "run",
        "src/jobs/beacon",
        "src/cli",
        "test/tidy.test.ts",
        "test/commands",
        "test/topology/topology.test.ts",
        "test/api-endpoint/commands",
        "test/simulation/simulated-jobs.test.ts",
      );
      expect(printed).toMatch(/\d+ passed, 0 failed/);
    },
  );

  test("lives in a simulated world with faults", patiently, () => {
    const printed = run("node", "src/bin/sim.ts", "--seed", "14", "--full");
    expect(printed).toContain("light-beacon");
    expect(printed).toContain("every promise held");
  });
});
