// What the latest round decided about DNS records, for the next one, which otherwise reads it from status: where status cannot be written,
// a zone that is dead leaves the records all the same. Status counts as soon as it shows anything else than that round found there: then
// somebody wrote it, mostly we. And what no status tells: which addresses the records named, and since when balancers have been away.

import { formatRef } from "../../../apis/kube/kube-object.ts";
import type { MonotonicMs, WallMs } from "../../../core/clock-times.ts";
import { present } from "../../../core/present.ts";
import { type AwayBefore, rememberAway } from "../core/balancer/away-since.ts";
import { rememberNamed } from "../core/dns/named-addresses.ts";
import type { EndpointObserved, NamedBefore, RecordedEndpoint, RecordedZoneDns } from "../core/model/observed.ts";
import type { EndpointReport } from "../core/status.ts";

interface Remembered {
  readonly uid: string;
  /** In status, as that round read it. */
  readonly found: string;
  readonly dns: readonly RecordedZoneDns[];
  readonly named: NamedBefore;
  readonly awaySince: AwayBefore;
}

export class RoundMemory {
  /** By object. */
  readonly #remembered = new Map<string, Remembered>();
  readonly #deletions = new Map<string, { readonly uid: string; readonly beganMs: MonotonicMs }>();

  of(key: string, { object, recorded }: EndpointObserved): Pick<EndpointObserved, "dnsMemory" | "named" | "awaySince"> {
    const last = this.#of(key, object.uid);
    const isNews = last !== undefined && last.dns.length > 0 && last.found === textOf(recorded);
    return present({
      dnsMemory: isNews ? last.dns : undefined,
      named: last?.named,
      awaySince: last?.awaySince,
    });
  }

  remember(
    { intent, object: { uid }, recorded, monotonicMs }: EndpointObserved,
    report: Pick<EndpointReport, "dns" | "named" | "published" | "leaving" | "away">,
    nowMs: WallMs,
  ): void {
    const key = formatRef(intent.object);
    const before = this.#of(key, uid);
    const named = rememberNamed(before?.named, report, { nowMs, monotonicMs });
    const awaySince =
      report.away === undefined
        ? (before?.awaySince ?? new Map())
        : rememberAway(before?.awaySince, report.away, monotonicMs);
    this.#remembered.set(key, { uid, found: textOf(recorded), dns: report.dns, named, awaySince });
  }

  /** What the stamp of its deletion said when this process saw it first, and the time that has passed since: a clock that is set changes nothing. */
  deletingForMs(key: string, { object, monotonicMs }: EndpointObserved, nowMs: WallMs): number | undefined {
    const { uid, deletingSinceMs } = object;
    if (deletingSinceMs === undefined) return undefined;
    const known = this.#deletions.get(key);
    const began = known?.uid === uid ? known : { uid, beganMs: monotonicMs - Math.max(0, nowMs - deletingSinceMs) };
    this.#deletions.set(key, began);
    return monotonicMs - began.beganMs;
  }

  /** The object is gone. */
  forget(key: string): void {
    this.#remembered.delete(key);
    this.#deletions.delete(key);
  }

  /** Not of another object that had its name before. */
  #of(key: string, uid: string): Remembered | undefined {
    const last = this.#remembered.get(key);
    return last?.uid === uid ? last : undefined;
  }
}

/** The same in whatever order it was read. */
function textOf({ zones, single }: RecordedEndpoint): string {
  const entries = [{ zone: "", dns: single?.dns }, ...zones];
  const texts = entries.map(({ zone, dns }) => JSON.stringify([zone, dns?.addresses.toSorted(), dns?.badSinceMs]));
  return texts.toSorted().join();
}
