// The objects related to one: its report, the object it reports on, its owners, what it owns, and what was read to plan for it. It does
// not check what a viewer may see: callers leave out the rest.

import {
  apiVersionOf,
  type Kind,
  type KubeObject,
  type ObjectRef,
  refOf,
  resourceName,
} from "../../apis/kube/kube-object.ts";
import type { Relation } from "../../core/views/object-view.ts";
import type { Insight, ShownKind } from "../../ports/insight.ts";

interface Found {
  readonly kind: Kind;
  readonly object: KubeObject;
}

export interface RelatedObject extends Found {
  readonly relation: Relation;
}

export function relatedObjects(insight: Insight, shown: ShownKind, object: KubeObject): readonly RelatedObject[] {
  const ref = refOf(object);
  const report = reportOn(insight, shown.kind, ref);
  const subject = shown.reportOf === undefined ? undefined : insight.object(shown.reportOf, ref);
  const owned = ownedBy(insight, object);
  const listed = [...(report === undefined ? [] : [report]), ...owned].map((one) => one.object);
  const as = (relation: Relation, found: readonly Found[]) => found.map((one): RelatedObject => ({ relation, ...one }));
  return [
    ...as("report", report === undefined ? [] : [report]),
    ...as(
      "subject",
      subject === undefined || shown.reportOf === undefined ? [] : [{ kind: shown.reportOf, object: subject }],
    ),
    ...as("owner", ownersOf(insight, object)),
    ...as("owned", owned),
    ...as(
      "input",
      insight.inputsOf(shown.kind, ref).filter((one) => !listed.includes(one.object)),
    ),
  ];
}

/** The object whose conditions report on this one. */
export function reportOn(insight: Insight, kind: Kind, ref: ObjectRef): Found | undefined {
  for (const shown of insight.shown) {
    if (shown.reportOf === undefined || resourceName(shown.reportOf) !== resourceName(kind)) continue;
    const object = insight.object(shown.kind, ref);
    if (object !== undefined) return { kind: shown.kind, object };
  }
  return undefined;
}

function ownedBy(insight: Insight, { metadata: { uid } }: KubeObject): readonly Found[] {
  return insight.shown.flatMap(({ kind }) =>
    insight
      .objectsOf(kind)
      .filter(({ metadata: { ownerReferences = [] } }) => ownerReferences.some((owner) => owner.uid === uid))
      .map((object) => ({ kind, object })),
  );
}

function ownersOf(insight: Insight, { metadata: { ownerReferences = [], namespace } }: KubeObject): readonly Found[] {
  return ownerReferences.flatMap((owner) =>
    insight.shown
      .filter(({ kind }) => apiVersionOf(kind) === owner.apiVersion && kind.kind === owner.kind)
      .flatMap(({ kind }) => {
        const place = namespace !== undefined && kind.namespaced ? { namespace } : {};
        const object = insight.object(kind, { name: owner.name, ...place });
        return object === undefined ? [] : [{ kind, object }];
      }),
  );
}
