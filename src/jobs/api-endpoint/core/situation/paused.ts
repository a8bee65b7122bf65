// Why nothing is looked at: the same words in a plan, an event and the condition Paused.

import { formatRef } from "../../../../apis/kube/kube-object.ts";
import type { Refusal } from "../../../../core/plan.ts";
import type { EndpointObserved } from "../model/observed.ts";

export function pausedNotice({ intent, object: { pausedBy = [] } }: EndpointObserved): Refusal {
  const by = pausedBy.length === 0 ? "" : ` by ${pausedBy.toSorted().join(" and by ")}`;
  const until =
    pausedBy.length === 0 ? "it no longer is" : pausedBy.length === 1 ? "that is removed" : "both are removed";
  const message = `${intent.door} ${formatRef(intent.object)} is paused${by}; nothing is looked at and nothing is changed until ${until}`;
  return { reason: "EndpointPaused", message };
}
