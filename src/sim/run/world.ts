// A whole system in one process and one seed: the fake API server, the systems of each job, several managers (fleet.ts), people, and
// faults. It puts the parts together; what happens when is the run's (run-seed.ts) and the scheduler's.

import type { Product } from "../../cli/product.ts";
import { present } from "../../core/present.ts";
import type { Kube } from "../../ports/kube.ts";
import type { Random } from "../../ports/random.ts";
import type { Checker, WorldView } from "../checkers/checker.ts";
import { type Mirror, mirrorOf } from "../checkers/mirror.ts";
import { secretMarkerOf } from "../checkers/secret-marker.ts";
import { createSimEvents, type SimEvents } from "../checkers/sim-events.ts";
import { outsideClock, viewOfWorld } from "../checkers/view-of-world.ts";
import { inProcessWebhooks } from "../fakes/kube/admission/in-process-webhooks.ts";
import type { CallWebhook } from "../fakes/kube/admission/webhook-call.ts";
import { createFakeKubeApi, type FakeKubeApi } from "../fakes/kube/api-server.ts";
import type { UserInfo } from "../fakes/kube/auth/user-info.ts";
import { callPlanner } from "../faults/call-planner.ts";
import type { DrawnFault } from "../faults/fault.ts";
import { Storage } from "../faults/storage.ts";
import { type PlanWatchEvent, watchEventPlanner } from "../faults/watch-event-planner.ts";
import type { Network, PlanCall } from "../network/network.ts";
import { networkOfWorld } from "../network/network-of-world.ts";
import type { PortCall, TurnedAway } from "../network/port-call.ts";
import { Fleet } from "../processes/fleet.ts";
import { LeaseWatch } from "../processes/lease-watch.ts";
import type { SimProcess } from "../processes/sim-process.ts";
import type { KubeOver, WorldOverrides } from "../processes/start-manager.ts";
import { streamOf } from "../time/derive-seed.ts";
import { Scheduler } from "../time/scheduler.ts";
import { startMs } from "../time/start-of-time.ts";
import { type Coverage, count, declareActions, emptyCoverage } from "./coverage.ts";
import { type Pace, paceOf } from "./pace.ts";
import type { JobInWorld, SimJob } from "./sim-job.ts";
import { createTrace, type Trace } from "./trace.ts";

export interface WorldOptions {
  readonly seed: number;
  readonly kubeOver: KubeOver;
  /** Lets every promise job run to its end: a turn of the event loop where there is one. */
  readonly settle: () => Promise<void>;
  readonly product: Product;
  readonly jobs: readonly SimJob[];
  readonly checkers: readonly Checker[];
  readonly faults: readonly DrawnFault[];
  readonly overrides?: WorldOverrides;
  /** How many lines of the trace are kept. */
  readonly keepLines?: number;
}

export interface Violation {
  readonly checker: string;
  readonly how: string;
  readonly step: number;
  readonly atMs: number;
}

const peopleToken = secretMarkerOf("token-people");

export class World {
  readonly options: WorldOptions;
  readonly scheduler: Scheduler;
  readonly events: SimEvents = createSimEvents();
  readonly trace: Trace;
  readonly api: FakeKubeApi;
  readonly kube: Kube;
  readonly lease: LeaseWatch;
  readonly storage: Storage;
  readonly fleet: Fleet;
  readonly jobs: readonly JobInWorld[];
  readonly coverage: Coverage = emptyCoverage();
  readonly awayUntilMs = new Map<string, number>();
  readonly onTheWay = new Set<PortCall>();
  violation: Violation | undefined;
  quiet = false;
  /** Faults have ended. */
  healed = false;
  /** One thing stays wrong, for long: since when, and which calls it turns away. */
  lastingSinceMs: number | undefined;
  refusing: ((call: PortCall) => TurnedAway | undefined) | undefined;
  readonly #schedule: Random;
  readonly #pace: Pace;
  readonly #planCall: PlanCall;
  readonly #mirror: Mirror;
  readonly #view: WorldView;
  readonly #network: Network;
  readonly #users = new Map<string, UserInfo>([
    [peopleToken, { username: "admin", uid: "admin", groups: ["system:masters"] }],
  ]);

  constructor(options: WorldOptions) {
    const { seed, settle, kubeOver, faults } = options;
    this.options = options;
    this.#pace = paceOf(seed, faults, () => this.healed);
    this.#schedule = streamOf(seed, "schedule");
    this.scheduler = new Scheduler({ random: this.#schedule, settle, afterStep: () => {} });
    const { scheduler, events } = this;
    const nowMs = (): number => scheduler.nowMs;
    const onFault = (fault: string, call: PortCall): void => this.countFault(fault, [call]);
    const planCall = callPlanner({ seed, faults, schedule: this.#schedule, nowMs, onFault });
    this.#planCall = (call) => ({ ...planCall(call), ...present({ turnedAway: this.refusing?.(call) }) });
    this.trace = createTrace({
      now: () => ({ step: scheduler.step, ms: nowMs() }),
      keep: options.keepLines ?? 200,
      onLine: (line) => events.emit("traced", { line }),
    });
    const { trace } = this;
    const clock = outsideClock(scheduler, startMs);
    const random = streamOf(seed, "api");
    let webhooks: CallWebhook | undefined;
    const callWebhook: CallWebhook = (call) => (webhooks ??= this.#webhooks())(call);
    const { bookmarkIntervalMs } = this.#pace;
    this.api = createFakeKubeApi({ clock, random, users: this.#users, bookmarkIntervalMs, callWebhook });
    const { api } = this;
    this.#mirror = mirrorOf(api, (change) => events.emit("changed", { change }));
    const log = { debug() {}, info() {}, warn() {}, error() {}, with: () => log };
    this.kube = kubeOver({ transport: api.transport(peopleToken), clock, log });
    this.lease = new LeaseWatch(this.kube, this.#mirror, trace, events);
    this.storage = new Storage({ api, mirror: this.#mirror, scheduler, trace, events, lease: this.lease });
    const { lease, storage } = this;
    this.#view = viewOfWorld({
      events,
      scheduler,
      mirror: this.#mirror,
      lease,
      storage,
      jobs: options.jobs,
      isQuiet: () => this.quiet,
      lastingSinceMs: () => this.lastingSinceMs,
    });
    this.#network = networkOfWorld(this);
    this.fleet = this.#makeFleet(watchEventPlanner({ seed, faults, nowMs }), onFault);
    this.jobs = this.#makeJobs();
    for (const checker of [...options.checkers, ...this.jobs.flatMap((job) => job.checkers)]) {
      checker.watch(this.#view, (how) => this.break(checker.name, how));
    }
    events.on("executed", ({ action }) => count(this.coverage.actions, action.kind));
  }

  break(checker: string, how: string): void {
    if (this.violation !== undefined) return;
    this.violation = { checker, how, step: this.scheduler.step, atMs: this.scheduler.nowMs };
    this.trace.write("CHECKER", `${checker}: ${how}`);
  }

  leader(): SimProcess | undefined {
    const holder = this.lease.seen()?.holder;
    return this.fleet.processes().find(({ identity }) => identity === holder);
  }

  countFault(fault: string, calls: Iterable<PortCall>): void {
    count(this.coverage.faults, fault);
    for (const { purpose } of calls) count(this.coverage.met, `${purpose}|${fault}`);
  }

  #webhooks(): CallWebhook {
    return inProcessWebhooks(Object.fromEntries(this.jobs.flatMap(({ webhooks = {} }) => Object.entries(webhooks))));
  }

  #makeFleet(planWatchEvent: PlanWatchEvent, onFault: (fault: string, call: PortCall) => void): Fleet {
    const { seed, overrides = {}, kubeOver } = this.options;
    const { scheduler, trace, events, api } = this;
    const objectAt = (resource: string, key: string) => this.#mirror.objectAt(resource, key);
    return new Fleet({
      seed,
      startMs,
      scheduler,
      schedule: this.#schedule,
      trace,
      events,
      overrides,
      kubeOver,
      metrics: this.options.product.jobs.map((job) => job.metrics),
      pace: this.#pace,
      link: { api, network: this.#network, planCall: this.#planCall, planWatchEvent, onFault, objectAt },
      features: (process) => {
        const features = this.jobs.flatMap((job) => job.features(process));
        for (const { executors } of features) declareActions(this.coverage, Object.keys(executors));
        return features;
      },
      admit: (token, user) => this.#users.set(token, user),
      isUpdated: () => this.healed,
    });
  }

  #makeJobs(): readonly JobInWorld[] {
    const { seed, jobs } = this.options;
    return jobs.map((job, index) =>
      job.inWorld({
        random: streamOf(seed, `job ${index}`),
        kube: this.kube,
        view: this.#view,
        network: this.#network,
        planCall: this.#planCall,
        secretMarker: secretMarkerOf,
        lostUids: this.storage.lostUids,
        isSlow: this.#pace.isSlow,
      }),
    );
  }
}
