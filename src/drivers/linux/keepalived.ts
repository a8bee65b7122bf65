// keepalived through its program: started, kept running, and told to read its configuration again. It outlives the agent: one that an earlier
// process started is known by its pid file and its command line, and is taken over as it is.

import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock, Timer } from "../../ports/clock.ts";
import type { Keepalived, KeepalivedState } from "../../ports/keepalived.ts";
import type { Log } from "../../ports/log.ts";
import { type Program, programFailed } from "./errors.ts";
import { instancesIn, rolesOf, sameInstances } from "./keepalived-instances.ts";
import { KeepalivedProcess, keepalivedFiles } from "./keepalived-process.ts";
import { succeed } from "./run-program.ts";

export interface KeepalivedOptions {
  /** Its files, and ours about it; made when missing. */
  readonly folder: string;
  /** What the track file holds while the gateway is ready. */
  readonly readyValue: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly command?: readonly string[];
  /** The program ip, which removes addresses that a keepalived left behind when it was killed. */
  readonly ipCommand?: readonly string[];
}

export interface LinuxKeepalived extends Keepalived {
  readonly readyFile: string;
  /** Looks after it no longer; keepalived goes on. */
  release(): void;
}

const betweenLooksMs = 1_000;
const longestBackoffMs = 60_000;
/** So long without a death, and the next one is the first again. */
const quietMs = 600_000;
/** A reload with thousands of addresses on a busy machine. */
const reloadPatienceMs = 60_000;

export function linuxKeepalived(options: KeepalivedOptions): LinuxKeepalived {
  return new SupervisedKeepalived(options);
}

class SupervisedKeepalived implements LinuxKeepalived {
  readonly readyFile: string;
  readonly #options: KeepalivedOptions;
  readonly #program: Program;
  readonly #process: KeepalivedProcess;
  readonly #files: ReturnType<typeof keepalivedFiles>;
  #turn: Promise<unknown> = Promise.resolve();
  #wanted: string | undefined;
  #timer: Timer | undefined;
  #deaths = 0;
  #lastDeathMs = 0;
  #checks = 0;

  constructor(options: KeepalivedOptions) {
    const { folder, command = ["keepalived"], ipCommand = ["ip"] } = options;
    this.#options = options;
    this.#files = keepalivedFiles(folder);
    this.readyFile = this.#files.ready;
    this.#program = { name: "keepalived", command, packageName: "keepalived" };
    this.#process = new KeepalivedProcess(folder, this.#program, ipCommand, () => this.#soon());
  }

  async check(configuration: string): Promise<void> {
    this.#checks += 1;
    const file = join(await this.#folder(), `check-${process.pid}-${this.#checks}.conf`);
    try {
      await writeFile(file, configuration, { mode: 0o600 });
      await succeed(this.#program, { args: ["--config-test", "--use-file", file] });
    } finally {
      await rm(file, { force: true });
    }
  }

  async use(configuration: string): Promise<void> {
    await this.#inTurn(async () => {
      await this.#folder();
      const found = await this.#process.find();
      if (found === undefined || (await this.#readBy(found)) !== digest(configuration)) {
        // It drops what it cannot read, and goes on with the rest: a broken configuration must not reach it.
        await this.check(configuration);
        await (found === undefined ? this.#start(configuration) : this.#reload(found, configuration));
      }
      this.#wanted = configuration;
    });
    this.#lookLater(betweenLooksMs);
  }

  async setReady(ready: boolean): Promise<void> {
    await this.#folder();
    await replaceFile(this.readyFile, `${ready ? this.#options.readyValue : 0}\n`);
  }

  async state(): Promise<KeepalivedState> {
    return await this.#inTurn(async () => {
      const found = await this.#process.find();
      if (found === undefined) return { running: false, roles: new Map() };
      // Without an instance nobody in it would answer.
      const configuration = await readFile(this.#files.configuration, "utf8").catch(() => "");
      if (instancesIn(configuration).size === 0) return { running: true, roles: new Map() };
      return { running: true, roles: rolesOf(await this.#process.instances(found)) };
    });
  }

  async version(): Promise<string> {
    // It prints to the error output.
    const { words, output } = await this.#process.run(["--version"]);
    return /v(\d[\w.]*)/.exec(`${words}${output}`)?.[1] ?? "unknown";
  }

  async stop(): Promise<void> {
    this.#wanted = undefined;
    this.release();
    await this.#inTurn(() => this.#process.end());
  }

  release(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#wanted = undefined;
  }

  async #start(configuration: string): Promise<void> {
    // What a killed one left on the interfaces would be answered for by two gateways.
    await this.#process.clear(await readFile(this.#files.configuration, "utf8").catch(() => ""));
    await replaceFile(this.#files.configuration, configuration);
    const pid = await this.#process.start();
    await this.#confirm(pid, configuration);
    this.#options.log.info("keepalived started", { pid });
  }

  async #reload(pid: number, configuration: string): Promise<void> {
    await replaceFile(this.#files.configuration, configuration);
    process.kill(pid, "SIGHUP");
    await this.#confirm(pid, configuration);
    this.#options.log.info("keepalived has read its configuration again", { pid });
  }

  /** Until it says that it has the instances and addresses of this configuration. */
  async #confirm(pid: number, configuration: string): Promise<void> {
    const wanted = instancesIn(configuration);
    const { clock } = this.#options;
    const endMs = clock.monotonicMs() + reloadPatienceMs;
    while (wanted.size > 0 && !sameInstances(wanted, await this.#process.instances(pid))) {
      if ((await this.#process.find()) !== pid) throw await this.#process.ended();
      if (clock.monotonicMs() > endMs) throw programFailed(this.#program, "did not take its configuration in time");
      await sleep(20);
    }
    await replaceFile(this.#files.read, `${pid} ${digest(configuration)}\n`);
  }

  /** What this very process has read, as far as it was confirmed. */
  async #readBy(pid: number): Promise<string | undefined> {
    const [of, what] = (await readFile(this.#files.read, "utf8").catch(() => "")).trim().split(" ");
    return of === String(pid) ? what : undefined;
  }

  #lookLater(delayMs: number): void {
    this.#timer?.cancel();
    this.#timer = this.#options.clock.after(delayMs, () => this.#soon());
  }

  #soon(): void {
    if (this.#wanted === undefined) return;
    void this.#inTurn(() => this.#look()).catch(() => {});
  }

  /** A dead one takes its addresses along at once, and is started again: the first time at once, then later and later. */
  async #look(): Promise<void> {
    const wanted = this.#wanted;
    const { clock, log } = this.#options;
    if (wanted === undefined) return;
    if ((await this.#process.find()) !== undefined) return this.#lookLater(betweenLooksMs);
    const nowMs = clock.monotonicMs();
    const isDue = nowMs >= this.#lastDeathMs + this.#backoffMs();
    await this.#process.clear(wanted);
    if (!isDue) return this.#lookLater(this.#lastDeathMs + this.#backoffMs() - nowMs);
    if (nowMs - this.#lastDeathMs > quietMs) this.#deaths = 0;
    this.#deaths += 1;
    this.#lastDeathMs = nowMs;
    if (this.#deaths === 1 || this.#deaths === 4)
      log.error("keepalived ended, and is started again", { times: this.#deaths });
    await this.#start(wanted).catch((error: unknown) => log.debug("keepalived does not start", { error }));
    if (this.#wanted !== undefined) this.#lookLater(betweenLooksMs);
  }

  #backoffMs(): number {
    return this.#deaths === 0 ? 0 : Math.min(longestBackoffMs, 1_000 * 2 ** (this.#deaths - 1));
  }

  async #folder(): Promise<string> {
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
    return this.#options.folder;
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(act);
    this.#turn = turn.catch(() => {});
    return turn;
  }
}

/** In one step: keepalived reads the old text or the new one. */
async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
