// Kinds that controllers only read to plan for their objects, such as Machines. Their objects are in no list; who follows a link to one
// sees its conditions and its YAML, if they may list the kind.

import { type Kind, resourceName } from "../../apis/kube/kube-object.ts";
import type { Insight, ShownKind } from "../../ports/insight.ts";

/** Never, whoever may list them: what a credential says is nobody's to read here. */
const neverShown = ["secrets"];

export function readOnlyKind(insight: Insight, resource: string): ShownKind | undefined {
  if (neverShown.includes(resource)) return undefined;
  const kinds: readonly Kind[] = insight
    .manager()
    .controllers.flatMap(({ name }) => insight.readBy(name).map(({ kind }) => kind));
  const kind = kinds.find((one) => resourceName(one) === resource);
  if (kind === undefined) return undefined;
  return {
    kind,
    what: "Mainstay reads this object and does not change it.",
    controllers: [],
    unclaimed: () => "it is only read",
  };
}
