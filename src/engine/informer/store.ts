// What an informer lets others see: a read-only, indexed copy of one kind. Objects are frozen; managedFields are stripped.

import type { KubeObject, ObjectRef } from "../../apis/kube/kube-object.ts";

/**
 * - `pending`: the first list is under way
 * - `synced`: the store equals what the server said, as of some moment
 * - `not-served`: the server has no such kind (CRD absent, or served in another version)
 * - `forbidden`: the server will not let us list it
 * - `unreachable`: no answer; what the store holds is the last we saw
 */
export type StoreState = "pending" | "synced" | "not-served" | "forbidden" | "unreachable";

export interface Store<T extends KubeObject = KubeObject> {
  get(ref: ObjectRef): T | undefined;
  list(): readonly T[];
  /** Objects that an indexer filed under this value. An unknown index is a broken promise, not an empty answer. */
  byIndex(index: string, value: string): readonly T[];
  readonly state: StoreState;
  /** True once the first list has been delivered completely, and from then on. */
  hasSynced(): boolean;
}
