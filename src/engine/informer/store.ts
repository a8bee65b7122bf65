// What features read from an informer: a read-only, indexed copy of one kind. Objects are frozen and have no managedFields.

import type { KubeObject, ObjectRef } from "../../apis/kube/kube-object.ts";

/**
 * - `pending`: the first list is under way
 * - `synced`: the store equals the server's state of some recent moment
 * - `not-served`: the server has no such kind (CRD absent, or served in another version)
 * - `forbidden`: the server will not let us list it
 * - `unreachable`: no answer; the store holds the last known state
 */
export type StoreState = "pending" | "synced" | "not-served" | "forbidden" | "unreachable";

export interface Store<T extends KubeObject = KubeObject> {
  get(ref: ObjectRef): T | undefined;
  list(): readonly T[];
  /** Objects with this index value. An unknown index is a broken invariant, not an empty answer. */
  byIndex(index: string, value: string): readonly T[];
  readonly state: StoreState;
  /** True once the first list has been delivered completely, and from then on. */
  hasSynced(): boolean;
}
