// Runs one program to its end: arguments as they are, without a shell, a script on its standard input where it reads one. Whatever it
// prints is bounded, and so is its time.

import { spawn } from "node:child_process";
import { type Program, programFailed, programMissing } from "./errors.ts";

export interface Run {
  readonly args: readonly string[];
  readonly input?: string;
  /** A program that hangs must not hold up its caller for ever. Default: two minutes, more than a full load takes. */
  readonly limitMs?: number;
  /** Of each stream. Default: more than any answer that anybody reads. */
  readonly mostBytes?: number;
}

export interface Ran {
  readonly code: number | undefined;
  readonly output: string;
  /** What it printed for people. */
  readonly words: string;
}

const usualBytes = 65_536;

/** Rejects only when the program could not be started or did not end. */
export function runProgram(
  program: Program,
  { args, input = "", limitMs = 120_000, mostBytes = usualBytes }: Run,
): Promise<Ran> {
  const [command = program.name, ...leading] = program.command;
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...leading, ...args], { stdio: ["pipe", "pipe", "pipe"] });
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(programFailed(program, `did not end within ${limitMs / 1_000} s`));
    }, limitMs).unref();
    const output = collect(child.stdout, mostBytes);
    const words = collect(child.stderr, usualBytes);
    child.on("error", (error) => {
      clearTimeout(timer);
      const code = "code" in error ? String(error.code) : error.name;
      reject(code === "ENOENT" ? programMissing(program) : programFailed(program, `cannot be started (${code})`));
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? undefined, output: output(), words: words() });
    });
    // One that ends before it has read all says why.
    child.stdin.on("error", () => {}).end(input);
  });
}

/** As `runProgram`; rejects with what it said unless it ended well. */
export async function succeed(program: Program, run: Run): Promise<string> {
  const { code, output, words } = await runProgram(program, run);
  if (code !== 0) throw programFailed(program, words.trim() || `ended with ${code ?? "a signal"}`);
  return output;
}

function collect(stream: NodeJS.ReadableStream, mostBytes: number): () => string {
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on("data", (chunk: Buffer) => {
    if (length < mostBytes) chunks.push(chunk);
    length += chunk.length;
  });
  return () => Buffer.concat(chunks).toString("utf8", 0, mostBytes);
}
