// The tidy checks tried on snippets that offend, and on ones that only look as if they did.

import { describe, expect, test } from "vitest";
import { decisionNumbers } from "./decision-numbers.ts";
import {
  brokenLinks,
  pagesNamedAsFiles,
  privatePlaces,
  runbookHeadings,
  runbookProblems,
  unknownNames,
} from "./documents.ts";
import { importProblems } from "./layers.ts";
import { loadedAround } from "./loaded-when-called.ts";
import { plannersWithoutLaws } from "./planner-laws.ts";
import { aroundPorts } from "./ports-only.ts";
import { runtimeInPort, shapeProblems } from "./shape.ts";
import { importsOf, parseSource } from "./source.ts";
import { wallClockReads } from "./wall-clock.ts";
import { translatedSentences, translatedTexts } from "./words.ts";

const imports = (path: string, specifier: string) =>
  importProblems(parseSource(path, `import { a } from "${specifier}";`));
const ports = (code: string) => aroundPorts(parseSource("src/engine/a.ts", code));
const shape = (path: string, code: string) => shapeProblems(parseSource(path, code));

describe("who imports whom", () => {
  test.each([
    ["src/apis/a.ts", "../core/plan.ts"],
    ["src/apis/a.ts", "zod"],
    ["src/core/a.ts", "node:crypto"],
    ["src/core/a.ts", "../ports/clock.ts"],
    ["src/jobs/x/core/a.ts", "../../../engine/informer/store.ts"],
    ["src/jobs/x/core/a.ts", "../controller/feature.ts"],
    ["src/jobs/x/apis/a.ts", "../core/plan.ts"],
    ["src/jobs/x/job.ts", "./controller/feature.ts"],
    ["src/jobs/x/controller/a.ts", "../../y/core/plan.ts"],
    ["src/jobs/x/sim/a.ts", "../../y/sim/world.ts"],
    ["src/jobs/x/controller/a.ts", "../../all.ts"],
    ["src/core/a.ts", "../jobs/x/core/plan.ts"],
    ["src/cli/a.ts", "../jobs/x/commands/show.ts"],
    ["src/cli/a.ts", "../jobs/all.ts"],
    ["src/sim/run/a.ts", "../../jobs/x/sim/world.ts"],
    ["src/sim/run/a.ts", "../../jobs/simulated.ts"],
    ["src/server/a.ts", "../jobs/x/apis/kind.ts"],
    ["src/dashboard/a.ts", "../jobs/all.ts"],
    ["src/dashboard/a.ts", "../jobs/x/core/status.ts"],
    ["src/ports/a.ts", "../drivers/system/clock.ts"],
    ["src/engine/a.ts", "../core/openstack/octavia-objects.ts"],
    ["src/engine/a.ts", "../jobs/x/core/plan.ts"],
    ["src/engine/a.ts", "../jobs/x/controller/feature.ts"],
    ["src/engine/a.ts", "undici"],
    ["src/drivers/kube/a.ts", "../../engine/store.ts"],
    ["src/drivers/kube/a.ts", "../../sim/world.ts"],
    ["src/jobs/x/controller/a.ts", "../../../drivers/kube/client.ts"],
    ["src/jobs/x/controller/a.ts", "node:fs"],
    ["src/cli/a.ts", "../bin/mainstay.ts"],
    ["src/jobs/x/controller/a.ts", "../../../cli/run.ts"],
    ["src/cli/commands/a.ts", "../../drivers/system/files.ts"],
    ["src/server/a.ts", "../jobs/x/controller/feature.ts"],
    ["src/dashboard/a.ts", "../server/routes.ts"],
    ["src/sim/a.ts", "../drivers/kube/client.ts"],
    ["src/sim/a.ts", "node:http"],
    ["src/drivers/kube/a.ts", "../../../test/lab.ts"],
    ["src/core/a.ts", "./plan.test.ts"],
    ["src/core/a.ts", "./plan"],
    ["src/novelty/a.ts", "./b.ts"],
    ["src/topology.ts", "./bin/mainstay.ts"],
    ["src/jobs/x/controller/a.ts", "../../../topology.ts"],
  ])("%s may not import %s", (path, specifier) => {
    expect(imports(path, specifier)).toHaveLength(1);
  });

  test.each([
    ["src/jobs/x/core/a.ts", "../apis/kind.ts"],
    ["src/jobs/x/core/a.ts", "../../../core/plan.ts"],
    ["src/jobs/x/job.ts", "./core/reasons.ts"],
    ["src/jobs/x/controller/a.ts", "../job.ts"],
    ["src/jobs/x/commands/a.ts", "../controller/observe.ts"],
    ["src/jobs/x/sim/a.ts", "../controller/feature.ts"],
    ["src/jobs/all.ts", "./x/job.ts"],
    ["src/jobs/simulated.ts", "./x/sim/world.ts"],
    ["src/bin/a.ts", "../jobs/all.ts"],
    ["src/engine/a.ts", "../core/plan.ts"],
    ["src/engine/a.ts", "../core/net/cidr.ts"],
    ["src/engine/a.ts", "prom-client"],
    ["src/drivers/kube/a.ts", "node:tls"],
    ["src/drivers/kube/a.ts", "undici"],
    ["src/jobs/x/controller/a.ts", "../../../engine/feature.ts"],
    ["src/dashboard/a.ts", "../server/contract.ts"],
    ["src/sim/fakes/kube/kinds/a.ts", "./schemas.json"],
    ["src/bin/a.ts", "../drivers/kube/client.ts"],
    ["src/topology.ts", "./bin/connect.ts"],
  ])("%s may import %s", (path, specifier) => {
    expect(imports(path, specifier)).toEqual([]);
  });

  test("sees every way to import, and none in comments and strings", () => {
    const source = parseSource(
      "src/core/a.ts",
      `// import "./comment.ts"
      import type { A } from "./type.ts";
      import "./effect.ts";
      export * from "./all.ts";
      export { b } from "./named.ts";
      type C = import("./inline.ts").C;
      const d = await import("./dynamic.ts");
      const e = await import(\`./\${d}.ts\`);
      const text = 'import "./string.ts"';
      const pattern = /"import "/;`,
    );
    const found = importsOf(source).map(({ specifier }) => specifier);
    expect(found).toEqual([
      "./type.ts",
      "./effect.ts",
      "./all.ts",
      "./named.ts",
      "./inline.ts",
      "./dynamic.ts",
      "(computed)",
    ]);
    expect(importsOf(source)[0]?.line).toBe(2);
  });

  test("an import whose address is computed is refused", () => {
    expect(importProblems(parseSource("src/core/a.ts", "await import(name);"))).toHaveLength(1);
  });
});

test("a command that loads something by itself is found", () => {
  const problems = (text: string) => loadedAround(parseSource("src/cli/commands/a.ts", text));
  expect(problems('const load = whenCalled(() => import("./b.ts"));')).toEqual([]);
  expect(problems('const { b } = await import("./b.ts");')).toHaveLength(1);
  expect(problems('type B = import("./b.ts").B;')).toEqual([]);
});

describe("going around the ports", () => {
  test.each([
    "const t = Date.now();",
    'const t = Date["now"]();',
    "const t = new Date();",
    "const t = new Date;",
    "const { now } = Date;",
    "const t = Date();",
    "const r = Math.random();",
    "const roll = Math.random;",
    "setTimeout(go, 5);",
    "const later = setImmediate;",
    "globalThis.setTimeout(go, 5);",
    "const s = AbortSignal.timeout(5);",
    "const t = performance.now();",
    "const id = crypto.randomUUID();",
    "const e = process.env.HOME;",
    "const all = { process };",
    "const e = (process as unknown as { env: object }).env;",
    "const answer = await fetch(address);",
    'console.log("hello");',
    "const { random } = Math;",
    "const { random: roll } = Math;",
    "roll(Math);",
    "const m = Math[name]();",
    "const { timeout } = AbortSignal;",
    "const { setTimeout: later } = globalThis;",
    "global.setTimeout(go, 5);",
    "const later = { setTimeout };",
    "class Clock { now = Date.now; }",
    "const t = new (Date as DateConstructor)();",
    'const p = Function("return process")();',
    "const t = Temporal.Now.instant();",
    "const t = new Intl.DateTimeFormat().format();",
    // Elsewhere in the file the word means something harmless.
    "function run(process: () => void) { process(); } const e = process.env;",
    "{ const { setTimeout } = clock; } setTimeout(go, 5);",
    "const go = ({ fetch: get }) => get(); fetch(address);",
    "function wait(ms = performance.now()) { return ms; }",
  ])("%s", (code) => {
    expect(ports(code)).toHaveLength(1);
  });

  test.each([
    "const t = new Date(nowMs).toISOString();",
    "const t = Date.parse(text);",
    "const same = value instanceof Date;",
    "clock.setTimeout(go, 5);",
    "const o = { process: 1, fetch() {} };",
    "interface Clock { setTimeout(): void; readonly performance: number }",
    "type Now = typeof Date.now;",
    "function run(process: () => void) { process(); }",
    "const { process } = queue; process();",
    'import { fetch } from "./fetch.ts"; fetch();',
    "const go = ({ inner: { fetch = other }, ...process }) => fetch(process);",
    "for (const [process] of all) process();",
    "try { go(); } catch (process) { say(process); }",
    "function fetch() {} fetch();",
    "const stopped = reason instanceof AbortSignal; const { PI } = constants;",
    "queueMicrotask(go); const m = Math.max(1, 2);",
    "// setTimeout, Date.now()",
    'const text = "process.env and Date.now()";',
  ])("%s is harmless", (code) => {
    expect(ports(code)).toEqual([]);
  });
});

describe("the shape of a file", () => {
  test.each([
    ["src/core/utils.ts", "// Says something.\nexport const a = 1;"],
    ["src/core/types.ts", "// Says something.\nexport const a = 1;"],
    ["src/core/workQueue.ts", "// Says something.\nexport const a = 1;"],
    ["src/core/a.ts", "export const a = 1;"],
    ["src/core/a.ts", "// Says something.\nconst a = 1;\nexport default a;"],
    ["src/core/a.ts", '// Says something.\nexport { a } from "./b.ts";'],
    ["src/core/a.ts", '// Says something.\nimport { a } from "./b.ts";\nexport { a };'],
  ])("%s: %s", (path, code) => {
    expect(shape(path, code)).toHaveLength(1);
  });

  test("a plain file, a script, a test and a configuration file pass", () => {
    expect(shape("src/core/plan.ts", "// Says something.\nexport const a = 1;")).toEqual([]);
    expect(shape("src/bin/mainstay.ts", '#!/usr/bin/env node\n// Says something.\nimport "./a.ts";\nrun();')).toEqual(
      [],
    );
    expect(shape("src/core/plan.test.ts", 'import { test } from "vitest";\ntest("a", () => {});')).toEqual([]);
    expect(shape("vitest.config.ts", "// Says something.\nexport default {};")).toEqual([]);
  });

  test("a port with anything that exists at run time is refused", () => {
    const port = (code: string) => runtimeInPort(parseSource("src/ports/a.ts", code));
    expect(port('import type { A } from "./a.ts"; export interface B extends A {} export type C = B;')).toEqual([]);
    expect(port("export const limit = 5;")).toHaveLength(1);
    expect(port("export function now(): number { return 1; }")).toHaveLength(1);
    expect(port('import { a } from "./a.ts"; export type B = typeof a;')).toHaveLength(1);
  });
});

describe("the laws of planning", () => {
  const planner = parseSource("src/jobs/x/core/plan.ts", "export const plan = 1;");
  const beside = (path: string, code: string) => plannersWithoutLaws([planner, parseSource(path, code)]);

  test.each([
    ["src/jobs/x/core/laws.test.ts", "// planLaws(planner);"],
    ["src/jobs/x/core/laws.test.ts", "const text = 'planLaws(planner)';"],
    ["src/jobs/x/core/other.test.ts", "planLaws(planner);"],
    ["src/jobs/y/core/laws.test.ts", "planLaws(planner);"],
  ])("a planner is not judged by %s: %s", (path, code) => {
    expect(beside(path, code)).toEqual([planner.path]);
  });

  test.each(["laws", "plan"])("a planner is judged by %s.test.ts beside it", (stem) => {
    expect(beside(`src/jobs/x/core/${stem}.test.ts`, "planLaws({ runs: 5 });")).toEqual([]);
  });
});

describe("decisions", () => {
  test("one that is named by its number alone is found, with its line", () => {
    expect(decisionNumbers("a.ts", "// Why.\nconst a = 1; // Decision 7")).toEqual([
      "a.ts:2: Decision 7 is a number; say why, or link the page in docs/decisions",
    ]);
    expect(decisionNumbers("a.ts", "/* As in decision 0004. */")).toHaveLength(1);
  });

  test("a link to its page, and other numbers, pass", () => {
    const text = "// See docs/decisions/0001-plan-is-pure.md.\n// Decision 1: docs/decisions/0001-plan-is-pure.md\n";
    expect(decisionNumbers("a.ts", `${text}// a decision of 5 people; indecision 5`)).toEqual([]);
  });
});

describe("documents", () => {
  test("a link that leads nowhere is named, whether file or heading", () => {
    const read = (path: string) => ({ "docs/a.md": "# Here\n\n## The `way` in\n", "docs/b.md": "# B\n" })[path];
    const text =
      "[a](b.md) [b](#the-way-in) [c](gone.md) [d](b.md#gone) [e](https://example.com) `[f](code.md)`\n```\n[g](fence.md)\n```\n";
    expect(brokenLinks("docs/a.md", text, read)).toEqual([
      "docs/a.md: gone.md leads nowhere",
      "docs/a.md: b.md#gone has no such heading",
    ]);
  });

  test("a page that names what does not exist is found out", () => {
    const known = {
      metrics: new Map([["mainstay_keys", ["kind"]]]),
      makeTargets: new Set(["test"]),
      npmScripts: new Set(["generate"]),
      paths: new Set(["src", "src/core", "src/core/plan.ts"]),
    };
    const names = (text: string) => unknownNames("a.md", text, known).map((line) => line.replace(/.*there is no /, ""));
    expect(
      names('`mainstay_keys{kind="a"}`, `make test`, `npm run generate`, `src/core/plan.ts`, `src/core/`'),
    ).toEqual([]);
    expect(names("make haste; `src/core/<job>/plan.ts`, `src/**/*.ts`, `our/src/gone.ts`")).toEqual([]);
    expect(names('`mainstay_gone` `mainstay_keys{name="a"}`')).toEqual(["mainstay_gone", "mainstay_keys{name}"]);
    expect(names("```sh\nmake gone\nLAB=required make lost\nnpm run gone\n./x src/gone.ts\n```\n")).toEqual([
      "make gone",
      "LAB=required make lost",
      "npm run gone",
      "src/gone.ts",
    ]);
  });

  test("a runbook page answers the five questions, in order and in words", () => {
    const page = (headings: readonly string[], words: string) =>
      `# Stuck\n\n${headings.map((heading) => `## ${heading}\n\n${words}\n`).join("\n")}`;
    expect(runbookProblems("Stuck", page(runbookHeadings, "Enough words to help somebody."))).toEqual([]);
    expect(runbookProblems("Stuck", page(runbookHeadings.slice(1), "Enough words to help somebody."))).toHaveLength(1);
    expect(runbookProblems("Stuck", page(runbookHeadings, "…"))).toHaveLength(5);
    expect(runbookProblems("Other", page(runbookHeadings, "Enough words to help somebody."))).toHaveLength(1);
  });

  test("a text that names a page as a file is found, the folder of the pages is not", () => {
    expect(pagesNamedAsFiles("src/a.ts", "`See docs/operations/${reason}.md.`")).toHaveLength(1);
    expect(pagesNamedAsFiles("src/a.ts", 'new URL("../../docs/operations/", import.meta.url)')).toEqual([]);
  });

  test("registry hosts and home folders are found, look-alikes are not", () => {
    const [slash, tail] = ["/", "org"];
    expect(privatePlaces("a", `"resolved": "https://registry.npmjs.${tail}/zod"`)).toHaveLength(1);
    expect(privatePlaces("a", `cache in ${slash}home/anna/.cache and ${slash}root`)).toHaveLength(2);
    expect(
      privatePlaces("a", "golang.org/x/net v0.1.0, $HOME/.cache, ~/root, src/root.ts, https://example.com/home/page"),
    ).toEqual([]);
  });
});

test("whoever reads the wall clock is found; a number of that name is nobody's clock", () => {
  const reads = (code: string) => wallClockReads(parseSource("src/engine/a.ts", code));
  expect(reads("const age = clock.nowMs() - since;")).toHaveLength(1);
  expect(reads("const { nowMs } = reader; const f = ({ nowMs: now = 0 }: Reader) => now;")).toHaveLength(2);
  expect(reads("const nowMs = clock.monotonicMs(); this.#nowMs(); record({ nowMs }); f[nowMs];")).toEqual([]);
});

describe("sentences that people had to translate", () => {
  test.each([
    "MembersHealthy is not so",
    "Whether Ready is so is unknown",
    "Nothing to say: this is how it should be",
    "not whole yet",
    "no machine stands behind it",
    "18 ok, 0 to look at, 0 to mend",
    "done: put 10.0.0.1 into pool p because MembersMissing",
    "See how everything fares",
    "to be kept for 30 s",
    "it is rebuilt at 10:00, when nobody remembers it",
    "a zone that goes dark",
    "the machines behind it answer nobody",
    "az1 is away, and two do not go at a time",
  ])("%s", (text) => {
    expect(translatedSentences("docs/a.md", `First line.\n${text}.`)).toHaveLength(1);
    expect(translatedTexts(parseSource("src/a.ts", `const said = "${text}";`))).toHaveLength(1);
    expect(translatedTexts(parseSource("src/a.ts", `const said = \`\${name}: ${text}\`;`))).toHaveLength(1);
    expect(translatedTexts(parseSource("src/a.ts", `// ${text}\nconst said = "";`))).toEqual([]);
  });

  test("what only looks like one is none", () => {
    expect(translatedSentences("a", "It is not sorted. 3 ok, 0 with a warning. Look at the dark mode.")).toEqual([]);
  });
});
