// How objects and their parts were in the last hour, remembered from what the manager sees. A process that starts anew begins with what the
// objects themselves say: since when a part is bad, and when their conditions last changed; and before that with what their Events say, for
// viewers who may read those. It holds reasons and no free text, so that it tells a viewer nothing that the object does not.

import {
  formatRef,
  type Kind,
  type KubeObject,
  type ObjectRef,
  refOf,
  resourceName,
} from "../../apis/kube/kube-object.ts";
import { conditionViews } from "../../core/views/condition-view.ts";
import { explained } from "../../core/views/explained.ts";
import { objectSummary } from "../../core/views/object-summary.ts";
import type { Health, Incident, ObjectSummary, PartRow, PartStrip, StateSpan } from "../../core/views/object-view.ts";
import { withRecalled } from "../../core/views/recalled-spans.ts";
import { recentSpans, withState } from "../../core/views/state-spans.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Insight, ShownKind } from "../../ports/insight.ts";
import { reportOn } from "./related-objects.ts";

/** Shorter ones are one failed attempt, and nothing that anybody has to hear of afterwards. */
const shortestIncidentMs = 5_000;
const rememberedMs = 60 * 60_000;
/** Of one object: one that comes and goes all the time is no news each time. */
const mostIncidents = 5;
const needAttention: readonly Health[] = ["unhealthy", "degraded", "refused", "unknown"];

interface Remembered {
  readonly parts: Map<string, readonly StateSpan[]>;
  open?: { readonly fromMs: number; reason: string };
  /** The latest first. */
  closed: readonly Incident[];
}

export class RecentStates {
  readonly #insight: Insight;
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #objects = new Map<string, Remembered>();
  readonly #unsubscribe: () => void;

  constructor(insight: Insight, clock: Pick<Clock, "nowMs">) {
    this.#insight = insight;
    this.#clock = clock;
    this.#unsubscribe = insight.subscribe((change) => {
      if (change.type === "object") this.#look(change.kind, change.ref);
      if (change.type === "all") this.#lookAtAll();
    });
    this.#lookAtAll();
  }

  /** `events` are those about the object that the viewer may read. */
  stripsOf(kind: Kind, ref: ObjectRef, events: readonly KubeObject[]): readonly PartStrip[] {
    const nowMs = this.#clock.nowMs();
    const uid = this.#insight.object(kind, ref)?.metadata.uid;
    const own = events.filter((event) => isAbout(event, uid));
    const parts = this.#objects.get(keyOf(kind, ref))?.parts ?? new Map<string, readonly StateSpan[]>();
    return [...parts].map(([name, spans]) => ({ name, spans: recentSpans(withRecalled(name, spans, own), nowMs) }));
  }

  /** Those of the last hour that are over, the latest first; undefined: there was none. */
  incidentsOf(kind: Kind, ref: ObjectRef): readonly Incident[] | undefined {
    const beginMs = this.#clock.nowMs() - rememberedMs;
    const recent = this.#objects.get(keyOf(kind, ref))?.closed.filter(({ to }) => Date.parse(to) > beginMs) ?? [];
    return recent.length === 0 ? undefined : recent;
  }

  close(): void {
    this.#unsubscribe();
  }

  #lookAtAll(): void {
    for (const { kind } of this.#insight.shown)
      for (const object of this.#insight.objectsOf(kind)) this.#look(kind, refOf(object));
  }

  #look(kind: Kind, ref: ObjectRef): void {
    const key = keyOf(kind, ref);
    const shown = this.#insight.shown.find((one) => resourceName(one.kind) === resourceName(kind));
    const object = shown === undefined ? undefined : this.#insight.object(shown.kind, ref);
    if (shown === undefined || object === undefined) {
      this.#objects.delete(key);
      return;
    }
    const remembered = this.#objects.get(key) ?? { parts: new Map(), closed: [] };
    this.#objects.set(key, remembered);
    this.#rememberParts(remembered, shown, object);
    this.#rememberHealth(remembered, this.#summaryOf(shown, object));
  }

  #rememberParts({ parts }: Remembered, shown: ShownKind, object: KubeObject): void {
    const rows = shown.parts?.(object)?.table.rows ?? [];
    for (const name of parts.keys()) if (!rows.some((row) => row.name === name)) parts.delete(name);
    const nowMs = this.#clock.nowMs();
    for (const row of rows) {
      const { name, health, withdrawn } = row;
      const state = { health, ...(withdrawn === undefined ? {} : { withdrawn }) };
      parts.set(name, withState(parts.get(name) ?? [], state, nowMs, sinceMs(row, object, shown)));
    }
  }

  #rememberHealth(remembered: Remembered, { health, reason }: ObjectSummary): void {
    const nowMs = this.#clock.nowMs();
    const { open } = remembered;
    if (needAttention.includes(health) && reason !== undefined) {
      if (open === undefined) remembered.open = { fromMs: nowMs, reason };
      else open.reason = reason;
      return;
    }
    delete remembered.open;
    if (open === undefined || nowMs - open.fromMs < shortestIncidentMs) return;
    const { summary } = explained(open.reason);
    const [from, to] = [open.fromMs, nowMs].map((ms) => new Date(ms).toISOString());
    const incident = { from: from ?? "", to: to ?? "", reason: open.reason, summary };
    remembered.closed = [incident, ...remembered.closed].slice(0, mostIncidents);
  }

  #summaryOf(
    { kind, controllers, unclaimed, parts, badWhenTrue, headline }: ShownKind,
    object: KubeObject,
  ): ObjectSummary {
    return objectSummary({
      kind,
      object,
      controllers,
      report: reportOn(this.#insight, kind, refOf(object))?.object,
      plans: this.#insight.plansFor(kind, refOf(object)),
      unclaimed: unclaimed?.(object),
      parts: parts?.(object),
      badWhenTrue,
      headline,
    });
  }
}

function keyOf(kind: Kind, ref: ObjectRef): string {
  return `${resourceName(kind)} ${formatRef(ref)}`;
}

/** Not about an object of the same name that is gone. */
function isAbout(event: KubeObject, uid: string | undefined): boolean {
  const { regarding } = event as KubeObject & { readonly regarding?: { readonly uid?: string } };
  return regarding?.uid === undefined || uid === undefined || regarding.uid === uid;
}

/** Where every condition is good, nothing was wrong since the last of them changed. */
function sinceMs({ health, since }: PartRow, object: KubeObject, { badWhenTrue }: ShownKind): number | undefined {
  if (since !== undefined) return Date.parse(since);
  const conditions = conditionViews(object, badWhenTrue);
  if (health !== "healthy" || conditions.length === 0 || !conditions.every(({ good }) => good)) return undefined;
  return Math.max(...conditions.map((condition) => Date.parse(condition.since)));
}
