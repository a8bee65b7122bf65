// A whole system in one process and one seed: the fake API server, the systems of each job, several managers, people, and faults. It
// offers what faults and jobs may do; what happens when is the run's (run-seed.ts) and the scheduler's.

import { leases } from "../apis/builtin-kinds.ts";
import { apiVersionOf, type KubeObject } from "../apis/kube-object.ts";
import { isKubeError } from "../core/kube-error.ts";
import { defaultLeaseTimings, type LeaseTimings } from "../engine/lease-timings.ts";
import type { Clock } from "../ports/clock.ts";
import type { Kube } from "../ports/kube.ts";
import type { Random } from "../ports/random.ts";
import type { Checker, WorldView } from "./checkers/checker.ts";
import { canaryPrefix } from "./checkers/no-secret-shown.ts";
import { type Coverage, count, emptyCoverage } from "./coverage.ts";
import { between, chance, streamOf } from "./derive-seed.ts";
import { createEvidenceBoard, type EvidenceBoard } from "./evidence.ts";
import { adminToken, createFakeKubeApi, type FakeKubeApi } from "./fakes/kube/api-server.ts";
import type { UserInfo } from "./fakes/kube/auth/user-info.ts";
import type { DrawnFault } from "./faults/fault.ts";
import type { Airspace } from "./flight.ts";
import { instrumentFeature } from "./instrument-feature.ts";
import { judgeOf } from "./judge.ts";
import { kubeLink } from "./kube-link.ts";
import { meddle } from "./meddle.ts";
import { type Mirror, mirrorOf } from "./mirror.ts";
import type { Fate, PortCall } from "./port-call.ts";
import { Scheduler } from "./scheduler.ts";
import type { SimJob, SimJobOf } from "./sim-job.ts";
import { simLog } from "./sim-log.ts";
import { SimProcess } from "./sim-process.ts";
import { type KubeOver, leaseRef, type RunningManager, startManager, type WorldSeams } from "./start-manager.ts";
import { createTrace, type Trace } from "./trace.ts";

export interface WorldOptions {
  readonly seed: number;
  readonly kubeOver: KubeOver;
  /** Lets every promise job run to its end: a turn of the event loop where there is one. */
  readonly settle: () => Promise<void>;
  readonly jobs: readonly SimJobOf[];
  readonly checkers: readonly Checker[];
  readonly faults: readonly DrawnFault[];
  readonly seams?: WorldSeams;
  /** How many lines of the trace are kept. */
  readonly keepLines?: number;
}

export interface Violation {
  readonly checker: string;
  readonly how: string;
  readonly step: number;
  readonly atMs: number;
}

const startMs = Date.UTC(2026, 0, 1);
const shortLease: LeaseTimings = { durationMs: 6_000, renewDeadlineMs: 4_000, retryMs: 1_000 };

export class World {
  readonly options: WorldOptions;
  readonly scheduler: Scheduler;
  readonly board: EvidenceBoard = createEvidenceBoard();
  readonly trace: Trace;
  readonly api: FakeKubeApi;
  readonly mirror: Mirror;
  readonly kube: Kube;
  readonly view: WorldView;
  readonly jobs: readonly SimJob[];
  readonly coverage: Coverage = emptyCoverage();
  readonly lostUids = new Set<string>();
  readonly awayUntilMs = new Map<string, number>();
  readonly onTheWay = new Set<PortCall>();
  managers: readonly RunningManager[] = [];
  violation: Violation | undefined;
  quiet = false;
  /** Faults have ended; whoever is started now is new. */
  healed = false;
  readonly #schedule: Random;
  readonly #judge: (call: PortCall) => Fate;
  readonly #timings: LeaseTimings;
  readonly #space: Airspace;
  readonly #users = new Map<string, UserInfo>([
    [adminToken, { username: "admin", uid: "admin", groups: ["system:masters"] }],
  ]);
  #started = 0;
  #restoredAtMs = Number.NEGATIVE_INFINITY;
  #leading: string | undefined;

  constructor(options: WorldOptions) {
    const { seed, settle, kubeOver } = options;
    this.options = options;
    this.#schedule = streamOf(seed, "schedule");
    this.scheduler = new Scheduler({ random: this.#schedule, settle, afterStep: () => {} });
    this.#judge = judgeOf({
      seed,
      faults: options.faults,
      schedule: this.#schedule,
      nowMs: () => this.scheduler.nowMs,
      onStrike: (fault, call) => this.struck(fault, [call]),
    });
    const now = () => ({ step: this.scheduler.step, ms: this.scheduler.nowMs });
    this.trace = createTrace({ now, keep: options.keepLines ?? 200 });
    const clock = this.#worldClock();
    const apiRandom = streamOf(seed, "api");
    this.api = createFakeKubeApi({ clock, random: apiRandom, users: this.#users, bookmarkIntervalMs: 10_000 });
    this.mirror = mirrorOf(this.api, (change) => this.board.tell("changed", { change }));
    const log = { debug() {}, info() {}, warn() {}, error() {}, with: () => log };
    this.kube = kubeOver({ transport: this.api.transport(adminToken), clock, log });
    this.view = this.#makeView();
    this.#space = this.#makeSpace();
    const choices = streamOf(seed, "world");
    this.#timings = chance(choices, 0.75) ? shortLease : defaultLeaseTimings;
    this.jobs = options.jobs.map((jobOf, index) =>
      jobOf({
        random: streamOf(seed, `job ${index}`),
        kube: this.kube,
        view: this.view,
        space: this.#space,
        judge: this.#judge,
        canary: (label) => `${canaryPrefix}${label}`,
        lostUids: this.lostUids,
      }),
    );
    this.board.on("arrived", ({ call, status }) => this.#noteLeader(call, status));
    for (const checker of [...options.checkers, ...this.jobs.flatMap((job) => job.checkers)]) {
      checker.watch(this.view, (how) => this.break(checker.name, how));
    }
    this.board.on("executed", ({ action }) => count(this.coverage.actions, action.kind));
  }

  break(checker: string, how: string): void {
    if (this.violation !== undefined) return;
    this.violation = { checker, how, step: this.scheduler.step, atMs: this.scheduler.nowMs };
    this.trace.say("CHECKER", `${checker}: ${how}`);
  }

  /** A process under a name and an identity that no other ever had. */
  startProcess(version: "old" | "new"): void {
    this.#started += 1;
    const { seed, seams = {}, kubeOver } = this.options;
    const name = `mgr-${this.#started}`;
    const random = streamOf(seed, name);
    const process = new SimProcess({
      name,
      identity: name,
      version,
      scheduler: this.scheduler,
      startMs,
      rate: 1 + (random.next() - 0.5) * 0.02,
    });
    this.trace.say(name, `starts, ${version} version`);
    const token = `${canaryPrefix}token-${name}`;
    this.#users.set(token, { username: name, uid: name, groups: ["system:masters"] });
    const log = simLog(process, this.trace, this.board);
    const features = this.jobs.flatMap((job) => job.features(process));
    const transport = kubeLink({
      process,
      api: this.api,
      token,
      space: this.#space,
      judge: this.#judge,
      latencyMs: () => between(this.#schedule, 0, 8),
      objectAt: (resource, key) => this.mirror.objectAt(resource, key),
    });
    const running = startManager({
      process,
      transport,
      kubeOver,
      random,
      log,
      timings: this.#timings,
      seams,
      features: (seams.features?.(features, process, log) ?? features).map((feature) =>
        instrumentFeature(feature, process, this.board, random),
      ),
    });
    this.managers = [...this.managers, running];
  }

  processes(): readonly SimProcess[] {
    return this.managers.map(({ process }) => process).filter(({ alive }) => alive);
  }

  leader(): SimProcess | undefined {
    const holder = this.view.lease()?.holder;
    return this.processes().find(({ identity }) => identity === holder);
  }

  kill(process: SimProcess, why: string): void {
    if (!process.alive) return;
    this.trace.say(process.name, `dies: ${why}`);
    process.kill();
    this.managers = this.managers.filter((running) => running.process !== process);
    this.startLater();
  }

  /** With grace: it drains, gives the Lease back and ends. */
  replace(process: SimProcess): void {
    const running = this.managers.find((each) => each.process === process);
    if (running === undefined) return;
    this.managers = this.managers.filter((each) => each !== running);
    this.trace.say(process.name, "is told to stop");
    void running.manager.stop().then(() => {
      this.trace.say(process.name, "has stopped");
      process.kill();
    });
    this.startLater();
  }

  startLater(): void {
    this.scheduler.after(between(this.#schedule, 200, 8_000), undefined, () =>
      this.startProcess(this.healed || chance(this.#schedule, 0.8) ? "new" : "old"),
    );
  }

  /** Storage as it was; what nobody remembers now is said. */
  restore(backup: ReturnType<FakeKubeApi["backup"]>): void {
    const before = this.mirror.uids();
    this.api.restore(backup);
    this.mirror.reread();
    this.#restoredAtMs = this.scheduler.nowMs;
    for (const uid of [...before, ...this.mirror.uids()]) this.lostUids.add(uid);
    this.trace.say("etcd", `restored, revision ${backup.revision}`);
    this.board.tell("restored", {});
  }

  /** As a manager leaves it that stopped with grace. */
  async leaveLease(): Promise<void> {
    const spec = { leaseDurationSeconds: 1, leaseTransitions: 1 };
    await this.kube.create(leases, {
      apiVersion: apiVersionOf(leases),
      kind: leases.kind,
      metadata: leaseRef,
      spec,
    } as KubeObject);
  }

  async deleteLease(): Promise<void> {
    try {
      await this.kube.delete(leases, leaseRef);
      this.trace.say("somebody", "deletes the Lease");
    } catch (error) {
      if (!isKubeError(error, "NotFound")) throw error;
    }
  }

  struck(fault: string, calls: Iterable<PortCall>): void {
    count(this.coverage.faults, fault);
    for (const { purpose } of calls) count(this.coverage.met, `${purpose}|${fault}`);
  }

  #noteLeader({ purpose, verb, process }: PortCall, status: number): void {
    if (purpose !== "lease" || verb !== "PATCH" || status >= 300) return;
    const holder = this.view.lease()?.holder ?? "";
    this.#leading = holder === "" ? `nobody (${process.identity} gave it back)` : holder;
  }

  #worldClock(): Clock {
    return {
      nowMs: () => startMs + this.scheduler.nowMs,
      monotonicMs: () => this.scheduler.nowMs,
      after: (delayMs, callback) => this.scheduler.after(delayMs, undefined, callback),
    };
  }

  #makeView(): WorldView {
    const key = `${leaseRef.namespace}/${leaseRef.name}`;
    return {
      on: (type, listener) => this.board.on(type, listener),
      nowMs: () => this.scheduler.nowMs,
      lease: () => this.mirror.lease(key),
      objectAt: (resource, objectKey) => this.mirror.objectAt(resource, objectKey),
      objects: (resource) => this.mirror.objects(resource),
      leading: () => this.#leading,
      restoredAtMs: () => this.#restoredAtMs,
      isQuiet: () => this.quiet,
    };
  }

  #makeSpace(): Airspace {
    return {
      scheduler: this.scheduler,
      trace: this.trace,
      board: this.board,
      onTheWay: this.onTheWay,
      isAway: (port) => (this.awayUntilMs.get(port) ?? 0) > this.scheduler.nowMs,
      kill: (call, fault) => {
        if (!call.process.alive) return;
        this.struck(fault, [call]);
        this.kill(call.process, `${fault} of ${call.verb} ${call.target} for ${call.purpose}`);
      },
      stop: ({ process }, ms) => this.pause(process, ms),
      meddle: async (call) => {
        if (!this.healed) await meddle(this.kube, this.trace, call);
      },
    };
  }

  pause(process: SimProcess, ms: number): void {
    if (process.paused) return;
    this.trace.say(process.name, `is stopped for ${ms} ms`);
    process.pause();
    this.scheduler.after(ms, undefined, () => {
      this.trace.say(process.name, "continues");
      process.resume();
    });
  }
}
