// What one viewer may see. An object is shown to viewers who may list its kind in its namespace. Free text of plans and log is shown only
// to viewers who may list everything the controller reads; others get the sentences of the reason table, which name no object. Numbers
// that count the changes of all objects are sent as opaque ids.

import { events } from "../../apis/kube/builtin-kinds.ts";
import {
  formatRef,
  type Kind,
  type KubeObject,
  type ObjectRef,
  refOf,
  resourceName,
} from "../../apis/kube/kube-object.ts";
import type { LogRecord, PlanRecord } from "../../core/plan-record.ts";
import { present } from "../../core/present.ts";
import { objectDetail, objectSummary } from "../../core/views/object-summary.ts";
import type { ObjectDetail, ObjectSummary, PlanLogEntry, RelationView } from "../../core/views/object-view.ts";
import { hidden, logEntry, objectId, reducedLog, reducedPlan } from "../../core/views/plan-view.ts";
import type { Insight, ShownKind } from "../../ports/insight.ts";
import type { OpaqueIds } from "../../ports/opaque-ids.ts";
import type { Viewer } from "../access/access.ts";
import { ApiFailure } from "../api-failure.ts";
import type { ManagerInfo, ObjectsAnswer } from "../contract.ts";
import { knownNamespaces } from "./known-namespaces.ts";
import { objectYaml } from "./object-yaml.ts";
import { readOnlyKind } from "./read-only-kind.ts";
import type { RecentStates } from "./recent-states.ts";
import { type RelatedObject, relatedObjects, reportOn } from "./related-objects.ts";

const historyLength = 50;

export interface ViewerWorldOptions {
  readonly insight: Insight;
  readonly opaqueIds: Pick<OpaqueIds, "hash">;
  /** Absent: nothing is remembered. */
  readonly recent?: RecentStates;
}

export class ViewerWorld {
  readonly #insight: Insight;
  readonly #opaqueIds: Pick<OpaqueIds, "hash">;
  readonly #viewer: Viewer;
  readonly #recent: RecentStates | undefined;

  constructor({ insight, opaqueIds, recent }: ViewerWorldOptions, viewer: Viewer) {
    this.#insight = insight;
    this.#recent = recent;
    this.#opaqueIds = opaqueIds;
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
  async yaml(resource: string, ref: ObjectRef): Promise<string | undefined> {
    const found = await this.#find(resource, ref);
    return found === undefined ? undefined : objectYaml(found.object);
  }

  /** Undefined: there is no such object, or none that this viewer may know of. */
  async detail(resource: string, ref: ObjectRef): Promise<ObjectDetail | undefined> {
    const found = await this.#find(resource, ref);
    if (found === undefined) return undefined;
    const { shown, object } = found;
    const input = await this.#summaryInput(shown, object);
    const related = await this.#relatedTo(shown, object);
    const told = await this.#eventsOf(shown.kind, object);
    const detail = objectDetail({
      ...input,
      what: shown.what,
      log: await this.#readable(this.#logOf(shown.kind, ref)),
      events: told,
      relations: await this.#relationsOf(related),
      strips: this.#recent?.stripsOf(shown.kind, ref, told) ?? [],
      picture: shown.picture?.({ object, report: input.report, related }),
    });
    const missingRights = (await this.#mayListEvents(object))
      ? undefined
      : [`list ${resourceName(events)} in ${namespaceOfEvents(object)}`];
    return {
      ...this.#withOpaqueRevision(detail),
      ...present({ missingRights }),
      history: detail.history.map((entry) => this.#withOpaqueId(entry)),
    };
  }

  /** An object that people are shown, or one that was only read to plan for them. */
  async #find(resource: string, ref: ObjectRef) {
    const shown = this.shownAs(resource) ?? readOnlyKind(this.#insight, resource);
    const object = shown === undefined ? undefined : this.#insight.object(shown.kind, ref);
    if (shown === undefined || object === undefined || !(await this.maySee(shown.kind, ref))) return undefined;
    return { shown, object };
  }

  /** Newest first. */
  async log(wanted: {
    readonly limit: number;
    /** The id of an entry; entries older than it. One that is forgotten has none. */
    readonly before?: string;
    readonly about?: (record: LogRecord) => boolean;
  }): Promise<{
    readonly entries: readonly PlanLogEntry[];
    readonly more: boolean;
  }> {
    const { limit, before, about = () => true } = wanted;
    const entries: PlanLogEntry[] = [];
    const log = this.#insight.log();
    const end = before === undefined ? log.length : log.findIndex(({ id }) => this.#opaqueLogId(id) === before);
    for (const record of log.slice(0, Math.max(0, end)).toReversed()) {
      if (!about(record)) continue;
      const entry = await this.logLine(record);
      if (entry === undefined) continue;
      if (entries.length === limit) return { entries, more: true };
      entries.push(entry);
    }
    return { entries, more: false };
  }

  async logLine(record: LogRecord): Promise<PlanLogEntry | undefined> {
    if (!(await this.maySee(record.kind, record.key))) return undefined;
    return this.#withOpaqueId(logEntry((await this.#seesAllOf(record.controller)) ? record : reducedLog(record)));
  }

  /** What the manager is missing may name any object of its controllers, so that only viewers who may list all that these read get it. */
  async ofManager(info: ManagerInfo): Promise<ManagerInfo> {
    for (const { name } of this.#insight.manager().controllers)
      if (!(await this.#seesAllOf(name))) return { ...info, missing: info.missing.map(() => hidden) };
    return info;
  }

  /** A hash of everything this viewer may see, which changes when the rights do. Empty: they may see nothing. */
  async rights(): Promise<string> {
    const allowed: string[] = [];
    for (const { kind } of this.#insight.shown) {
      const namespaces = knownNamespaces(this.#insight, kind);
      const everywhere = await this.#viewer.mayList(kind);
      if (everywhere) allowed.push(`${resourceName(kind)} *`);
      for (const namespace of everywhere ? [] : namespaces) {
        const there = await this.#viewer.mayList(kind, namespace);
        if (there) allowed.push(`${resourceName(kind)} ${namespace}`);
      }
    }
    if (allowed.length === 0) return "";
    for (const { name } of this.#insight.manager().controllers)
      if (await this.#seesAllOf(name)) allowed.push(`words of ${name}`);
    return this.#opaqueIds.hash([this.#viewer.name, ...allowed].join("\n"));
  }

  async #summaryOf(shown: ShownKind, object: KubeObject): Promise<ObjectSummary | undefined> {
    if (!(await this.maySee(shown.kind, refOf(object)))) return undefined;
    return this.#withOpaqueRevision(objectSummary(await this.#summaryInput(shown, object)));
  }

  async #summaryInput(shown: ShownKind, object: KubeObject) {
    const { kind, controllers, unclaimed, parts, badWhenTrue, headline, picture } = shown;
    const report = reportOn(this.#insight, kind, refOf(object));
    const mayRead = report !== undefined && (await this.maySee(report.kind, refOf(report.object)));
    const plans: PlanRecord[] = [];
    for (const plan of this.#insight.plansFor(kind, refOf(object)))
      plans.push((await this.#seesAllOf(plan.controller)) ? plan : reducedPlan(plan));
    const seen = mayRead ? report.object : undefined;
    return {
      kind,
      object,
      controllers,
      report: seen,
      plans,
      unclaimed: unclaimed?.(object),
      parts: parts?.(object),
      badWhenTrue,
      headline,
      // Of the object alone: what is read for its whole picture is too much for a list.
      reach: picture?.({ object, report: seen, related: [] })?.reach,
      incidents: this.#recent?.incidentsOf(kind, refOf(object)),
    };
  }

  /** Revisions of plans are counted over all objects. */
  #withOpaqueRevision<T extends ObjectSummary>(summary: T): T {
    return { ...summary, revision: this.#opaqueIds.hash(`revision ${summary.revision}`) };
  }

  #withOpaqueId(entry: PlanLogEntry): PlanLogEntry {
    return { ...entry, id: this.#opaqueLogId(entry.id) };
  }

  #opaqueLogId(id: number | string): string {
    return this.#opaqueIds.hash(`log ${id}`);
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
    if (!(await this.#mayListEvents(object))) return [];
    return await this.#insight.eventsOf(kind, refOf(object)).catch(() => []);
  }

  #mayListEvents(object: KubeObject): Promise<boolean> {
    return this.#viewer.mayList(events, namespaceOfEvents(object));
  }

  async #relatedTo(shown: ShownKind, object: KubeObject): Promise<readonly RelatedObject[]> {
    const seen: RelatedObject[] = [];
    for (const related of relatedObjects(this.#insight, shown, object))
      if (await this.maySee(related.kind, refOf(related.object))) seen.push(related);
    return seen;
  }

  async #relationsOf(related: readonly RelatedObject[]): Promise<readonly RelationView[]> {
    const views: RelationView[] = [];
    for (const { relation, kind, object: other } of related) {
      const health = (await this.summary(kind, refOf(other)))?.health;
      views.push({ relation, id: objectId(kind, refOf(other)), ...present({ health }) });
    }
    return views;
  }
}

/** Those of an object without a namespace are in `default`. */
function namespaceOfEvents({ metadata }: KubeObject): string {
  return metadata.namespace ?? "default";
}

/** Rejects viewers who may list none of our kinds: they learn nothing else about Mainstay either. Answers with the viewer's rights. */
export async function requireSomeRight(world: ViewerWorld): Promise<string> {
  const rights = await world.rights();
  if (rights === "") throw new ApiFailure("forbidden", "your token may list no kind of object that Mainstay manages");
  return rights;
}
