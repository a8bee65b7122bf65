// The walls of the house: who imports whom, what goes through ports, what is generated, what has a page. Each check
// asserts that it saw something; the checkers themselves are tried on offending snippets in test/tidy/.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { generatedFiles, generatedFolders } from "../scripts/generated-files.ts";
import { allReasons } from "../src/core/reasons.ts";
import { metricDefinitions } from "../src/engine/report/metric-definitions.ts";
import { allJobs } from "../src/jobs/all.ts";
import { gatewayReasons } from "../src/jobs/gateway/core/reasons.ts";
import { decisionNumbers } from "./tidy/decision-numbers.ts";
import { brokenLinks, pagesNamedAsFiles, privatePlaces, runbookProblems, unknownNames } from "./tidy/documents.ts";
import { importProblems, layerOf, layers } from "./tidy/layers.ts";
import { isOfCommandLine, loadedAround } from "./tidy/loaded-when-called.ts";
import { plannersIn, plannersWithoutLaws } from "./tidy/planner-laws.ts";
import { aroundPorts, portsOnly } from "./tidy/ports-only.ts";
import { runtimeInPort, shapeProblems } from "./tidy/shape.ts";
import { importsOf, isTest, parseSource, readRepositoryFile, repositoryFiles, type Source } from "./tidy/source.ts";
import { wallClockLayers, wallClockReaders, wallClockReads } from "./tidy/wall-clock.ts";
import { translatedSentences, translatedTexts } from "./tidy/words.ts";

const lockFile = z.object({
  packages: z.record(z.string(), z.object({ optionalDependencies: z.record(z.string(), z.string()).optional() })),
});
const manifest: unknown = JSON.parse(readRepositoryFile("package.json"));
const files = repositoryFiles();
/** Files and the folders they are in. */
const places = new Set(
  files.flatMap((path) => path.split("/").map((_, depth, parts) => parts.slice(0, depth + 1).join("/"))),
);
const sources = files.filter((path) => /\.tsx?$/.test(path)).map((path) => parseSource(path, readRepositoryFile(path)));
const product = sources.filter(({ path }) => path.startsWith("src/") && !isTest(path));

function inLayers(wanted: readonly string[]): readonly Source[] {
  return product.filter(({ path }) => wanted.includes(layerOf(path) ?? ""));
}

describe("the layers", () => {
  test("the check sees the files of every layer that exists", () => {
    expect(product.length).toBeGreaterThan(50);
    const seen = new Set(product.map(({ path }) => layerOf(path)));
    for (const layer of ["apis", "core", "ports", "engine", "drivers", "sim"]) expect(seen).toContain(layer);
    const folders = new Set(files.filter((path) => path.startsWith("src/")).map(layerOf));
    expect([...folders].filter((layer) => layer !== undefined && !(layer in layers))).toEqual([]);
  });

  test("a layer imports only what the table allows", () => {
    expect(product.flatMap(importProblems)).toEqual([]);
  });

  test("a port has types only", () => {
    expect(inLayers(["ports"]).flatMap(runtimeInPort)).toEqual([]);
  });

  test("time, randomness, files, the terminal and the process are ports", () => {
    expect(inLayers(portsOnly).flatMap(aroundPorts)).toEqual([]);
  });

  test("engine and controllers count ages on the monotonic clock: whoever reads the wall clock is named, with a reason", () => {
    const readers = inLayers(wallClockLayers).filter((source) => wallClockReads(source).length > 0);
    const unnamed = readers.filter(({ path }) => !(path in wallClockReaders));
    expect(unnamed.flatMap(wallClockReads)).toEqual([]);
    expect(readers.map(({ path }) => path)).toEqual(Object.keys(wallClockReaders).toSorted());
  });

  test("what commands load when they are called goes through one place", () => {
    const ofCommandLine = product.filter(({ path }) => isOfCommandLine(path));
    expect(ofCommandLine.filter(({ text }) => text.includes("whenCalled(")).length).toBeGreaterThan(5);
    expect(ofCommandLine.flatMap(loadedAround)).toEqual([]);
  });

  test("nothing outside src imports a composition root, but tests", () => {
    const outside = sources.filter(({ path }) => !path.startsWith("src/") && !isTest(path));
    expect(outside.length).toBeGreaterThan(5);
    const imports = outside.flatMap((source) =>
      importsOf(source).map(({ specifier }) => `${source.path} imports ${specifier}`),
    );
    expect(imports.filter((line) => line.includes("/src/bin/"))).toEqual([]);
  });
});

describe("the files", () => {
  test("a source file has a telling name, an opening comment, and neither a default export nor a barrel", () => {
    expect(sources.length).toBeGreaterThan(60);
    expect(sources.flatMap(shapeProblems)).toEqual([]);
  });

  test("every job's planner goes through the laws of planning, in a test beside it", () => {
    // Also of a job that is not among the product's yet.
    expect(plannersIn(files)).toHaveLength(files.filter((path) => /^src\/jobs\/[^/]+\/job\.ts$/.test(path)).length);
    expect(plannersWithoutLaws(sources)).toEqual([]);
  });

  test("no source file names a decision by its number alone", () => {
    const inSrc = sources.filter(({ path }) => path.startsWith("src/"));
    expect(inSrc.length).toBeGreaterThan(60);
    expect(inSrc.flatMap(({ path, text }) => decisionNumbers(path, text))).toEqual([]);
  });

  test("the lock file names no registry address", () => {
    const lock = readRepositoryFile("package-lock.json");
    expect(lock).toContain('"integrity"');
    expect(lock.match(/"resolved": "http[^"]*"/g) ?? []).toEqual([]);
  });

  test("the lock file names every optional package, as `npm ci` demands; `node scripts/complete-lock.ts` mends it", () => {
    const { packages } = lockFile.parse(JSON.parse(readRepositoryFile("package-lock.json")));
    const wanted = Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).map((name) => ({ parent, name })),
    );
    expect(wanted.length).toBeGreaterThan(0);
    const missing = wanted.filter(
      ({ parent, name }) => !(`node_modules/${name}` in packages) && !(`${parent}/node_modules/${name}` in packages),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  test("no file names a registry's host or somebody's home folder", () => {
    const texts = files.filter((path) => !/\.(png|ico|woff2?|tgz|gz)$/.test(path));
    expect(texts.length).toBeGreaterThan(60);
    expect(texts.flatMap((path) => privatePlaces(path, readRepositoryFile(path)))).toEqual([]);
  });
});

describe("the documents", () => {
  test("links inside the repository lead somewhere", () => {
    const pages = files.filter((path) => path.endsWith(".md"));
    expect(pages.length).toBeGreaterThan(20);
    const read = (path: string) => {
      const clean = path.replace(/\/$/, "");
      if (!places.has(clean)) return undefined;
      return clean.endsWith(".md") ? readRepositoryFile(clean) : "";
    };
    expect(pages.flatMap((path) => brokenLinks(path, readRepositoryFile(path), read))).toEqual([]);
  });

  test("no sentence that people had to translate comes back, in texts of the program or in pages", () => {
    const pages = files.filter((path) => /^(docs\/.*|README|CHANGELOG)\.md$/.test(path));
    expect(pages.length).toBeGreaterThan(20);
    expect(product.length).toBeGreaterThan(50);
    const said = [
      ...pages.flatMap((path) => translatedSentences(path, readRepositoryFile(path))),
      ...product.flatMap(translatedTexts),
    ];
    expect(said).toEqual([]);
  });

  test("metrics, make targets, npm scripts and files that a page names exist", () => {
    const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(manifest);
    const targets = [...readRepositoryFile("Makefile").matchAll(/^([a-z-]+):/gm)].flatMap((match) => match[1] ?? []);
    const known = {
      metrics: new Map(
        [...Object.values(metricDefinitions), ...allJobs.flatMap(({ metrics }) => Object.values(metrics))].map(
          ({ name, labels }): readonly [string, readonly string[]] => [name, labels],
        ),
      ),
      makeTargets: new Set(targets),
      npmScripts: new Set(Object.keys(scripts)),
      paths: places,
    };
    const pages = files.filter((path) => path.endsWith(".md"));
    expect(pages.flatMap((path) => unknownNames(path, readRepositoryFile(path), known))).toEqual([]);
  });

  test("every reason has a runbook page with the five answers, and every page a reason", () => {
    // The gateway job is not among the product's yet; its reasons have pages already.
    const names = [...new Set([...allReasons().keys(), ...Object.keys(gatewayReasons)])];
    const pages = files.flatMap((path) => /^docs\/operations\/(.+)\.md$/.exec(path)?.[1] ?? []);
    expect(pages.filter((page) => !names.includes(page))).toEqual([]);
    expect(names.filter((name) => !pages.includes(name))).toEqual([]);
    expect(names.flatMap((name) => runbookProblems(name, readRepositoryFile(`docs/operations/${name}.md`)))).toEqual(
      [],
    );
  });

  test("what the program prints names the command that prints a page, not a file", () => {
    const sources = files.filter((path) => /^src\/.*\.tsx?$/.test(path));
    expect(sources.length).toBeGreaterThan(60);
    expect(sources.flatMap((path) => pagesNamedAsFiles(path, readRepositoryFile(path)))).toEqual([]);
  });

  test("generated files are fresh: `npm run generate` would change nothing", async () => {
    const generated = await generatedFiles();
    expect(generated.size).toBeGreaterThan(0);
    const stale = [...generated].filter(([path, text]) => !files.includes(path) || readRepositoryFile(path) !== text);
    expect(stale.map(([path]) => path)).toEqual([]);
    const there = files.filter((path) => generatedFolders.some((folder) => path.startsWith(`${folder}/`)));
    expect(there.filter((path) => !generated.has(path))).toEqual([]);
  });
});
