// One call of one process to something outside, and the plan for it: how long it takes, and what goes wrong. Faults change the plan before
// the call begins.

import type { ObjectRef } from "../../apis/kube/kube-object.ts";
import type { SimProcess } from "../processes/sim-process.ts";
import type { KubePath } from "./kube-path.ts";

/** How a call is turned away before it has any effect: no connection, an answer that says so, or one that finds fault with what it brings. */
export type TurnedAway =
  | { readonly how: "connection" }
  | { readonly how: "status"; readonly status: 429 | 500 | 503 }
  | { readonly how: "invalid" };

/** On whose behalf something is done: a feature, in a round of one object. */
export interface Actor {
  readonly feature: string;
  /** The kind of the object, as storage names it. */
  readonly root: string;
  readonly key: ObjectRef;
  /** Of the object when the round began; undefined: there was none. */
  readonly uid: string | undefined;
}

export interface PortCall {
  readonly process: SimProcess;
  /** The system behind the port: `kube`, `cloud`. */
  readonly port: string;
  readonly verb: string;
  /** `configmaps/default/a`, `location-b`. */
  readonly target: string;
  /** Of the request, where it has one. */
  readonly path: string;
  /** What that path names in the cluster. Undefined outside of it, and for what is no resource. */
  readonly inCluster?: KubePath | undefined;
  readonly write: boolean;
  /** The action that it serves, or what else it is for: `lease`, `status`, `event`, `list`, `watch`. */
  readonly purpose: string;
  readonly body: string;
  readonly sentMs: number;
  /** Undefined for what belongs to no round: leases, events, watches. */
  readonly actor: Actor | undefined;
}

export interface CallPlan {
  /** Until it is written to its connection: the process can be stopped meanwhile. */
  leavesAfterMs: number;
  thereMs: number;
  backMs: number;
  turnedAway?: TurnedAway;
  /** The effect happens; the caller gets a broken connection instead of the answer, or nothing at all. */
  replyLost?: "broken" | "silence";
  crash?: "before-effect" | "after-effect" | "after-reply";
  /** Somebody else changes the object right before the call arrives. */
  racingWrite?: boolean;
  /** The process is stopped for so long before the call leaves. */
  stoppedMs?: number;
}

export function describeCall({ port, verb, target }: PortCall): string {
  return port === "kube" ? `${verb} ${target}` : `${port} ${verb} ${target}`;
}
