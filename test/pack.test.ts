// What people install: the tarball of `npm pack` in an empty folder, run by the lowest Node that package.json declares. What its commands load
// is in test/start-up.test.ts.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { describeLab, type Missing, slowSuites } from "./lab.ts";
import { brokenLinks } from "./tidy/documents.ts";

const root = join(import.meta.dirname, "..");
const run = promisify(execFile);
const manifest = z
  .object({ version: z.string(), engines: z.object({ node: z.string().regex(/^>=\d+\.\d+$/) }) })
  .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
const lowestNode = `${manifest.engines.node.slice(">=".length)}.0`;

interface Registry {
  readonly available: true;
}

async function npmRegistry(): Promise<Registry | Missing> {
  const time = await slowSuites();
  if (!time.available) return time;
  try {
    await run("npm", ["view", `node@${lowestNode}`, "version"], { cwd: root });
    return { available: true };
  } catch {
    return {
      available: false,
      why: "the npm registry does not answer",
      how: "connect this machine to a registry (npm config get registry)",
    };
  }
}

describeLab("the packed tarball", npmRegistry, () => {
  let folder = "";
  let packed: readonly string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "mainstay-pack-"));
    const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], {
      cwd: root,
      maxBuffer: 2 ** 26,
    });
    // `prepack` may print before the answer.
    const answer = packAnswer.parse(JSON.parse(stdout.slice(stdout.search(/^\[/m))));
    packed = answer[0].files.map(({ path }) => path);
    await installIn(folder, {}, join(folder, answer[0].filename));
    await installIn(join(folder, "lowest"), { allowScripts: { node: true } }, `node@${lowestNode}`);
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A command in the empty folder, with the lowest Node first. */
  const there = (command: string, ...args: readonly string[]) => {
    const path = [join(folder, "lowest", "node_modules", ".bin"), process.env["PATH"]].join(delimiter);
    return run(command, args, { cwd: folder, env: { ...process.env, PATH: path } });
  };

  test("is run by the lowest Node it declares", async () => {
    expect((await there("node", "--version")).stdout.trim()).toBe(`v${lowestNode}`);
  });

  test("holds JavaScript, declarations, manifests and the licence, and neither sources nor tests", () => {
    const needed = ["LICENSE", "README.md", "CHANGELOG.md", "dist/bin/mainstay.js", "dist/dashboard/index.html"];
    for (const path of [...needed, "dist/THIRD-PARTY-LICENSES.txt", "docs/guides/demo.md"])
      expect(packed).toContain(path);
    expect(packed.some((path) => /^deploy\/crds\/.*\.yaml$/.test(path))).toBe(true);
    expect(packed.some((path) => path.endsWith(".d.ts"))).toBe(true);
    expect(packed.filter((path) => /\.ts$|\.test\.|^test\/|^src\//.test(path.replace(/\.d\.ts$/, "")))).toEqual([]);
  });

  test("is a program in a few files and its pages, without the simulation", () => {
    const program = packed.filter((path) => path.startsWith("dist/") && !path.startsWith("dist/dashboard/"));
    expect(program.length).toBeLessThan(200);
    // The demonstration is a command: its fakes are in a file of their own. The search through seeds is for a checkout.
    expect(program).toContain("dist/chunks/demo.js");
    expect(packed.filter((path) => /(^|\/)sim[-/.]/.test(path))).toEqual([]);
    const known =
      /^(dist|deploy|docs)\/|^(README|CHANGELOG|ARCHITECTURE|CONTRIBUTING|SECURITY|STYLE)\.md$|^LICENSE$|^package\.json$/;
    expect(packed.filter((path) => !known.test(path))).toEqual([]);
  });

  test("brings no other package", () => {
    const there = readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."));
    expect(there).toEqual(["mainstay"]);
  });

  test("every link of its pages leads somewhere in the package", () => {
    const places = new Set(
      packed.flatMap((path) => path.split("/").map((_, depth, parts) => parts.slice(0, depth + 1).join("/"))),
    );
    const text = (path: string) => readFileSync(join(folder, "node_modules", "mainstay", path), "utf8");
    const read = (path: string) => {
      const clean = path.replace(/\/$/, "");
      if (!places.has(clean)) return undefined;
      return clean.endsWith(".md") ? text(clean) : "";
    };
    const pages = packed.filter((path) => path.endsWith(".md"));
    expect(pages).toContain("README.md");
    expect(pages.flatMap((path) => brokenLinks(path, text(path), read))).toEqual([]);
  });

  test("names no place of the machine that built it", () => {
    const code = packed.filter((path) => path.endsWith(".js"));
    const installed = join(folder, "node_modules", "mainstay");
    const outside = (text: string) => text.includes(root) || /^\/\/ \.\.\/.*node_modules\//m.test(text);
    expect(code.filter((path) => outside(readFileSync(join(installed, path), "utf8")))).toEqual([]);
  });

  test("npx mainstay --version says the version", async () => {
    expect((await there("npx", "mainstay", "--version")).stdout.trim()).toBe(manifest.version);
  });

  test("npx mainstay --help names the commands", async () => {
    const { stdout } = await there("npx", "mainstay", "--help");
    expect(stdout).toMatch(/Usage: mainstay/);
    expect(stdout).toMatch(/^\s+topology\b/m);
  });

  test("an unknown command is refused with a code of its own", async () => {
    await expect(there("npx", "mainstay", "nonsense")).rejects.toMatchObject({ code: 2 });
  });

  test("npx mainstay demo runs, fakes and dashboard included", async () => {
    const { stdout } = await there("npx", "mainstay", "demo", "--check", "--port", "0", "--dashboard-port", "0");
    expect(stdout).toMatch(/^OpenStackCluster\/\S+ +healthy/m);
  });

  test("every file that package.json points to is there", () => {
    const installed = join(folder, "node_modules", "mainstay");
    const { bin, exports } = pointers.parse(JSON.parse(readFileSync(join(installed, "package.json"), "utf8")));
    const paths = [
      ...Object.values(bin),
      ...Object.values(exports).flatMap((target) => (typeof target === "string" ? target : Object.values(target))),
    ];
    expect(paths.length).toBeGreaterThan(2);
    expect(paths.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
  });

  test("every JavaScript file of it loads, so nothing it needs at run time was left out", async () => {
    const forNode = (path: string) => !path.startsWith("dist/bin/") && !path.startsWith("dist/dashboard/");
    const modules = packed.filter((path) => path.endsWith(".js") && forNode(path));
    expect(modules.length).toBeGreaterThan(50);
    writeFileSync(
      join(folder, "load-all.js"),
      `for (const path of ${JSON.stringify(modules)}) await import("./node_modules/mainstay/" + path);\nconsole.log("loaded");\n`,
    );
    expect((await there("node", "load-all.js")).stdout).toBe("loaded\n");
  });

  test("mainstay/topology can be imported", async () => {
    writeFileSync(
      join(folder, "consumer.js"),
      `import * as topology from "mainstay/topology";\nconsole.log(Object.keys(topology).length > 0);\n`,
    );
    expect((await there("node", "consumer.js")).stdout).toBe("true\n");
  });

  test("the types of mainstay/topology can be used, and stand on no other package", async () => {
    writeFileSync(
      join(folder, "consumer.ts"),
      `import { desiredReplicas, everyTopology, type Topology } from "mainstay/topology";
const topologies: readonly Topology[] = everyTopology;
export const replicas: readonly number[] = topologies.map((topology) => desiredReplicas("infrastructure", topology).replicas);
// @ts-expect-error -- there is no such scope: what is imported has its types
desiredReplicas("nowhere", topologies[0]);
`,
    );
    const options = ["--noEmit", "--strict", "--module", "NodeNext", "--target", "ES2023", "--types", ""];
    const tsc = join(root, "node_modules", ".bin", "tsc");
    const { stdout } = await run(process.execPath, [tsc, ...options, "consumer.ts"], { cwd: folder }).catch(
      (error: unknown) => z.object({ stdout: z.string() }).parse(error),
    );
    expect(stdout).toBe("");
  });
});

/** `npm install` in a folder with nothing but a package.json. */
async function installIn(folder: string, fields: object, what: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "empty", private: true, type: "module", ...fields }),
  );
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", what], { cwd: folder });
}

const packAnswer = z.tuple([z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) })]);
const pointers = z.object({
  bin: z.record(z.string(), z.string()),
  exports: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])),
});
