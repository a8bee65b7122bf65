// The API server's storage as faults see it: backups as long as somebody may want one, and the restore of one of them. It happens once at
// most: a second restore could come back to revisions of the first.

import type { KubeObject } from "../../apis/kube/kube-object.ts";
import type { Mirror } from "../checkers/mirror.ts";
import type { SimEvents } from "../checkers/sim-events.ts";
import type { FakeKubeApi } from "../fakes/kube/api-server.ts";
import type { Backup } from "../fakes/kube/storage/object-store.ts";
import { type LeaseWatch, leaseKey, leaseResource } from "../processes/lease-watch.ts";
import type { Trace } from "../run/trace.ts";
import type { Scheduler } from "../time/scheduler.ts";

export interface StorageOptions {
  readonly api: FakeKubeApi;
  readonly mirror: Mirror;
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly events: SimEvents;
  readonly lease: LeaseWatch;
}

/** What revisions do after a restore: begin again below what caches have seen, or have grown past all of it before anybody looks. */
export type RevisionsAfter = "behind" | "overtaken";

/** What nobody writes to, no conflict can disprove: it heals with the next full list, at the end of a watch that began before its time. */
export const overtakenRelistMs = 60_000;
const overtakenSettlesMs = overtakenRelistMs + 130_000;
const backupEveryMs = 2_000;
/**
 * Others write, too. Without it a restored server that is written to would reach, within seconds, the very revisions that caches have
 * seen, and one number would stand for two states of one object. On a real cluster it takes as many writes as were lost.
 */
const writesBetweenBackups = 1_000;

export class Storage {
  /** Objects that lived through a restore. */
  readonly lostUids = new Set<string>();
  readonly #options: StorageOptions;
  readonly #backups: { readonly atMs: number; readonly backup: Backup }[] = [];
  #restoredAtMs = Number.NEGATIVE_INFINITY;
  #settledAtMs = 0;

  constructor(options: StorageOptions) {
    this.#options = options;
  }

  /** Minus infinity: never. */
  get restoredAtMs(): number {
    return this.#restoredAtMs;
  }

  /** From here on every cache has been listed anew, if only because it was time for it. */
  get settledAtMs(): number {
    return this.#settledAtMs;
  }

  keepBackups(until: () => boolean): void {
    const { api, scheduler } = this.#options;
    const make = (): void => {
      if (until() || this.#restoredAtMs > 0) return;
      this.#backups.push({ atMs: scheduler.nowMs, backup: api.backup() });
      api.advanceRevision(writesBetweenBackups);
      scheduler.after(backupEveryMs, undefined, make);
    };
    make();
  }

  /** False: there is no backup that is old enough and will do, or it was done before. What nobody remembers afterwards is noted. */
  restore(agoMs: number, revisions: RevisionsAfter): boolean {
    const { api, mirror, scheduler, trace, events, lease } = this.#options;
    const old = this.#backups.findLast(({ atMs }) => atMs <= scheduler.nowMs - agoMs);
    if (old === undefined || this.#restoredAtMs > 0 || !lease.mayGoBackTo(leaseIn(old.backup))) return false;
    const before = mirror.uids();
    const lost = api.backup().revision - old.backup.revision;
    api.restore(old.backup);
    if (revisions === "overtaken") api.advanceRevision(lost + writesBetweenBackups);
    mirror.reread();
    this.#restoredAtMs = scheduler.nowMs;
    if (revisions === "overtaken") this.#settledAtMs = scheduler.nowMs + overtakenSettlesMs;
    for (const uid of [...before, ...mirror.uids()]) this.lostUids.add(uid);
    trace.write(
      "etcd",
      `restored, revision ${old.backup.revision}${revisions === "overtaken" ? " and overtaken" : ""}`,
    );
    events.emit("restored", {});
    return true;
  }
}

function leaseIn({ objects }: Backup): KubeObject | undefined {
  return objects.get(leaseResource)?.get(leaseKey) as unknown as KubeObject | undefined;
}
