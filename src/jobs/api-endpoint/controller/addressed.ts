// The planner speaks of one object's balancers; an executor serves all objects, so each action says whose it is.

import type { ObjectRef } from "../../../apis/kube/kube-object.ts";
import type { Plan } from "../../../core/plan.ts";
import type { EndpointAction } from "../core/model/action.ts";
import { endpointActionWords } from "../core/model/action-words.ts";
import type { EndpointObserved } from "../core/model/observed.ts";

export type Addressed<A> = A & {
  readonly object: ObjectRef;
  /** Of the object that it was decided for: another one may have its name by now. */
  readonly uid: string;
};

export type AddressedAction = Addressed<EndpointAction>;

export function addressTo(
  { intent: { object }, object: { uid } }: EndpointObserved,
  plan: Plan<EndpointAction>,
): Plan<AddressedAction> {
  return {
    ...plan,
    actions: plan.actions.map((action) => ({ ...action, object, uid, words: endpointActionWords(action) })),
  };
}
