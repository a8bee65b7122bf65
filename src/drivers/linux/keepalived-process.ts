// The process of keepalived: found by its pid file, started apart from this process, asked by signals, ended. It writes what it is asked for
// into its temporary folder, which is ours.

import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Program, programFailed, programMissing } from "./errors.ts";
import { addressesIn, decodeInstances, type LiveInstance } from "./keepalived-instances.ts";
import { type Ran, runProgram, succeed } from "./run-program.ts";

export function keepalivedFiles(folder: string) {
  return {
    configuration: join(folder, "keepalived.conf"),
    /** Which process has read which configuration. */
    read: join(folder, "keepalived.read"),
    ready: join(folder, "ready"),
    pid: join(folder, "keepalived.pid"),
    vrrpPid: join(folder, "vrrp.pid"),
    /** Its last words, when it ends before it has a log. */
    words: join(folder, "keepalived.words"),
    /** keepalived's own name for it. */
    dump: join(folder, "keepalived.json"),
  };
}

const patienceMs = { start: 30_000, answer: 2_000, end: 20_000 } as const;

export class KeepalivedProcess {
  readonly #program: Program;
  readonly #ip: Program;
  readonly #folder: string;
  readonly #files: ReturnType<typeof keepalivedFiles>;
  readonly #onEnd: () => void;
  #jsonSignal: number | undefined;

  constructor(folder: string, program: Program, ipCommand: readonly string[], onEnd: () => void) {
    this.#folder = folder;
    this.#files = keepalivedFiles(folder);
    this.#program = program;
    this.#ip = { name: "ip", command: ipCommand, packageName: "iproute2" };
    this.#onEnd = onEnd;
  }

  run(args: readonly string[]): Promise<Ran> {
    return runProgram(this.#program, { args });
  }

  /** The one that runs with our files, whoever started it. */
  async find(): Promise<number | undefined> {
    return await this.#pidIn(this.#files.pid);
  }

  /** Resolves when it has written its pid file. */
  async start(): Promise<number> {
    const { configuration, pid, vrrpPid, words } = this.#files;
    const [command = "keepalived", ...leading] = this.#program.command;
    const files = ["--use-file", configuration, "--pid", pid, "--vrrp_pid", vrrpPid];
    const output = openSync(words, "w", 0o600);
    // Of a group of its own: what ends the agent must not end keepalived.
    const child = spawn(command, [...leading, "--dont-fork", "--vrrp", ...files], {
      detached: true,
      stdio: ["ignore", output, output],
      env: { ...process.env, TMPDIR: this.#folder },
    });
    closeSync(output);
    let end: Error | undefined;
    child.on("error", (error) => {
      end = "code" in error && error.code === "ENOENT" ? programMissing(this.#program) : error;
    });
    child.on("exit", () => {
      end ??= programFailed(this.#program, "ended at once");
      this.#onEnd();
    });
    child.unref();
    return await patiently(patienceMs.start, async () => {
      if (end !== undefined) throw await this.ended();
      return await this.find();
    }).then((found) => {
      if (found === undefined) throw programFailed(this.#program, "did not start in time");
      return found;
    });
  }

  /** Why it ended, in its own words where it had any. */
  async ended(): Promise<Error> {
    const words = await readFile(this.#files.words, "utf8").catch(() => "");
    return programFailed(this.#program, words.trim() || "ended; its log says why");
  }

  /** Empty where it does not answer: it has no instance yet, or is on its way. */
  async instances(pid: number): Promise<readonly LiveInstance[]> {
    const { dump } = this.#files;
    const signal = await this.#signalForJson();
    await rm(dump, { force: true });
    if (!isThere(pid, signal)) return [];
    const found = await patiently(patienceMs.answer, async () =>
      decodeInstances(await readFile(dump, "utf8").catch(() => "")),
    );
    return found ?? [];
  }

  /** Removes what a process that was killed left behind: its files, its other half, its addresses. */
  async clear(configuration: string): Promise<void> {
    const { pid, vrrpPid } = this.#files;
    const half = await this.#pidIn(vrrpPid);
    if (half !== undefined) await this.#endPid(half);
    for (const file of [pid, vrrpPid]) await rm(file, { force: true });
    const lines = addressesIn(configuration).map(
      ({ address, interface: name }) => `address delete ${address} dev ${name}`,
    );
    // Most are not there, which is what is wanted.
    if (lines.length > 0)
      await runProgram(this.#ip, { args: ["-force", "-batch", "-"], input: `${lines.join("\n")}\n` });
  }

  async end(): Promise<void> {
    const found = await this.find();
    const configuration = await readFile(this.#files.configuration, "utf8").catch(() => "");
    if (found !== undefined) await this.#endPid(found);
    await this.clear(configuration);
  }

  /** By asking; one that does not listen is killed. */
  async #endPid(pid: number): Promise<void> {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (!isThere(pid, signal)) return;
      const isGone = await patiently(patienceMs.end, async () => ((await this.#isOurs(pid)) ? undefined : true));
      if (isGone === true) return;
    }
  }

  async #pidIn(file: string): Promise<number | undefined> {
    const text = (await readFile(file, "utf8").catch(() => "")).trim();
    if (!/^\d+$/.test(text)) return undefined;
    return (await this.#isOurs(Number(text))) ? Number(text) : undefined;
  }

  /** Numbers of processes are used again: only one that runs with our configuration counts. A dead one has no command line. */
  async #isOurs(pid: number): Promise<boolean> {
    const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    return line.split("\0").includes(this.#files.configuration);
  }

  async #signalForJson(): Promise<number> {
    this.#jsonSignal ??= Number(await succeed(this.#program, { args: ["--signum=JSON"] }));
    return this.#jsonSignal;
  }
}

function isThere(pid: number, signal: NodeJS.Signals | number): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Asks until there is an answer; undefined when there was none in time. */
async function patiently<T>(limitMs: number, ask: () => Promise<T | undefined>): Promise<T | undefined> {
  const endMs = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || performance.now() > endMs) return answer;
    await sleep(10);
  }
}
