// The planner speaks of one object's balancers; an executor serves all objects, so each action is told whose it is.

import type { ObjectRef } from "../../apis/kube-object.ts";
import type { EndpointAction } from "../../core/api-endpoint/action.ts";
import { endpointActionWords } from "../../core/api-endpoint/action-words.ts";
import type { Plan } from "../../core/plan.ts";

export type Addressed<A> = A & { readonly object: ObjectRef };

export type AddressedAction = Addressed<EndpointAction>;

/** Kinds that change Kubernetes objects; all others change the cloud. */
export type KubeKind =
  | "add-finalizer"
  | "claim-owner-id"
  | "set-endpoint"
  | "open-gate"
  | "remove-finalizer"
  | "apply-dns-endpoint"
  | "delete-dns-endpoint";
export type CloudKind = Exclude<EndpointAction["kind"], KubeKind>;

export function addressTo(object: ObjectRef, plan: Plan<EndpointAction>): Plan<AddressedAction> {
  return {
    ...plan,
    actions: plan.actions.map((action) => ({ ...action, object, words: endpointActionWords(action) })),
  };
}
