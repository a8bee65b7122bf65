// Runs one command, without a shell, until it ends or times out, and returns what it printed. Its error output is shown only at an
// interactive terminal, since it may quote secrets.

import { spawn } from "node:child_process";

export interface CommandResult {
  readonly output: string;
  /** Why it did not succeed, without anything that it printed. */
  readonly failure?: string;
}

export function runCommand(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  interactive: boolean,
  limitMs: number,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const output: Buffer[] = [];
    const child = spawn(command, args, {
      env: { ...environment },
      stdio: [interactive ? "inherit" : "ignore", "pipe", interactive ? "inherit" : "ignore"],
      timeout: limitMs,
      killSignal: "SIGKILL",
    });
    child.stdout?.on("data", (chunk: Buffer) => output.push(chunk));
    child.on("error", (error) => resolve({ output: "", failure: startFailure(error) }));
    child.on("close", (code, signal) => {
      const text = Buffer.concat(output).toString("utf8");
      if (code === 0) resolve({ output: text });
      else resolve({ output: text, failure: code === null ? `ended by ${String(signal)}` : `exited with ${code}` });
    });
  });
}

function startFailure(error: Error): string {
  const code = "code" in error ? String(error.code) : error.name;
  if (code === "ENOENT") return "the command was not found";
  return code === "EACCES" ? "the command may not be executed" : `cannot be started (${code})`;
}
