// What a controller would do for one key right now: its observe and plan, run once. It writes nothing: executors are never called.

import type { ObjectRef } from "../../apis/kube/kube-object.ts";
import type { Guard } from "../../core/guards.ts";
import type { Plan } from "../../core/plan.ts";
import type { Feature } from "../feature.ts";
import { type ObservedOnce, type ObserveOnceOptions, observeOnce, type ReadObject } from "./observe-once.ts";

export interface PlanOnceOptions extends ObserveOnceOptions {
  readonly guard: Guard;
}

export type PlannedOnce =
  | Exclude<ObservedOnce, { readonly found: "observed" }>
  | {
      readonly found: "plan";
      /** What the planner wants. */
      readonly wanted: Plan;
      /** What is left of it after the guards. */
      readonly plan: Plan;
      /** Optional kinds that could not be read. */
      readonly unread: readonly string[];
      /** What was read for it, of other kinds than its own. */
      readonly related: readonly ReadObject[];
    };

export async function planOnce(feature: Feature, key: ObjectRef, options: PlanOnceOptions): Promise<PlannedOnce> {
  const once = await observeOnce(feature, key, options);
  if (once.found !== "observed") return once;
  const wanted = feature.plan(once.observed, once.nowMs);
  return { found: "plan", wanted, plan: options.guard(wanted), unread: once.unread, related: once.related };
}
