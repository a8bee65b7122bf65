// Leader election. At most one holder of a Lease has a fence above zero at any time, even when clocks differ or processes pause:
// - a holder counts from the monotonic moment its last successful renewal was *sent*, less a margin, so a late answer or a
//   paused process finds its fence at zero;
// - a candidate counts from the monotonic moment it first *read* a record, and takes the Lease only while that record is unchanged
//   (resource version), so that wall clocks do not matter.
// A lost lease ends its term for good; the process stays a candidate and may begin another term with a higher epoch.

import { leases } from "../../apis/kube/builtin-kinds.ts";
import { formatRef, type KubeObject, type ObjectRef } from "../../apis/kube/kube-object.ts";
import { invariant } from "../../core/errors.ts";
import { type Explanation, explainError } from "../../core/explain.ts";
import { isKubeError } from "../../core/kube-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Kube, Patch } from "../../ports/kube.ts";
import type { Log } from "../../ports/log.ts";
import type { Random } from "../../ports/random.ts";
import { sleep } from "../round/sleep.ts";
import { LeaderTerm, type Term } from "./leader-term.ts";
import {
  acquirePatch,
  decodeLease,
  type LeaseRecord,
  nextEpoch,
  releasePatch,
  renewPatch,
  unheldLease,
} from "./lease-record.ts";
import { defaultLeaseTimings, type LeaseTimings, leaseTimingProblems, ownedMs, retryJitter } from "./lease-timings.ts";

/** What a holder says of itself on the Lease, for the term of this epoch. */
export type LeaseAnnotations = (epoch: number) => Readonly<Record<string, string>>;

export interface LeaderLeaseOptions {
  /** Without a fence: the Lease decides about fences. */
  readonly kube: Kube;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly ref: ObjectRef;
  /** Of this process alone: a second process with the same identity would share the lease. */
  readonly identity: string;
  readonly timings?: LeaseTimings;
  readonly annotations?: LeaseAnnotations;
  /** A term began. Its signal aborts when it ends. Must not throw. */
  readonly onTerm: (term: Term) => void;
}

interface ObservedLease {
  readonly record: LeaseRecord;
  /** Monotonic time at which this record was first read. */
  readonly sinceMs: number;
}

export class LeaderLease {
  readonly #options: LeaderLeaseOptions;
  readonly #timings: LeaseTimings;
  readonly #stopping = new AbortController();
  #observed: ObservedLease | undefined;
  #highestEpoch = 0;
  #problem: Explanation | undefined;
  #term: LeaderTerm | undefined;
  #waitingFor: string | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: LeaderLeaseOptions) {
    this.#options = options;
    this.#timings = options.timings ?? defaultLeaseTimings;
    const problems = leaseTimingProblems(this.#timings);
    invariant(problems.length === 0, `lease ${formatRef(options.ref)}: ${problems.join("; ")}`);
  }

  /** The term under way, while this process leads. */
  get term(): Term | undefined {
    return this.#term?.signal.aborted === false ? this.#term : undefined;
  }

  /** Who holds the Lease, as last read; empty when nobody does. */
  get holder(): string {
    return this.#observed?.record.holder ?? "";
  }

  /** Why the Lease can neither be read nor taken; undefined while it can. Losing a race for it is no problem. */
  get problem(): string | undefined {
    return this.#problem === undefined ? undefined : `lease ${formatRef(this.#options.ref)}: ${this.#problem.text}`;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Ends the term, then gives the Lease back, so that a standby need not wait for it to expire. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    this.#endTerm("the manager stops");
    if (this.holder === this.#options.identity) await this.#release();
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#round();
      if (!(await sleep(this.#options.clock, this.#pauseMs(), this.#stopping.signal))) return;
    }
  }

  async #round(): Promise<void> {
    try {
      if (this.term !== undefined && this.#observed !== undefined) return await this.#renew(this.#observed.record);
      const record = await this.#read();
      if (this.#mayTake(record)) await this.#take(record);
      else this.#logHolder(record);
    } catch (error) {
      await this.#failed(error);
    }
  }

  async #renew(record: LeaseRecord): Promise<void> {
    const sentMs = await this.#write(renewPatch(record, this.#holding()));
    this.#term?.renewed(sentMs);
  }

  async #take(record: LeaseRecord): Promise<void> {
    const epoch = nextEpoch(record, this.#highestEpoch);
    const sentMs = await this.#write(acquirePatch(record, epoch, this.#holding(), this.#options.annotations?.(epoch)));
    this.#begin(epoch, sentMs);
  }

  /** A record that names us although we have no term (a reply was lost, or our term ran out) may be taken, with a new epoch. */
  #mayTake(record: LeaseRecord): boolean {
    // Storage was restored from a backup: the holder of the later epoch that we read before may still be writing.
    if (record.epoch < this.#highestEpoch) return this.#takeableInMs(record) <= 0;
    return record.released || record.holder === this.#options.identity || this.#takeableInMs(record) <= 0;
  }

  /** The longer duration counts, the holder's or ours. */
  #takeableInMs(record: LeaseRecord): number {
    const sinceMs = this.#observed?.sinceMs ?? this.#options.clock.monotonicMs();
    return sinceMs + Math.max(record.durationMs, this.#timings.durationMs) - this.#options.clock.monotonicMs();
  }

  /** Once for each holder: a standby that logs nothing looks broken. */
  #logHolder(record: LeaseRecord): void {
    if (this.#waitingFor === record.holder) return;
    this.#waitingFor = record.holder;
    this.#options.log.info("waiting to lead", {
      lease: formatRef(this.#options.ref),
      holder:
        record.holder === "" ? "nobody: the Lease is new, and an earlier holder may still be writing" : record.holder,
      takeableInSeconds: Math.ceil(this.#takeableInMs(record) / 1_000),
    });
  }

  /** Answers with the monotonic moment before the request was sent. */
  async #write(patch: Patch): Promise<number> {
    const sentMs = this.#options.clock.monotonicMs();
    this.#observe(await this.#options.kube.patch(leases, this.#options.ref, patch, this.#callOptions()));
    return sentMs;
  }

  async #read(): Promise<LeaseRecord> {
    const { kube, ref } = this.#options;
    try {
      return this.#observe(await kube.get(leases, ref, this.#callOptions()));
    } catch (error) {
      if (!isKubeError(error, "NotFound")) throw error;
      return this.#observe(await kube.create(leases, unheldLease(ref, this.#timings.durationMs), this.#callOptions()));
    }
  }

  #observe(lease: KubeObject): LeaseRecord {
    this.#problem = undefined;
    const record = decodeLease(lease);
    if (this.#observed?.record.resourceVersion !== record.resourceVersion) {
      this.#observed = { record, sinceMs: this.#options.clock.monotonicMs() };
    }
    this.#highestEpoch = Math.max(this.#highestEpoch, record.epoch);
    return record;
  }

  #begin(epoch: number, sentMs: number): void {
    if (this.#stopping.signal.aborted) return;
    const { clock, log, ref, identity, onTerm } = this.#options;
    const term = new LeaderTerm({
      clock,
      epoch,
      sentMs,
      ownedMs: ownedMs(this.#timings),
      renewDeadlineMs: this.#timings.renewDeadlineMs,
    });
    if (term.fence.remainingMs() <= 0) return term.end("the answer came too late");
    this.#term = term;
    this.#waitingFor = undefined;
    log.info("leading", { lease: formatRef(ref), identity, epoch });
    term.signal.addEventListener("abort", () => {
      const level = this.#stopping.signal.aborted ? "info" : "warn";
      log[level]("no longer leading", { lease: formatRef(ref), identity, epoch, why: term.endedBecause });
    });
    onTerm(term);
  }

  /** A conflict, or a Lease that is gone, means that somebody else changed it: it is read at once. Other failures are retried. */
  async #failed(error: unknown): Promise<void> {
    this.#logFailure(error);
    if (!isKubeError(error, "Conflict", "NotFound")) return;
    try {
      const record = await this.#read();
      if (record.holder !== this.#options.identity) this.#endTerm(`the Lease is held by "${record.holder}"`);
      else if (this.term !== undefined) await this.#renew(record);
    } catch (again) {
      this.#logFailure(again);
    }
  }

  /** As a warning once for each reason; a lost race is no problem. */
  #logFailure(error: unknown): void {
    const { log, ref } = this.#options;
    const problem = explainError(error);
    const { reason, text, runbook } = problem;
    const lostRace = reason === "WriteConflict";
    const isNew = !lostRace && reason !== this.#problem?.reason;
    log[isNew ? "warn" : "debug"]("lease not renewed or taken", {
      lease: formatRef(ref),
      reason,
      message: text,
      runbook,
    });
    if (!lostRace) this.#problem = problem;
  }

  #endTerm(why: string): void {
    this.#term?.end(why);
    this.#term = undefined;
  }

  async #release(): Promise<void> {
    const { kube, ref, clock, log, identity } = this.#options;
    const deadlineMs = this.#timings.retryMs;
    try {
      // Stopping may have aborted a renewal that still took effect, so that only the server knows the record to release.
      const record = decodeLease(await kube.get(leases, ref, { deadlineMs }));
      if (record.holder !== identity) return;
      await kube.patch(leases, ref, releasePatch(record, clock.nowMs()), { deadlineMs });
      log.info("lease released", { lease: formatRef(ref), identity });
    } catch (error) {
      log.warn("lease not released", { lease: formatRef(ref), message: explainError(error).text });
    }
  }

  #pauseMs(): number {
    const { retryMs } = this.#timings;
    const jitteredMs = retryMs * (1 + this.#options.random.next() * (retryJitter - 1));
    const record = this.#observed?.record;
    if (this.term !== undefined || record === undefined) return jitteredMs;
    const takeableInMs = this.#takeableInMs(record);
    return takeableInMs > 0 ? Math.min(jitteredMs, takeableInMs) : jitteredMs;
  }

  #holding(): { identity: string; durationMs: number; nowMs: number } {
    const { identity, clock } = this.#options;
    return { identity, durationMs: this.#timings.durationMs, nowMs: clock.nowMs() };
  }

  /** Two tries fit into the renew deadline even when the first gets no answer. */
  #callOptions(): { deadlineMs: number; signal: AbortSignal } {
    return { deadlineMs: this.#timings.renewDeadlineMs / 2, signal: this.#stopping.signal };
  }
}
