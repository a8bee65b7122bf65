// Something that happened to an object, as an Event of `v1`: `events.k8s.io` does not allow the fields that `kubectl get events` and others
// sort and count by. Pure: names and times come in as arguments.

import { coreEvents } from "../../apis/kube/builtin-kinds.ts";
import { apiVersionOf, formatRef, type KubeObject, refOf } from "../../apis/kube/kube-object.ts";
import { kubeMicroTime, kubeTime } from "../../core/conditions.ts";
import type { EventWords } from "../../core/explain.ts";
import { present } from "../../core/present.ts";

export interface ReportedEvent {
  readonly regarding: KubeObject;
  readonly explanation: EventWords;
  /** What was being done, as one word: the action's kind, `plan`, `observe`. */
  readonly action: string;
  /** For programs that read the Event later. */
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface Reporter {
  /** As in `mainstay.dev/topology`. */
  readonly controller: string;
  readonly instance: string;
}

const maxNoteBytes = 1_024;
const maxNameLength = 253;

/** Keeps only as much of the object as an Event names: Events are remembered for a while, and objects may be large. */
export function slimEvent({ regarding, ...event }: ReportedEvent): ReportedEvent {
  const { apiVersion, kind, metadata } = regarding;
  const { uid, resourceVersion } = metadata;
  const slim = {
    ...refOf(regarding),
    ...present({ uid, resourceVersion }),
  };
  return { ...event, regarding: { apiVersion, kind, metadata: slim } };
}

/** Events with the same key are one series. Numbers in the note do not count, or a counter in it would make every note a new series. */
export function seriesKey({ regarding, explanation, action }: ReportedEvent, { controller }: Reporter): string {
  const { uid = "" } = regarding.metadata;
  const note = explanation.text.replace(/(?<![\w.:-])\d+(?![\w:-]|\.\d)/g, "#");
  return JSON.stringify([
    regarding.kind,
    formatRef(refOf(regarding)),
    uid,
    explanation.reason,
    action,
    controller,
    note,
  ]);
}

/** Cluster-scoped objects have their events in `default`, as everywhere. */
export function eventNamespace(regarding: KubeObject): string {
  return regarding.metadata.namespace ?? "default";
}

export function eventName(regarding: KubeObject, unique: string): string {
  const suffix = `.${unique.replaceAll("-", "").slice(0, 16)}`;
  return regarding.metadata.name.slice(0, maxNameLength - suffix.length).replace(/[^a-z0-9]+$/, "") + suffix;
}

export function eventObject(event: ReportedEvent, reporter: Reporter, name: string, nowMs: number): KubeObject {
  const { regarding, explanation, action, annotations } = event;
  const { uid, resourceVersion } = regarding.metadata;
  return {
    apiVersion: apiVersionOf(coreEvents),
    kind: coreEvents.kind,
    metadata: { name, namespace: eventNamespace(regarding), ...present({ annotations }) },
    eventTime: kubeMicroTime(nowMs),
    firstTimestamp: kubeTime(nowMs),
    lastTimestamp: kubeTime(nowMs),
    count: 1,
    type: explanation.eventType,
    reason: explanation.reason,
    message: cutNote(explanation.text),
    action,
    source: { component: reporter.controller },
    reportingComponent: reporter.controller,
    reportingInstance: reporter.instance.slice(0, 128),
    involvedObject: {
      apiVersion: regarding.apiVersion,
      kind: regarding.kind,
      ...refOf(regarding),
      uid,
      resourceVersion,
    },
  } as KubeObject;
}

/** What changes in an Event that was recorded again. */
export function eventUpdate(count: number, nowMs: number): object {
  return {
    count,
    lastTimestamp: kubeTime(nowMs),
    series: { count, lastObservedTime: kubeMicroTime(nowMs) },
  };
}

export function fitsNote(text: string): boolean {
  return new TextEncoder().encode(text).length <= maxNoteBytes;
}

/** At most 1024 bytes of UTF-8, never half a character. */
export function cutNote(text: string): string {
  if (fitsNote(text)) return text;
  const encoder = new TextEncoder();
  const room = new Uint8Array(maxNoteBytes - encoder.encode("…").length);
  const { read } = encoder.encodeInto(text, room);
  return `${text.slice(0, read)}…`;
}
