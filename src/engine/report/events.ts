// Tells people what happened, as Events: the same news again becomes a series with a count, an object that would flood is cut short,
// and memory is bounded. It never blocks or fails a reconcile: what cannot be told is counted and dropped.

import { events } from "../../apis/kube/builtin-kinds.ts";
import { formatRef, refOf } from "../../apis/kube/kube-object.ts";
import { kubeMicroTime } from "../../core/conditions.ts";
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
  type News,
  type Reporter,
  seriesKey,
  slimNews,
} from "./event-object.ts";
import { TokenBuckets } from "./token-buckets.ts";

export type DropReason = "rate-limited" | "queue-full" | "not-leading" | "api-error";

export interface EventRecorderOptions {
  /** Fenced: only a leader speaks. */
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
  readonly news: News;
  readonly name: string;
  count: number;
  /** The count the server knows; zero: it has no such Event. */
  toldCount: number;
  lastSeenMs: number;
  lastToldMs: number;
  queued: boolean;
}

/** News that pauses this long begins a new series, as Kubernetes' own recorder does. */
const seriesPauseMs = 6 * 60_000;
/** Between two updates of one series: doubles with the count, up to this. */
const maxUpdateGapMs = 5 * 60_000;
const maxSeries = 4_096;
const maxQueued = 1_000;
/** A cluster of three zones with three ports is made in about fifty changes, each told; after so many an object is cut short. */
const burst = 100;
const refillMs = 60_000;
const callDeadlineMs = 5_000;

export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #buckets: TokenBuckets;
  /** In the order of last use. */
  readonly #series = new Map<string, Series>();
  readonly #queue: Series[] = [];
  /** Objects whose last news was dropped: said once until they may speak again. */
  readonly #cutShort = new Set<string>();
  #pumping: Promise<void> | undefined;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#buckets = new TokenBuckets({ clock: options.clock, burst, refillMs, maxBuckets: maxSeries });
  }

  record(news: News): void {
    if (this.#options.fence.remainingMs() <= 0) return this.#drop("not-leading");
    const series = this.#seriesOf(news);
    series.count += 1;
    series.lastSeenMs = this.#options.clock.monotonicMs();
    if (series.queued) return;
    const gapMs = series.toldCount === 0 ? 0 : Math.min(maxUpdateGapMs, 1_000 * series.toldCount);
    const waitMs = series.toldCount === 0 ? 0 : series.lastToldMs + gapMs - series.lastSeenMs;
    series.queued = true;
    if (waitMs <= 0) this.#enqueue(series);
    else this.#options.clock.after(waitMs, () => this.#enqueue(series));
  }

  /** Series that the same news would go on. */
  get remembered(): number {
    return this.#series.size;
  }

  /** Resolves when everything that can be told by now has been. */
  async flush(): Promise<void> {
    await this.#pumping;
  }

  #seriesOf(news: News): Series {
    const key = seriesKey(news, this.#options.reporter);
    const nowMs = this.#options.clock.monotonicMs();
    const known = this.#series.get(key);
    this.#series.delete(key);
    const goesOn = known !== undefined && nowMs - known.lastSeenMs < seriesPauseMs;
    const series = goesOn ? known : this.#newSeries(key, news, nowMs);
    this.#series.set(key, series);
    this.#forgetOldest(nowMs);
    return series;
  }

  #forgetOldest(nowMs: number): void {
    for (const [key, { lastSeenMs }] of this.#series) {
      if (this.#series.size <= maxSeries && nowMs - lastSeenMs < seriesPauseMs) return;
      this.#series.delete(key);
    }
  }

  #newSeries(key: string, news: News, nowMs: number): Series {
    const name = eventName(news.regarding, this.#options.random.uuid());
    return {
      key,
      news: slimNews(news),
      name,
      count: 0,
      toldCount: 0,
      lastSeenMs: nowMs,
      lastToldMs: nowMs,
      queued: false,
    };
  }

  #enqueue(series: Series): void {
    const { regarding } = series.news;
    const object = `${regarding.kind} ${regarding.metadata.uid ?? regarding.metadata.name}`;
    const allowed = this.#buckets.take(object);
    if (allowed) this.#cutShort.delete(object);
    else this.#sayCutShort(object, series.news);
    if (!allowed || this.#queue.length >= maxQueued) {
      series.queued = false;
      return this.#drop(allowed ? "queue-full" : "rate-limited");
    }
    this.#queue.push(series);
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = undefined;
    });
  }

  async #pump(): Promise<void> {
    // Recording never runs a call on the recorder's own stack.
    await Promise.resolve();
    for (let series = this.#queue.shift(); series !== undefined; series = this.#queue.shift()) {
      series.queued = false;
      try {
        await this.#tell(series);
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  async #tell(series: Series): Promise<void> {
    const { clock } = this.#options;
    const { count } = series;
    if (count === series.toldCount) return;
    if (series.toldCount === 0) await this.#create(series);
    else await this.#update(series, count);
    series.toldCount = series.toldCount === 0 ? 1 : count;
    series.lastToldMs = clock.monotonicMs();
    // It came again while its Event was being made.
    if (series.count > series.toldCount && !series.queued) {
      series.queued = true;
      clock.after(1_000 * series.toldCount, () => this.#enqueue(series));
    }
  }

  async #create(series: Series): Promise<void> {
    const { kube, reporter, clock } = this.#options;
    const object = eventObject(series.news, reporter, series.name, clock.nowMs());
    try {
      await kube.create(events, object, { deadlineMs: callDeadlineMs });
    } catch (error) {
      // An earlier try got through although its answer did not.
      if (!isKubeError(error, "AlreadyExists")) throw error;
    }
  }

  async #update(series: Series, count: number): Promise<void> {
    const { kube, clock } = this.#options;
    const ref = { name: series.name, namespace: eventNamespace(series.news.regarding) };
    const body = { series: { count, lastObservedTime: kubeMicroTime(clock.nowMs()) } };
    try {
      await kube.patch(events, ref, { type: "merge", body }, { deadlineMs: callDeadlineMs });
    } catch (error) {
      if (!isKubeError(error, "NotFound")) throw error;
      // Events expire; the series goes on in a new one.
      await this.#create(series);
    }
  }

  #failed(error: unknown): void {
    const told = explainError(error);
    this.#drop(told.reason === "LeadershipLost" ? "not-leading" : "api-error");
    this.#options.log.debug("event not written", { reason: told.reason, message: told.text });
  }

  #sayCutShort(object: string, { regarding }: News): void {
    if (this.#cutShort.has(object)) return;
    if (this.#cutShort.size >= maxSeries) this.#cutShort.clear();
    this.#cutShort.add(object);
    const key = `${regarding.kind} ${formatRef(refOf(regarding))}`;
    this.#options.log.warn("events cut short", { object: key, burst, refillSeconds: refillMs / 1_000 });
  }

  #drop(reason: DropReason): void {
    this.#options.onDropped?.(reason);
  }
}
