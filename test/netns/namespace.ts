// A network namespace with a name that nobody else uses, and a program in it that does what tests ask for. Removing it ends every process
// in it. What a test run that was killed left behind is removed before the next one makes its own.

import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { threadId } from "node:worker_threads";
import type { Asked } from "./namespace-program.ts";

const run = promisify(execFile);

export interface Namespace {
  readonly name: string;
  /** What runs a program in it. */
  readonly prefix: readonly string[];
  ask(asked: Asked): Promise<unknown>;
  /** Commands of `ip`, all of them or an error. */
  ip(commands: readonly string[]): Promise<void>;
  run(program: string, ...args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

const mark = "mst-net";
let made = 0;

export async function makeNamespace(role: string): Promise<Namespace> {
  made += 1;
  // Suites run beside each other in threads of one process, each with a count of its own.
  const name = `${mark}-${process.pid}-${threadId}-${made}-${role}`;
  await run("ip", ["netns", "add", name]);
  const prefix = ["ip", "netns", "exec", name];
  const program = programIn(prefix);
  return {
    name,
    prefix,
    ask: program.ask,
    ip: async (commands) => {
      for (const command of commands) await run("ip", ["-n", name, ...command.split(" ")]);
    },
    run: async (file, ...args) => (await run("ip", ["netns", "exec", name, file, ...args])).stdout,
    remove: async () => {
      program.end();
      await removeNamespace(name);
    },
  };
}

/** Of runs whose process is no more. */
export async function removeLeftNamespaces(): Promise<void> {
  const { stdout } = await run("ip", ["netns", "list"]);
  for (const line of stdout.split("\n")) {
    const [, name, pid] = new RegExp(`^(${mark}-(\\d+)-\\S+)`).exec(line) ?? [];
    if (name !== undefined && !isAlive(Number(pid))) await removeNamespace(name);
  }
}

async function removeNamespace(name: string): Promise<void> {
  const { stdout } = await run("ip", ["netns", "pids", name]);
  for (const pid of stdout.split("\n").filter(Boolean)) kill(Number(pid));
  await run("ip", ["netns", "delete", name]);
}

function programIn(prefix: readonly string[]) {
  const [command = "", ...leading] = prefix;
  const file = join(import.meta.dirname, "namespace-program.ts");
  const child = spawn(command, [...leading, process.execPath, file], { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let asked = 0;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, value, error } = JSON.parse(line) as { id: number; value?: unknown; error?: string };
    const one = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) one?.resolve(value);
    else one?.reject(new Error(error));
  });
  child.stdin.on("error", () => {});
  child.on("exit", () => {
    for (const one of waiting.values()) one.reject(new Error(`the program in ${prefix.at(-1)} has ended`));
  });
  return {
    ask: (question: Asked) =>
      new Promise<unknown>((resolve, reject) => {
        asked += 1;
        waiting.set(asked, { resolve, reject });
        child.stdin.write(`${JSON.stringify({ id: asked, asked: question })}\n`);
      }),
    end: () => child.stdin.end(),
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
