// Starts and stops caches, leader election and controllers in order. Caches always run, so that a standby is ready; controllers run only
// while this manager leads. A manager that loses its lease stays a candidate for the next term.

import { type ObjectRef, resourceName } from "../apis/kube/kube-object.ts";
import type { Guard } from "../core/guards.ts";
import type { Clock } from "../ports/clock.ts";
import type { Kube } from "../ports/kube.ts";
import type { Log } from "../ports/log.ts";
import type { Random } from "../ports/random.ts";
import { Controller } from "./controller.ts";
import type { Feature } from "./feature.ts";
import { FeatureCaches } from "./informer/feature-caches.ts";
import { Informers, type InformersOptions } from "./informer/informers.ts";
import type { WatchScope } from "./informer/watch-filter.ts";
import { fencedKube } from "./lease/fenced-kube.ts";
import { LeaderLease, type LeaseAnnotations } from "./lease/leader-lease.ts";
import { soleTerm, type Term } from "./lease/leader-term.ts";
import type { LeaseTimings } from "./lease/lease-timings.ts";
import { EventRecorder } from "./report/events.ts";
import type { Metrics } from "./report/metrics.ts";
import type { PlanJournal } from "./report/plan-journal.ts";
import { LanesUnderWay } from "./round/lanes-under-way.ts";
import { OverdueRuns } from "./round/overdue-runs.ts";

export interface ManagerOptions {
  readonly kube: Kube;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly features: readonly Feature[];
  /** Of this process alone. */
  readonly identity: string;
  readonly scope?: WatchScope;
  /** Absent: this manager runs alone and leads from the start. */
  readonly lease?: {
    readonly ref: ObjectRef;
    readonly timings?: LeaseTimings;
    readonly annotations?: LeaseAnnotations;
    /** A client of its own, so that no burst of other calls delays a renewal. */
    readonly kube?: Kube;
  };
  readonly guardOf: (feature: string) => Guard;
  readonly concurrencyOf?: (feature: string) => number | undefined;
  readonly informers?: Partial<Pick<InformersOptions, "timings" | "streaming" | "pageSize">>;
  readonly drainMs?: number;
  /** Records plans and outcomes for the read API. */
  readonly journal?: Pick<PlanJournal, "record">;
  /** A term of this manager began or ended. */
  readonly onLeading?: (leading: boolean) => void;
}

export interface ManagerReadiness {
  readonly ready: boolean;
  /** One line per thing that is missing, optional ones included and marked. */
  readonly missing: readonly string[];
}

export interface Member {
  readonly feature: Feature;
  readonly caches: FeatureCaches;
  readonly overdue: OverdueRuns;
  readonly lanes: LanesUnderWay;
}

export class Manager {
  readonly #options: ManagerOptions;
  readonly #informers: Informers;
  readonly #lease: LeaderLease | undefined;
  readonly #stopping = new AbortController();
  /** Ends the one term of a manager without a lease. */
  readonly #alone = new AbortController();
  #members: readonly Member[] = [];
  #running:
    | { readonly term: Term; readonly controllers: readonly Controller[]; readonly recorders: readonly EventRecorder[] }
    | undefined;
  /** Terms follow each other: the next begins when the last one's controllers have stopped. */
  #handover: Promise<unknown> = Promise.resolve();
  #elected = false;

  constructor(options: ManagerOptions) {
    const { kube, clock, random, log, metrics, lease, identity } = options;
    this.#options = options;
    this.#informers = new Informers({
      kube,
      clock,
      random,
      log,
      observer: informerMetrics(metrics),
      ...options.informers,
    });
    if (lease !== undefined) {
      this.#lease = new LeaderLease({
        kube,
        clock,
        random,
        log,
        identity,
        ...lease,
        onTerm: (term) => this.#begin(term),
      });
    }
  }

  get term(): Term | undefined {
    return this.#running?.term.signal.aborted === false ? this.#running.term : undefined;
  }

  /** Who leads, as far as this manager knows; empty when nobody does. */
  get leader(): string {
    return this.term !== undefined ? this.#options.identity : (this.#lease?.holder ?? "");
  }

  /** Its features and their caches, once it has been started. */
  get members(): readonly Member[] {
    return this.#members;
  }

  start(): void {
    const { features, scope = {}, metrics } = this.#options;
    this.#members = features.map((feature) => ({
      feature,
      caches: new FeatureCaches(feature, this.#informers, scope),
      overdue: new OverdueRuns(),
      lanes: new LanesUnderWay(),
    }));
    for (const { informer } of this.#members.flatMap(({ caches }) => caches.watched)) {
      informer.onStateChange((state) => {
        metrics.cacheReady.set({ kind: resourceName(informer.kind) }, state === "synced" ? 1 : 0);
        this.#standWhenReady();
      });
    }
    this.#standWhenReady();
  }

  /** Queues first, then what they had begun, then the lease, and the caches last. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#handover;
    await this.#end();
    this.#alone.abort();
    await this.#lease?.stop();
    await this.#informers.stop();
  }

  readiness(): ManagerReadiness {
    const needed = new Set(
      this.#members.flatMap(({ caches }) =>
        caches.watched.filter(({ watch }) => watch.optional !== true).map(({ informer }) => informer),
      ),
    );
    const all = new Set(this.#members.flatMap(({ caches }) => caches.watched.map(({ informer }) => informer)));
    const unready = [...all].filter((informer) => !informer.readiness().ready);
    const missing = unready.map(
      (informer) => `${informer.readiness().message}${needed.has(informer) ? "" : " (optional)"}`,
    );
    // A leader survives a failed renewal or two; a standby that cannot take the Lease is not ready.
    const leaseProblem = this.term === undefined ? this.#lease?.problem : undefined;
    if (leaseProblem !== undefined) missing.push(leaseProblem);
    const lacksKinds = unready.some((informer) => needed.has(informer));
    return { ready: this.#members.length > 0 && !lacksKinds && leaseProblem === undefined, missing };
  }

  /**
   * When every kind has been asked for and one feature can work. Earlier, a candidate could win and do nothing; later, one whose kind
   * can never be listed would never stand for election.
   */
  #standWhenReady(): void {
    if (this.#elected || this.#stopping.signal.aborted) return;
    const asked = this.#members.flatMap(({ caches }) => caches.watched);
    if (asked.some(({ informer }) => informer.state === "pending")) return;
    if (!this.#members.some(({ caches }) => caches.settled())) return;
    this.#elected = true;
    if (this.#lease === undefined) this.#begin(soleTerm(this.#alone.signal));
    else this.#lease.start();
  }

  #begin(term: Term): void {
    const { metrics } = this.#options;
    metrics.leading.set(1);
    metrics.epoch.set(term.epoch);
    term.signal.addEventListener("abort", () => {
      metrics.leading.set(0);
      this.#options.onLeading?.(false);
      this.#handover = this.#handover.then(() => this.#end(term));
    });
    this.#handover = this.#handover.then(() => this.#startControllers(term));
  }

  #startControllers(term: Term): void {
    if (term.signal.aborted || this.#stopping.signal.aborted) return;
    const made = this.#members.map((member) => this.#controllerOf(member, term));
    this.#running = {
      term,
      controllers: made.map(([controller]) => controller),
      recorders: made.map(([, recorder]) => recorder),
    };
    this.#options.onLeading?.(true);
    for (const controller of this.#running.controllers) controller.start();
  }

  #controllerOf({ feature, caches, overdue, lanes }: Member, term: Term): readonly [Controller, EventRecorder] {
    const { kube, clock, random, log, metrics, identity, guardOf, concurrencyOf } = this.#options;
    const recorder = new EventRecorder({
      kube: fencedKube(kube, term),
      fence: term.fence,
      clock,
      random,
      log,
      reporter: { controller: `mainstay.dev/${feature.name}`, instance: identity },
      onDropped: (reason) => metrics.eventsDropped.inc({ reason }),
    });
    const guard = guardOf(feature.name);
    const concurrency = concurrencyOf?.(feature.name);
    const controller = new Controller({
      feature,
      kube,
      term,
      clock,
      random,
      log,
      metrics,
      guard,
      caches,
      recorder,
      concurrency,
      overdue,
      lanes,
      journal: this.#options.journal,
    });
    return [controller, recorder];
  }

  /** The rounds of a lost term are not waited for: its fence is at zero, so that they can write nothing and end by themselves. */
  async #end(lost?: Term): Promise<void> {
    const running = this.#running;
    if (running === undefined || (lost !== undefined && running.term !== lost)) return;
    const deadlineMs = running.term.signal.aborted ? 0 : (this.#options.drainMs ?? 10_000);
    const drained = await Promise.all(running.controllers.map((controller) => controller.stop({ deadlineMs })));
    if (!running.term.signal.aborted) await Promise.all(running.recorders.map((recorder) => recorder.flush()));
    if (drained.includes(false))
      this.#options.log.warn("controllers stopped before their work was done", { term: running.term.epoch });
    if (this.#running === running) this.#running = undefined;
  }
}

function informerMetrics(metrics: Metrics): NonNullable<InformersOptions["observer"]> {
  return {
    restarted: (kind, reason) => metrics.watchRestarts.inc({ kind: resourceName(kind), reason }),
    handlerThrew: (kind) => metrics.handlerErrors.inc({ kind: resourceName(kind) }),
  };
}
