// What people install: the tarball of `npm pack` in an empty folder, run by the lowest Node that package.json declares.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { describeLab, type Missing, slowSuites } from "./lab.ts";

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
  }, 300_000);
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
    for (const path of needed) expect(packed).toContain(path);
    expect(packed.some((path) => /^deploy\/crds\/.*\.yaml$/.test(path))).toBe(true);
    expect(packed.some((path) => path.endsWith(".d.ts"))).toBe(true);
    expect(packed.filter((path) => /\.ts$|\.test\.|^test\/|^src\//.test(path.replace(/\.d\.ts$/, "")))).toEqual([]);
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
