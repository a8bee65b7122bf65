// What a manager knows of a small made-up world, for tests of who may see what: beds, a report on each, and the gate that both were
// decided from. Every free word in plans, log and events names the gate, whom few may see.

import { configMaps, events } from "../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject, ObjectRef } from "../../src/apis/kube/kube-object.ts";
import { formatRef, refOf } from "../../src/apis/kube/kube-object.ts";
import type { LogRecord, PlanRecord } from "../../src/core/plan-record.ts";
import type { Insight, InsightChange, ManagerState } from "../../src/ports/insight.ts";
import type { Viewer } from "../../src/server/access/access.ts";

const kind = (plural: string, name: string): Kind => ({
  group: "garden.test",
  version: "v1",
  kind: name,
  plural,
  namespaced: true,
});
export const beds: Kind = kind("beds", "Bed");
export const reports: Kind = kind("bedreports", "BedReport");
export { configMaps as gates, events };

/** The name that must not reach a viewer who may not list gates. */
export const hiddenName = "iron-gate";

export function thing(
  of: Kind,
  namespace: string,
  name: string,
  more: Partial<KubeObject["metadata"]> = {},
): KubeObject {
  const apiVersion = of.group === "" ? of.version : `${of.group}/${of.version}`;
  return { apiVersion, kind: of.kind, metadata: { namespace, name, uid: `uid-${of.plural}-${name}`, ...more } };
}

export function withCondition(object: KubeObject, message: string): KubeObject {
  const condition = { type: "Watered", status: "False", reason: "ApiUnreachable", message };
  return { ...object, status: { conditions: [condition] } } as KubeObject;
}

/** Everything a record can say freely names the gate. */
export function planFor(key: ObjectRef, more: Partial<PlanRecord> = {}): PlanRecord {
  const said = { reason: "ApiUnreachable", message: `waits for ${hiddenName}` } as const;
  const action = {
    action: "water",
    words: `water by ${hiddenName}`,
    because: "ObjectNotFound",
    result: "failed",
  } as const;
  return {
    controller: "gardener",
    kind: beds,
    key,
    atMs: 0,
    epoch: 1,
    revision: 1,
    outcome: "failed",
    actions: [{ ...action, lane: hiddenName, removes: hiddenName, failure: said }],
    waits: [{ ...said, recheckAfterMs: 1_000, lane: hiddenName }],
    refusals: [{ ...said, lane: hiddenName }],
    troubles: [said],
    ...more,
  };
}

export function logged(id: number, key: ObjectRef, more: Partial<LogRecord> = {}): LogRecord {
  return {
    id,
    atMs: id,
    epoch: 1,
    controller: "gardener",
    kind: beds,
    key,
    action: "water",
    words: `water by ${hiddenName}`,
    because: "ObjectNotFound",
    lane: hiddenName,
    removes: hiddenName,
    result: "failed",
    message: `${hiddenName} is shut`,
    ...more,
  };
}

export class SampleInsight implements Insight {
  readonly shown: Insight["shown"] = [
    { kind: beds, what: "Where things grow.", controllers: ["gardener"] },
    { kind: reports, what: "", reportOf: beds, controllers: ["gardener"] },
  ];
  readonly objects: [Kind, KubeObject][] = [];
  readonly plans: PlanRecord[] = [];
  readonly records: LogRecord[] = [];
  readonly inputs: [Kind, KubeObject][] = [];
  events: () => Promise<readonly KubeObject[]> = async () => [];
  state: ManagerState = {
    identity: "manager-1",
    leading: true,
    epoch: 1,
    leader: "manager-1",
    ready: true,
    missing: [],
    controllers: [
      { name: "gardener", root: beds },
      { name: "mason", root: reports },
    ],
  };
  readonly #listeners = new Set<(news: InsightChange) => void>();

  manager(): ManagerState {
    return this.state;
  }

  objectsOf(wanted: Kind): readonly KubeObject[] {
    return this.objects.flatMap(([of, object]) => (of === wanted ? [object] : []));
  }

  object(wanted: Kind, ref: ObjectRef): KubeObject | undefined {
    return this.objectsOf(wanted).find((object) => formatRef(refOf(object)) === formatRef(ref));
  }

  plansFor(wanted: Kind, ref: ObjectRef): readonly PlanRecord[] {
    return this.plans.filter((plan) => plan.kind === wanted && formatRef(plan.key) === formatRef(ref));
  }

  log(): readonly LogRecord[] {
    return this.records;
  }

  readBy(controller: string): ReturnType<Insight["readBy"]> {
    return [{ kind: beds }, { kind: configMaps, namespace: controller === "gardener" ? "yard" : "wall" }];
  }

  inputsOf(): ReturnType<Insight["inputsOf"]> {
    return this.inputs.map(([of, object]) => ({ kind: of, object }));
  }

  eventsOf(): Promise<readonly KubeObject[]> {
    return this.events();
  }

  subscribe(listener: (news: InsightChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(news: InsightChange): void {
    for (const listener of this.#listeners) listener(news);
  }

  get listeners(): number {
    return this.#listeners.size;
  }
}

/** `beds` lists them everywhere, `beds/north` in one namespace. */
export function viewerOf(...rights: readonly string[]): Viewer {
  const has = (right: string): boolean => rights.includes(right);
  return {
    name: "somebody",
    mayList: async (of, namespace) => has(of.plural) || (namespace !== undefined && has(`${of.plural}/${namespace}`)),
  };
}

export const eventAbout = (object: KubeObject): KubeObject =>
  ({
    ...thing(events, "north", "e1"),
    reason: "Watered",
    note: `${hiddenName} is shut`,
    regarding: refOf(object),
  }) as KubeObject;
