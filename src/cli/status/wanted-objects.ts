// Which objects `mainstay status` shows: all, those of a namespace, or those of a name. Only what is needed for them is read, so that
// the rights for one namespace or one kind are enough.

import { resourceName } from "../../apis/kube/kube-object.ts";
import { nearest } from "../../apis/text/nearest.ts";
import { MainstayError } from "../../core/errors.ts";
import { present } from "../../core/present.ts";
import type { ObjectId } from "../../core/views/object-view.ts";
import type { ShownKind } from "../../ports/insight.ts";
import { kindNamed, mayBeKind, parseObjectName } from "./managed-kinds.ts";
import type { Status, StatusRow } from "./read-status.ts";
import { nameOf } from "./status-text.ts";

export interface WantedObjects {
  readonly kinds: readonly ShownKind[];
  /** Absent: all namespaces. */
  readonly namespace?: string;
  /** As it was typed: at least one object has to be there. */
  readonly named?: string;
  readonly isWanted: (id: ObjectId) => boolean;
}

/**
 * `osc/clusters/blue` is one object, and `clusters/blue` all of that name in a namespace; `osc/blue` and `blue` are all of that name, in every
 * namespace unless one is given; `osc` is every object of the kind.
 */
export function wantedObjects(
  named: string | undefined,
  namespace: string | undefined,
  shown: readonly ShownKind[],
): WantedObjects {
  const kind = named === undefined ? undefined : kindNamed(named, shown);
  if (kind !== undefined) return everyOf(kind, namespace, shown);
  const [place = "", name = "", ...more] = named?.split("/") ?? [];
  if (name !== "" && more.length === 0 && mayBeNamespace(place, namespace, shown))
    return { ...wantedObjects(name, place, shown), ...present({ named }) };
  if (named?.includes("/") === true) return ofOneKind(named, namespace, shown);
  return {
    kinds: shown.filter(({ kind }) => kind.namespaced || namespace === undefined),
    isWanted: ({ name }) => named === undefined || name === named,
    ...(namespace === undefined ? {} : { namespace }),
    ...(named === undefined ? {} : { named }),
  };
}

function everyOf(kind: ShownKind, namespace: string | undefined, shown: readonly ShownKind[]): WantedObjects {
  const resource = resourceName(kind.kind);
  return {
    kinds: shown.filter((one) => one === kind || isReportOn(resource, one)),
    isWanted: (id) => id.resource === resource,
    ...present({ namespace }),
  };
}

/** Neither a kind nor close to one, and no other namespace is given. */
function mayBeNamespace(word: string, flag: string | undefined, shown: readonly ShownKind[]): boolean {
  return (flag === undefined || flag === word) && word !== "" && !mayBeKind(word, shown);
}

function isReportOn(resource: string, { reportOf }: ShownKind): boolean {
  return reportOf !== undefined && resourceName(reportOf) === resource;
}

function ofOneKind(named: string, flag: string | undefined, shown: readonly ShownKind[]): WantedObjects {
  const { shown: own, ref } = parseObjectName(named, flag, shown);
  const resource = resourceName(own.kind);
  const namespace = named.split("/").length > 2 ? ref.namespace : flag;
  return {
    kinds: shown.filter((one) => one === own || isReportOn(resource, one)),
    named,
    isWanted: (id) => id.resource === resource && id.name === ref.name,
    ...(namespace === undefined ? {} : { namespace }),
  };
}

export function only(found: Status, { isWanted }: WantedObjects): Status {
  return { ...found, objects: found.objects.filter(({ id }) => isWanted(id)) };
}

/** Objects that Mainstay does not manage count only when they are asked for: nothing will ever make them healthy. */
export function unhealthy({ objects }: Status, { named }: WantedObjects): readonly StatusRow[] {
  return objects.filter(
    ({ health, controllers }) => health !== "healthy" && (named !== undefined || controllers.length > 0),
  );
}

/** `all` has objects of other names and namespaces. The same name elsewhere is nearer than a similar one. */
export function noSuchObject({ named, isWanted }: WantedObjects, { objects }: Status): MainstayError {
  const name = named?.split("/").at(-1) ?? "";
  const namesakes = objects.filter(({ id }) => isWanted(id)).map(({ id }) => nameOf(id));
  const alike = nearest(
    name,
    objects.map(({ id }) => id.name),
  );
  const meant = namesakes.length > 0 ? namesakes.slice(0, 3).join(" or ") : alike;
  return new MainstayError({
    reason: "ObjectNotFound",
    message: `there is no object ${named} that Mainstay shows`,
    hint: meant === undefined ? "mainstay status lists what is there." : `Did you mean ${meant}?`,
  });
}
