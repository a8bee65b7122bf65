// What the read API can ask of a running manager: objects from its caches, plans and log from its journal. Reads only.

import { events } from "../../apis/kube/builtin-kinds.ts";
import {
  formatRef,
  isSameKind,
  type Kind,
  type KubeObject,
  type ObjectRef,
  refOf,
  resourceName,
} from "../../apis/kube/kube-object.ts";
import type { ShownObjects } from "../../core/job/declaration.ts";
import type { Insight, InsightChange, ReadKind, ShownKind } from "../../ports/insight.ts";
import type { KubeReader } from "../../ports/kube.ts";
import type { Feature } from "../feature.ts";
import type { WatchedKind } from "../informer/feature-caches.ts";
import { selectionFor, type WatchScope } from "../informer/watch-filter.ts";
import type { Manager } from "../manager.ts";
import { eventNamespace } from "./event-object.ts";
import type { PlanJournal } from "./plan-journal.ts";
import { sharedRoom } from "./shared-room.ts";

export interface ManagerInsightOptions {
  readonly manager: Manager;
  readonly identity: string;
  readonly features: readonly Feature[];
  readonly journal: PlanJournal;
  readonly kube: KubeReader;
  readonly scope?: WatchScope;
  /** Subscribes to changes of leadership, which the manager reports through its own `onLeading`. */
  readonly onLeading: (listener: () => void) => () => void;
}

const maxInputs = 50;
const maxEvents = 200;
const eventsDeadlineMs = 5_000;

export function managerInsight(options: ManagerInsightOptions): Insight {
  const { manager, identity, features, journal, kube } = options;
  const watched = (): readonly WatchedKind[] => manager.members.flatMap(({ caches }) => caches.watched);
  const informersOf = (kind: Kind) =>
    new Set(watched().flatMap(({ informer }) => (isSameKind(informer.kind, kind) ? [informer] : [])));
  const find = (kind: Kind, ref: ObjectRef): KubeObject | undefined =>
    [...informersOf(kind)].map((informer) => informer.get(ref)).find((object) => object !== undefined);
  return {
    shown: shownKinds(features),
    manager: () => {
      const { term } = manager;
      return {
        identity,
        leading: term !== undefined,
        ...(term === undefined ? {} : { epoch: term.epoch }),
        leader: manager.leader,
        ...manager.readiness(),
        controllers: features.map(({ name, root }) => ({ name, root })),
      };
    },
    objectsOf: (kind) => unique([...informersOf(kind)].flatMap((informer) => informer.list())),
    object: find,
    plansFor: (kind, ref) => (manager.term === undefined ? [] : journal.plansFor(kind, ref)),
    log: () => journal.log,
    readBy: (controller) =>
      readKinds(
        features.find(({ name }) => name === controller),
        options.scope ?? {},
      ),
    inputsOf: (kind, ref) => inputsOf(manager, kind, ref),
    async eventsOf(kind, ref) {
      const about = find(kind, ref) ?? { apiVersion: "", kind: kind.kind, metadata: { ...ref } };
      const { items } = await kube.list(
        events,
        {
          namespace: eventNamespace(about),
          fieldSelector: `regarding.kind=${kind.kind},regarding.name=${ref.name}`,
          limit: maxEvents,
        },
        { deadlineMs: eventsDeadlineMs },
      );
      return items;
    },
    subscribe: (listener) => subscribe(options, listener),
  };
}

export function shownKinds(features: readonly Feature[]): readonly ShownKind[] {
  const kinds = new Map<string, ShownKind>();
  for (const { name, root, shows, unclaimed } of features) {
    const own: readonly ShownObjects[] = shows ?? [{ kind: root, what: "" }];
    for (const { kind, what, reportsOnRoot = false, ...declared } of own) {
      const known = kinds.get(resourceName(kind));
      kinds.set(resourceName(kind), {
        ...declared,
        kind,
        what: known?.what || what,
        controllers: [...(known?.controllers ?? []), name],
        ...(reportsOnRoot ? { reportOf: root } : {}),
        ...(unclaimed === undefined || !isSameKind(kind, root) ? {} : { unclaimed: (object) => unclaimed(object) }),
      });
    }
  }
  return [...kinds.values()];
}

function readKinds(feature: Feature | undefined, scope: WatchScope): readonly ReadKind[] {
  return (feature?.watches ?? []).map((watch) => {
    const { namespace } = selectionFor(watch.kind, scope, { ...watch, labelled: false });
    return namespace === undefined ? { kind: watch.kind } : { kind: watch.kind, namespace };
  });
}

function inputsOf(manager: Manager, kind: Kind, ref: ObjectRef): ReturnType<Insight["inputsOf"]> {
  const text = formatRef(ref);
  const isItself = (other: Kind, object: KubeObject): boolean =>
    isSameKind(other, kind) && formatRef(refOf(object)) === text;
  const inputs = manager.members
    .filter(({ feature }) => isSameKind(feature.root, kind))
    .flatMap(({ caches }) => caches.watched)
    .map(({ watch, informer }) =>
      informer
        .list()
        .filter((object) => !isItself(informer.kind, object))
        .filter((object) => watch.keys(object).some((key) => formatRef(key) === text))
        .slice(0, maxInputs)
        .map((object) => ({ kind: informer.kind, object })),
    );
  return sharedRoom(inputs, maxInputs);
}

function subscribe(
  { manager, features, journal, onLeading }: ManagerInsightOptions,
  notify: (change: InsightChange) => void,
) {
  const shown = shownKinds(features).map(({ kind }) => kind);
  const informers = new Set(
    manager.members
      .flatMap(({ caches }) => caches.watched.map(({ informer }) => informer))
      .filter(({ kind }) => shown.some((one) => isSameKind(one, kind))),
  );
  const ends = [
    ...[...informers].map((informer) =>
      informer.addHandler(({ object }) => notify({ type: "object", kind: informer.kind, ref: refOf(object) })),
    ),
    ...[...informers].map((informer) => informer.onStateChange(() => notify({ type: "manager" }))),
    journal.subscribe(({ kind, key, logged }) => {
      for (const record of logged) notify({ type: "log", record });
      notify({ type: "object", kind, ref: key });
    }),
    onLeading(() => notify({ type: "all" })),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Two selections of a kind may overlap. */
function unique(objects: readonly KubeObject[]): readonly KubeObject[] {
  return [...new Map(objects.map((object) => [formatRef(refOf(object)), object])).values()];
}
