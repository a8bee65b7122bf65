// Runs a command line as a person would, in a shell, and tells what it printed: on its output, or into a file that it names.

import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Shell {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly code: number;
  readonly printed: string;
  readonly err: string;
}

export function runInShell(line: string, { folder, env }: Shell, input = ""): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...env }, timeout: 300_000, maxBuffer: 64 << 20 };
    const child = execFile("bash", ["--norc", "-o", "pipefail", "-c", line], options, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, printed: out + fileOf(line, folder), err });
    });
    child.stdin?.end(input);
  });
}

/** What stands behind the last `>`. */
function fileOf(line: string, folder: string): string {
  const name = /(?<![<>\d])> ([\w.-]+)$/.exec(line)?.[1];
  const path = join(folder, name ?? "");
  return name !== undefined && existsSync(path) ? readFileSync(path, "utf8") : "";
}
