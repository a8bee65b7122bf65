// Writes Events. An Event that is recorded again becomes a series with a count; Events of an object beyond its rate limit are written
// together (event-overflow.ts); memory is bounded. It never blocks or fails a reconcile: what cannot be written is counted and dropped.

import { coreEvents } from "../../apis/kube/builtin-kinds.ts";
import { formatRef, refOf } from "../../apis/kube/kube-object.ts";
import { explainError } from "../../core/explain.ts";
import { isKubeError } from "../../core/kube-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Fence, Kube } from "../../ports/kube.ts";
import type { Log } from "../../ports/log.ts";
import type { Random } from "../../ports/random.ts";
import {
  eventName,
  eventNamespace,
  eventObject,
  eventUpdate,
  type ReportedEvent,
  type Reporter,
  seriesKey,
  slimEvent,
} from "./event-object.ts";
import { EventOverflow } from "./event-overflow.ts";
import { PreferredVersions } from "./preferred-versions.ts";
import { TokenBuckets } from "./token-buckets.ts";

export type DropReason = "queue-full" | "not-leading" | "api-error";

export interface EventRecorderOptions {
  /** Fenced: only a leader writes Events. */
  readonly kube: Kube;
  readonly fence: Fence;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly reporter: Reporter;
  readonly onDropped?: (reason: DropReason) => void;
}

interface Series {
  readonly key: string;
  readonly event: ReportedEvent;
  readonly name: string;
  count: number;
  /** The count the server has; zero: it has no such Event. */
  writtenCount: number;
  lastRecordedMs: number;
  lastWrittenMs: number;
  queued: boolean;
}

/** After a pause of this length a new series begins, as in Kubernetes' own recorder. */
const seriesPauseMs = 6 * 60_000;
/** Between two updates of one series: doubles with the count, up to this. */
const maxUpdateGapMs = 5 * 60_000;
const maxSeries = 4_096;
const maxQueued = 1_000;
/** Creating a cluster of three zones with three ports takes about fifty changes with an Event each; those above this are written together. */
const burst = 100;
const refillMs = 60_000;
const callDeadlineMs = 5_000;

export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #buckets: TokenBuckets;
  /** In the order of last use. */
  readonly #series = new Map<string, Series>();
  readonly #queue: Series[] = [];
  readonly #overflow: EventOverflow;
  /** Objects whose last Event was beyond the limit: logged once, until one of their Events is written by itself again. */
  readonly #rateLimited = new Set<string>();
  readonly #preferred: PreferredVersions;
  #pumping: Promise<void> | undefined;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    const { clock, kube } = options;
    this.#preferred = new PreferredVersions({ clock, kube, deadlineMs: callDeadlineMs });
    this.#buckets = new TokenBuckets({ clock, burst, refillMs, maxBuckets: maxSeries });
    const write = (event: ReportedEvent) => this.#writeOnce(event);
    this.#overflow = new EventOverflow({ clock, intervalMs: refillMs, maxGroups: maxSeries, write });
  }

  record(event: ReportedEvent): void {
    if (this.#options.fence.remainingMs() <= 0) return this.#drop("not-leading");
    const series = this.#seriesOf(event);
    series.count += 1;
    series.lastRecordedMs = this.#options.clock.monotonicMs();
    if (series.queued) return;
    const gapMs = series.writtenCount === 0 ? 0 : Math.min(maxUpdateGapMs, 1_000 * series.writtenCount);
    const waitMs = series.writtenCount === 0 ? 0 : series.lastWrittenMs + gapMs - series.lastRecordedMs;
    series.queued = true;
    if (waitMs <= 0) this.#enqueue(series);
    else this.#options.clock.after(waitMs, () => this.#enqueue(series));
  }

  /** Series that an equal Event would continue. */
  get remembered(): number {
    return this.#series.size;
  }

  /** Resolves when everything that is due by now has been written. */
  async flush(): Promise<void> {
    await this.#pumping;
  }

  #seriesOf(event: ReportedEvent): Series {
    const key = seriesKey(event, this.#options.reporter);
    const nowMs = this.#options.clock.monotonicMs();
    const known = this.#series.get(key);
    this.#series.delete(key);
    const continues = known !== undefined && nowMs - known.lastRecordedMs < seriesPauseMs;
    const series = continues ? known : this.#newSeries(key, event, nowMs);
    this.#series.set(key, series);
    this.#forgetOldest(nowMs);
    return series;
  }

  #forgetOldest(nowMs: number): void {
    for (const [key, { lastRecordedMs }] of this.#series) {
      if (this.#series.size <= maxSeries && nowMs - lastRecordedMs < seriesPauseMs) return;
      this.#series.delete(key);
    }
  }

  #newSeries(key: string, event: ReportedEvent, nowMs: number): Series {
    const name = eventName(event.regarding, this.#options.random.uuid());
    return {
      key,
      event: slimEvent(event),
      name,
      count: 0,
      writtenCount: 0,
      lastRecordedMs: nowMs,
      lastWrittenMs: nowMs,
      queued: false,
    };
  }

  #enqueue(series: Series): void {
    const { regarding } = series.event;
    const object = `${regarding.kind} ${regarding.metadata.uid ?? regarding.metadata.name}`;
    const allowed = this.#buckets.take(object);
    if (allowed) this.#rateLimited.delete(object);
    else this.#logRateLimited(object, series.event);
    if (allowed && this.#queue.length < maxQueued) return this.#push(series);
    // A series goes on in the Event that it has, later.
    if (series.writtenCount > 0) return void this.#options.clock.after(refillMs, () => this.#enqueue(series));
    series.queued = false;
    series.count = 0;
    if (!this.#overflow.add(object, series.event)) this.#drop("queue-full");
  }

  #push(series: Series): void {
    this.#queue.push(series);
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = undefined;
    });
  }

  /** Beyond the limit and no part of a series: the overflow has a limit of its own. */
  #writeOnce(event: ReportedEvent): void {
    const series = this.#newSeries("", event, this.#options.clock.monotonicMs());
    series.count = 1;
    this.#push(series);
  }

  async #pump(): Promise<void> {
    // Recording never runs a call on the recorder's own stack.
    await Promise.resolve();
    for (let series = this.#queue.shift(); series !== undefined; series = this.#queue.shift()) {
      series.queued = false;
      try {
        await this.#write(series);
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  async #write(series: Series): Promise<void> {
    const { clock } = this.#options;
    const { count } = series;
    if (count === series.writtenCount) return;
    if (series.writtenCount === 0) await this.#create(series);
    else await this.#update(series, count);
    series.writtenCount = series.writtenCount === 0 ? 1 : count;
    series.lastWrittenMs = clock.monotonicMs();
    // It was recorded again while it was being written.
    if (series.count > series.writtenCount && !series.queued) {
      series.queued = true;
      clock.after(1_000 * series.writtenCount, () => this.#enqueue(series));
    }
  }

  async #create(series: Series): Promise<void> {
    const { kube, reporter, clock } = this.#options;
    const apiVersion = this.#preferred.known(series.event.regarding);
    const event =
      apiVersion === series.event.regarding.apiVersion ? series.event : await this.#asPreferred(series.event);
    const object = eventObject(event, reporter, series.name, clock.nowMs());
    try {
      await kube.create(coreEvents, object, { deadlineMs: callDeadlineMs });
    } catch (error) {
      // An earlier try succeeded, although its answer was lost.
      if (!isKubeError(error, "AlreadyExists")) throw error;
    }
  }

  /** In the version that kubectl prefers: `kubectl events --for` finds no other. */
  async #asPreferred(event: ReportedEvent): Promise<ReportedEvent> {
    const apiVersion = await this.#preferred.ask(event.regarding);
    return { ...event, regarding: { ...event.regarding, apiVersion } };
  }

  async #update(series: Series, count: number): Promise<void> {
    const { kube, clock } = this.#options;
    const ref = { name: series.name, namespace: eventNamespace(series.event.regarding) };
    const body = eventUpdate(count, clock.nowMs());
    try {
      await kube.patch(coreEvents, ref, { type: "merge", body }, { deadlineMs: callDeadlineMs });
    } catch (error) {
      if (!isKubeError(error, "NotFound")) throw error;
      // Events expire; the series goes on in a new one.
      await this.#create(series);
    }
  }

  #failed(error: unknown): void {
    const { reason, text } = explainError(error);
    this.#drop(reason === "LeadershipLost" ? "not-leading" : "api-error");
    this.#options.log.debug("event not written", { reason, message: text });
  }

  #logRateLimited(object: string, { regarding }: ReportedEvent): void {
    if (this.#rateLimited.has(object)) return;
    if (this.#rateLimited.size >= maxSeries) this.#rateLimited.clear();
    this.#rateLimited.add(object);
    const key = `${regarding.kind} ${formatRef(refOf(regarding))}`;
    this.#options.log.warn("events of an object are rate-limited", {
      object: key,
      burst,
      refillSeconds: refillMs / 1_000,
    });
  }

  #drop(reason: DropReason): void {
    this.#options.onDropped?.(reason);
  }
}
