// The world as one viewer may see it. An object is shown to whoever may list its kind where it lies. Free text of plans and log goes only
// to those who may list everything the controller reads; the others get the closed table's words, which name nothing.

import { events } from "../apis/builtin-kinds.ts";
import {
  apiVersionOf,
  formatRef,
  type Kind,
  type KubeObject,
  type ObjectRef,
  refOf,
  resourceName,
} from "../apis/kube-object.ts";
import type { LogRecord, PlanRecord } from "../core/plan-record.ts";
import { objectDetail, objectSummary } from "../core/views/object-summary.ts";
import type { ObjectDetail, ObjectSummary, PlanLogEntry, Relation, RelationView } from "../core/views/object-view.ts";
import { logEntry, objectId, reducedLog, reducedPlan } from "../core/views/plan-view.ts";
import type { Insight, ShownKind } from "../ports/insight.ts";
import type { Viewer } from "./access.ts";
import { ApiFailure } from "./api-failure.ts";
import type { ObjectsAnswer } from "./contract.ts";

const historyLength = 50;

export class ViewerWorld {
  readonly #insight: Insight;
  readonly #viewer: Viewer;

  constructor(insight: Insight, viewer: Viewer) {
    this.#insight = insight;
    this.#viewer = viewer;
  }

  async objects(): Promise<ObjectsAnswer> {
    const objects: ObjectSummary[] = [];
    const hiddenKinds: string[] = [];
    for (const shown of this.#insight.shown) {
      if (!(await this.#viewer.mayList(shown.kind))) hiddenKinds.push(resourceName(shown.kind));
      for (const object of this.#insight.objectsOf(shown.kind)) {
        const summary = await this.#summaryOf(shown, object);
        if (summary !== undefined) objects.push(summary);
      }
    }
    return { objects, hiddenKinds };
  }

  async summary(kind: Kind, ref: ObjectRef): Promise<ObjectSummary | undefined> {
    const shown = this.shownAs(resourceName(kind));
    const object = shown === undefined ? undefined : this.#insight.object(shown.kind, ref);
    return shown === undefined || object === undefined ? undefined : await this.#summaryOf(shown, object);
  }

  shownAs(resource: string): ShownKind | undefined {
    return this.#insight.shown.find(({ kind }) => resourceName(kind) === resource);
  }

  maySee(kind: Kind, ref: ObjectRef): Promise<boolean> {
    return this.#viewer.mayList(kind, ref.namespace);
  }

  /** Undefined: there is no such object, or none that this viewer may know of. */
  async detail(resource: string, ref: ObjectRef): Promise<ObjectDetail | undefined> {
    const shown = this.shownAs(resource);
    const object = shown === undefined ? undefined : this.#insight.object(shown.kind, ref);
    if (shown === undefined || object === undefined || !(await this.maySee(shown.kind, ref))) return undefined;
    return objectDetail({
      ...(await this.#summaryInput(shown, object)),
      what: shown.what,
      log: await this.#readable(this.#logOf(shown.kind, ref)),
      events: await this.#eventsOf(shown.kind, object),
      relations: await this.#relationsOf(shown, object),
    });
  }

  /** Newest first. */
  async log(wanted: {
    readonly limit: number;
    readonly before?: number;
    readonly about?: (record: LogRecord) => boolean;
  }): Promise<{
    readonly entries: readonly PlanLogEntry[];
    readonly more: boolean;
  }> {
    const { limit, before = Number.POSITIVE_INFINITY, about = () => true } = wanted;
    const entries: PlanLogEntry[] = [];
    for (const record of this.#insight.log().toReversed()) {
      if (record.id >= before || !about(record)) continue;
      const entry = await this.logLine(record);
      if (entry === undefined) continue;
      if (entries.length === limit) return { entries, more: true };
      entries.push(entry);
    }
    return { entries, more: false };
  }

  async logLine(record: LogRecord): Promise<PlanLogEntry | undefined> {
    if (!(await this.maySee(record.kind, record.key))) return undefined;
    return logEntry((await this.#seesAllOf(record.controller)) ? record : reducedLog(record));
  }

  /** One word for everything this viewer may see: changes when rights do. Empty: nothing at all. */
  async rights(): Promise<string> {
    const allowed: string[] = [];
    for (const { kind } of this.#insight.shown) {
      const namespaces = new Set(this.#insight.objectsOf(kind).map(({ metadata }) => metadata.namespace ?? ""));
      const everywhere = await this.#viewer.mayList(kind);
      if (everywhere) allowed.push(`${resourceName(kind)} *`);
      for (const namespace of everywhere ? [] : namespaces) {
        const there = namespace !== "" && (await this.#viewer.mayList(kind, namespace));
        if (there) allowed.push(`${resourceName(kind)} ${namespace}`);
      }
    }
    if (allowed.length === 0) return "";
    for (const { name } of this.#insight.manager().controllers)
      if (await this.#seesAllOf(name)) allowed.push(`words of ${name}`);
    return digest([this.#viewer.name, ...allowed].join("\n"));
  }

  async #summaryOf(shown: ShownKind, object: KubeObject): Promise<ObjectSummary | undefined> {
    if (!(await this.maySee(shown.kind, refOf(object)))) return undefined;
    return objectSummary(await this.#summaryInput(shown, object));
  }

  async #summaryInput({ kind, controllers }: ShownKind, object: KubeObject) {
    const report = this.#reportOn(kind, refOf(object));
    const mayRead = report !== undefined && (await this.maySee(report.kind, refOf(report.object)));
    const plans: PlanRecord[] = [];
    for (const plan of this.#insight.plansFor(kind, refOf(object)))
      plans.push((await this.#seesAllOf(plan.controller)) ? plan : reducedPlan(plan));
    return { kind, object, controllers, report: mayRead ? report.object : undefined, plans };
  }

  #reportOn(kind: Kind, ref: ObjectRef): { readonly kind: Kind; readonly object: KubeObject } | undefined {
    for (const shown of this.#insight.shown) {
      if (shown.reportOf === undefined || resourceName(shown.reportOf) !== resourceName(kind)) continue;
      const object = this.#insight.object(shown.kind, ref);
      if (object !== undefined) return { kind: shown.kind, object };
    }
    return undefined;
  }

  async #seesAllOf(controller: string): Promise<boolean> {
    for (const { kind, namespace } of this.#insight.readBy(controller))
      if (!(await this.#viewer.mayList(kind, namespace))) return false;
    return true;
  }

  #logOf(kind: Kind, ref: ObjectRef): readonly LogRecord[] {
    return this.#insight
      .log()
      .filter((record) => resourceName(record.kind) === resourceName(kind) && formatRef(record.key) === formatRef(ref))
      .slice(-historyLength);
  }

  async #readable(records: readonly LogRecord[]): Promise<readonly LogRecord[]> {
    const readable: LogRecord[] = [];
    for (const record of records)
      readable.push((await this.#seesAllOf(record.controller)) ? record : reducedLog(record));
    return readable;
  }

  /** A page without its events is better than none. */
  async #eventsOf(kind: Kind, object: KubeObject): Promise<readonly KubeObject[]> {
    if (!(await this.#viewer.mayList(events, object.metadata.namespace ?? "default"))) return [];
    return await this.#insight.eventsOf(kind, refOf(object)).catch(() => []);
  }

  async #relationsOf(shown: ShownKind, object: KubeObject): Promise<readonly RelationView[]> {
    const ref = refOf(object);
    const report = this.#reportOn(shown.kind, ref);
    const subject = shown.reportOf === undefined ? undefined : this.#insight.object(shown.reportOf, ref);
    const owned = this.#insight.shown.flatMap(({ kind }) =>
      this.#insight
        .objectsOf(kind)
        .filter((other) => isOwnedBy(other, object))
        .map((other) => ({ kind, object: other })),
    );
    const isReport = (kind: Kind, other: KubeObject) => report?.object === other && report.kind.plural === kind.plural;
    const candidates: readonly (readonly [Relation, Kind, KubeObject])[] = [
      ...(report === undefined ? [] : [["report", report.kind, report.object] as const]),
      ...(subject === undefined || shown.reportOf === undefined ? [] : [["subject", shown.reportOf, subject] as const]),
      ...this.#owners(object).map((owner) => ["owner", owner.kind, owner.object] as const),
      ...owned.map((one) => ["owned", one.kind, one.object] as const),
      ...this.#insight
        .inputsOf(shown.kind, ref)
        .filter((one) => !isReport(one.kind, one.object) && !owned.some((other) => other.object === one.object))
        .map((one) => ["input", one.kind, one.object] as const),
    ];
    const views: RelationView[] = [];
    for (const [relation, kind, other] of candidates) {
      if (!(await this.maySee(kind, refOf(other)))) continue;
      const health = (await this.summary(kind, refOf(other)))?.health;
      views.push({ relation, id: objectId(kind, refOf(other)), ...(health === undefined ? {} : { health }) });
    }
    return views;
  }

  #owners(object: KubeObject): readonly { readonly kind: Kind; readonly object: KubeObject }[] {
    const { ownerReferences = [], namespace } = object.metadata;
    return ownerReferences.flatMap((owner) =>
      this.#insight.shown
        .filter(({ kind }) => apiVersionOf(kind) === owner.apiVersion && kind.kind === owner.kind)
        .flatMap(({ kind }) => {
          const found = this.#insight.object(kind, {
            name: owner.name,
            ...(namespace !== undefined && kind.namespaced ? { namespace } : {}),
          });
          return found === undefined ? [] : [{ kind, object: found }];
        }),
    );
  }
}

/** A token of this cluster that may see none of our kinds learns nothing about us either. */
export async function someRight(world: ViewerWorld): Promise<void> {
  if ((await world.rights()) === "") throw new ApiFailure("forbidden", "you may see nothing that Mainstay looks after");
}

function isOwnedBy(other: KubeObject, { metadata: { uid } }: KubeObject): boolean {
  return uid !== undefined && (other.metadata.ownerReferences ?? []).some((owner) => owner.uid === uid);
}

/** FNV-1a, 32 bits: tells sets of rights apart, protects nothing. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
