// Conditions in words. For most types True is good; not for those that the job declares, and a few well-known ones that others use too.

import type { Condition, KubeObject } from "../../apis/kube/kube-object.ts";
import { conditionsOf } from "../conditions.ts";
import { explained, sentence } from "./explained.ts";
import type { ConditionView } from "./object-view.ts";

const badWhenTrue = /^(Degraded|Progressing|Failing|Paused|Deleting|.*Failed|.*Pressure|.*Unavailable)$/;

/** `alsoBad`: types that a job declares to mean a problem when they are True. */
export function conditionViews(object: KubeObject, alsoBad: readonly string[] = []): readonly ConditionView[] {
  return conditionsOf(object).map((condition) => {
    const isBadWhenTrue = badWhenTrue.test(condition.type) || alsoBad.includes(condition.type);
    return conditionView(condition, object.metadata.generation, isBadWhenTrue);
  });
}

function conditionView(condition: Condition, generation: number | undefined, isBadWhenTrue: boolean): ConditionView {
  // Other people's conditions may lack what ours always have.
  const { type, status, observedGeneration, ...rest }: Pick<Condition, "type" | "status"> & Partial<Condition> =
    condition;
  const { reason = "", message = "", lastTransitionTime = "" } = rest;
  const about = explained(reason);
  const good = status === (isBadWhenTrue ? "False" : "True");
  return {
    ...about,
    type,
    status,
    good,
    message,
    words: wordsOf(type, status, message || (good ? "" : about.summary || reason)),
    since: lastTransitionTime,
    outdated: observedGeneration !== undefined && generation !== undefined && observedGeneration < generation,
  };
}

function wordsOf(type: string, status: Condition["status"], why: string): string {
  const truth = status === "True" ? type : status === "False" ? `${type} is False` : `${type} is Unknown`;
  return sentence(why === "" ? truth : `${truth}: ${why}`);
}
