// The guides are true: examples print what stands behind their arrows, and commands end as the text says.

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningDemo, startDemo } from "../../demo/running-demo.ts";
import { describeLab, labKube } from "../../lab.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const guide = (name: string) => readFileSync(join(root, "docs", "guides", name), "utf8");

function blocks(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    (match) => match[1] ?? "",
  );
}

let demo: RunningDemo;
let folder: string;
beforeAll(async () => {
  demo = await startDemo();
  folder = mkdtempSync(join(tmpdir(), "mainstay-guide-"));
  cpSync(join(root, "deploy"), join(folder, "deploy"), { recursive: true });
}, 600_000);
afterAll(async () => {
  await demo?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function execute(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...process.env, KUBECONFIG: demo.kubeconfig, ...env }, timeout: 25_000 };
    execFile(program, args, options, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, out, err });
    });
  });
}

describe("docs/guides/topology-for-operators.md", () => {
  const examples = blocks(guide("topology-for-operators.md"), "ts");

  test("has examples", () => {
    expect(examples.length).toBeGreaterThanOrEqual(6);
  });

  test.each(examples.map((code, index) => [index + 1, code] as const))(
    "example %i prints what it says",
    async (index, code) => {
      const expected = [...code.matchAll(/\/\/ → (.+)$/gm)].map((match) => match[1]);
      expect(expected.length).toBeGreaterThan(0);
      const path = join(folder, `example-${index}.ts`);
      writeFileSync(
        path,
        code.replaceAll('"mainstay/topology"', JSON.stringify(pathToFileURL(join(root, "src", "topology.ts")).href)),
      );
      const { out, err, code: exit } = await execute(process.execPath, [path]);
      expect({ exit, err, lines: out.trimEnd().split("\n") }).toEqual({ exit: 0, err: "", lines: expected });
    },
  );
});

describeLab("the role of docs/guides/topology-for-operators.md", labKube, (lab) => {
  const kubectl = (line: string) => execute("bash", ["-c", line.replace(/^kubectl /, `"${lab.kubectl}" `)]);

  test("is brought and bound by its commands, and lets the operator read the topology and no more", async () => {
    const commands = blocks(guide("topology-for-operators.md"), "sh").flatMap((block) => block.trim().split("\n"));
    expect(commands.length).toBeGreaterThan(1);
    for (const line of commands) expect(await kubectl(line)).toMatchObject({ code: 0 });
    const may = async (what: string) =>
      (await kubectl(`kubectl auth can-i ${what} --as=system:serviceaccount:my-namespace:my-operator`)).out.trim();
    for (const verb of ["get", "list", "watch"])
      expect(await may(`${verb} infrastructures.config.openshift.io`)).toBe("yes");
    expect(await may("patch infrastructures.config.openshift.io")).toBe("no");
    expect(await may("list nodes")).toBe("no");
  });
});

const commands = blocks(guide("topology.md"), "sh").flatMap((block) => block.trim().split("\n"));

async function runInOrder(lines: readonly string[], kubectl: string): Promise<void> {
  const program = join(root, "src", "bin", "mainstay.ts");
  const functions = `mainstay() { "${process.execPath}" "${program}" "$@"; }; kubectl() { "${kubectl}" "$@"; };`;
  for (const line of lines) {
    const [command = "", note] = line.split(" # ");
    const { code, err } = await execute("bash", ["-c", `${functions} ${command}`]);
    expect({ command, code, err: code === 0 || note !== undefined ? "" : err }).toEqual({
      command,
      code: note === "exits 1" ? 1 : 0,
      err: "",
    });
  }
}

describeLab("docs/guides/topology.md", labKube, (lab) => {
  test("its commands work, word by word and in order, on the demonstration", { timeout: 120_000 }, async () => {
    expect(commands.length).toBeGreaterThan(15);
    await runInOrder(commands, lab.kubectl);
  });
});

describe("docs/guides/topology.md without kubectl", () => {
  test("its own commands work on the demonstration", { timeout: 120_000 }, async () => {
    // With the lab, the suite above runs them among all others.
    if ((await labKube()).available) return;
    const own = commands.filter((line) => line.startsWith("mainstay ") && !line.includes(" # "));
    expect(own.length).toBeGreaterThan(10);
    await runInOrder(own, "kubectl");
  });
});
