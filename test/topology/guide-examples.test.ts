// The guides are true: examples print what stands behind their arrows, and commands end as the text says.

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { labKube } from "../lab.ts";
import { type RunningDemo, startDemo } from "./running-demo.ts";

const root = join(import.meta.dirname, "..", "..");
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
}, 60_000);
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

describe("docs/guides/topology.md", () => {
  const commands = blocks(guide("topology.md"), "sh").flatMap((block) => block.trim().split("\n"));

  test("its commands work, word by word and in order, on the demonstration", { timeout: 120_000 }, async () => {
    const lab = await labKube();
    expect(commands.length).toBeGreaterThan(15);
    for (const line of commands) {
      const [command = "", note] = line.split(" # ");
      const isKubectl = command.startsWith("kubectl ");
      // Without the lab there is no kubectl; what only it can change is then not checked either.
      if (!lab.available && (isKubectl || note !== undefined)) continue;
      const kubectl = lab.available ? lab.kubectl : "kubectl";
      const script = `mainstay() { "${process.execPath}" "${join(root, "src", "bin", "mainstay.ts")}" "$@"; }; kubectl() { "${kubectl}" "$@"; }; ${command}`;
      const { code, err } = await execute("bash", ["-c", script]);
      expect({ command, code, err: code === 0 || note !== undefined ? "" : err }).toEqual({
        command,
        code: note === "exits 1" ? 1 : 0,
        err: "",
      });
    }
  });
});
