// Runs the real kubectl against one server, with a home and caches of its own, and tells how it ended.

import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  /** A manifest for standard input. */
  readonly input?: object;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Kubectl {
  /** Standard output of a command that must succeed. */
  run(command: string | readonly string[], options?: RunOptions): Promise<string>;
  /** A command that may fail. */
  attempt(command: string | readonly string[], options?: RunOptions): Promise<Ended>;
  /** Lines of a command that goes on until the caller stops it. */
  follow(command: string): { readonly lines: readonly string[]; stop(): Promise<void> };
  close(): void;
}

export interface Access {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
}

export function kubectlFor(binary: string, access: Access, namespace: string): Kubectl {
  const home = mkdtempSync(join(tmpdir(), "mainstay-kubectl-"));
  const config = join(home, "kubeconfig");
  writeFileSync(config, JSON.stringify(kubeconfig(access, namespace)), { mode: 0o600 });
  const common = ["--kubeconfig", config, "--cache-dir", join(home, "cache")];
  const environment = (more: RunOptions["env"] = {}) => ({ PATH: process.env["PATH"] ?? "", HOME: home, ...more });
  const words = (command: string | readonly string[]) => (typeof command === "string" ? command.split(" ") : command);

  const attempt: Kubectl["attempt"] = (command, { input, env } = {}) =>
    new Promise((resolve) => {
      const options = { env: environment(env), timeout: 80_000, maxBuffer: 16 << 20 };
      const child = execFile(binary, [...common, ...words(command)], options, (error, out, err) => {
        resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : 1, out, err });
      });
      child.stdin?.end(input === undefined ? "" : JSON.stringify(input));
    });

  return {
    attempt,
    run: async (command, options) => {
      const { code, out, err } = await attempt(command, options);
      if (code !== 0) throw new Error(`kubectl ${words(command).join(" ")} ended with ${code}: ${err}${out}`);
      return out;
    },
    follow: (command) => {
      const child = spawn(binary, [...common, ...words(command)], {
        env: environment(),
        stdio: ["ignore", "pipe", "inherit"],
      });
      const lines: string[] = [];
      let rest = "";
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        const parts = (rest + chunk).split("\n");
        rest = parts.pop() ?? "";
        lines.push(...parts);
      });
      const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
      return {
        lines,
        stop: () => {
          child.kill("SIGTERM");
          return ended;
        },
      };
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}

function kubeconfig({ server, ca, token }: Access, namespace: string): object {
  const cluster = { server, "certificate-authority-data": Buffer.from(ca).toString("base64") };
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster }],
    users: [{ name: "u", user: { token } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace } }],
    "current-context": "x",
  };
}

/** Rows of kubectl's table output, cells split at two or more blanks. */
export function rowsOf(output: string): readonly (readonly string[])[] {
  return output
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd().split(/ {2,}/));
}
