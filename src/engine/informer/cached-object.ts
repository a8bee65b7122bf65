// An object as a cache keeps it: without managedFields, which nothing here reads and which are half of its size, and frozen, because
// all features share it.

import type { KubeObject, ObjectMeta } from "../../apis/kube/kube-object.ts";

export function toCached<T extends KubeObject>(object: T, keepManagedFields: boolean): T {
  return deepFreeze(keepManagedFields ? object : withoutManagedFields(object));
}

// A copy, not `delete`: deleting a property turns an object into a hash table of several times its size.
function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata }: ObjectMeta = object.metadata;
  return { ...object, metadata };
}

function deepFreeze<T extends object>(value: T): T {
  if (Array.isArray(value)) {
    for (const inner of value) if (isObject(inner)) deepFreeze(inner);
  } else {
    for (const name in value) {
      const inner: unknown = value[name];
      if (isObject(inner)) deepFreeze(inner);
    }
  }
  return Object.freeze(value);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
