// Every object that Mainstay looks after, as the cluster has it now, with its conditions in words. Reads lists, and nothing else.

import { formatRef, type Kind, type KubeObject, refOf, resourceName } from "../../apis/kube/kube-object.ts";
import { isKubeError } from "../../core/kube-error.ts";
import { allConditions, objectSummary } from "../../core/views/object-summary.ts";
import type { ConditionView, Health, ObjectSummary } from "../../core/views/object-view.ts";
import { listEverything } from "../../engine/round/list-everything.ts";
import type { ShownKind } from "../../ports/insight.ts";
import type { KubeReader, Selection } from "../../ports/kube.ts";

export interface StatusRow extends ObjectSummary {
  readonly conditions: readonly ConditionView[];
}

export interface Status {
  readonly objects: readonly StatusRow[];
  /** Kinds that could not be read, and why. */
  readonly unread: readonly string[];
  /** Some of them may not be listed: nobody knows what is there. */
  readonly hidden: boolean;
}

export type Unread = "not-served" | "forbidden";

/** The objects of a kind, or why they could not be read. */
export interface ReadKind {
  readonly shown: ShownKind;
  readonly objects: readonly KubeObject[] | Unread;
}

export async function readStatus(
  kube: KubeReader,
  shown: readonly ShownKind[],
  selection: Selection = {},
): Promise<Status> {
  return statusOf(await readKinds(kube, shown, selection));
}

export function readKinds(
  kube: KubeReader,
  shown: readonly ShownKind[],
  selection: Selection = {},
): Promise<readonly ReadKind[]> {
  return Promise.all(shown.map(async (one) => ({ shown: one, objects: await listOrWhy(kube, one, selection) })));
}

export function statusOf(read: readonly ReadKind[]): Status {
  const reportOn = (kind: ShownKind, object: KubeObject): KubeObject | undefined =>
    read
      .filter((one) => one.shown.reportOf !== undefined && resourceName(one.shown.reportOf) === resourceName(kind.kind))
      .flatMap(({ objects }) => (typeof objects === "string" ? [] : objects))
      .find((report) => formatRef(refOf(report)) === formatRef(refOf(object)));
  return {
    objects: read
      .flatMap(({ shown: kind, objects }) =>
        typeof objects === "string" ? [] : objects.map((object) => rowOf(kind, object, reportOn(kind, object))),
      )
      .toSorted((a, b) => sickFirst.indexOf(a.health) - sickFirst.indexOf(b.health)),
    hidden: read.some(({ objects }) => objects === "forbidden"),
    unread: read.flatMap(({ shown: { kind }, objects }) => {
      if (typeof objects !== "string") return [];
      const { message, hint } = unreadWords(kind, objects);
      return [`${message}; ${hint}`];
    }),
  };
}

/** What somebody may have to look at stands where it is read first; of equals the order stays. */
const sickFirst: readonly Health[] = ["unhealthy", "degraded", "refused", "unknown", "progressing", "healthy"];

export function unreadWords(kind: Kind, why: Unread): { readonly message: string; readonly hint: string } {
  const name = resourceName(kind);
  return why === "not-served"
    ? { message: `${name}: the cluster does not serve it`, hint: "mainstay crds install brings it" }
    : { message: `${name}: you may not list it`, hint: `ask for the right to list ${name}` };
}

export function rowOf(
  { kind, controllers, unclaimed, parts, badWhenTrue, headline }: ShownKind,
  object: KubeObject,
  report: KubeObject | undefined,
): StatusRow {
  const input = {
    kind,
    object,
    controllers,
    report,
    plans: [],
    unclaimed: unclaimed?.(object),
    parts: parts?.(object),
    badWhenTrue,
    headline,
  };
  return { ...objectSummary(input), conditions: allConditions(input) };
}

async function listOrWhy(kube: KubeReader, { kind }: ShownKind, selection: Selection): Promise<ReadKind["objects"]> {
  try {
    return await listEverything(kube, kind, selection);
  } catch (error) {
    if (isKubeError(error, "KindNotServed", "NotFound")) return "not-served";
    if (isKubeError(error, "Forbidden")) return "forbidden";
    throw error;
  }
}
