// Who owns whom, by uid. Kept up to date from the stream of changes; knows no rules.

import type { JsonObject } from "../json.ts";
import { objectsAt } from "../json-lists.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";

export interface ObjectAddress {
  /** Storage key: `group/plural`. */
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly uid: string;
}

export function addressOf(resource: string, object: JsonObject): ObjectAddress {
  const metadata = objectAt(object, "metadata");
  const namespace = stringAt(metadata, "namespace");
  return {
    resource,
    namespace: namespace === "" ? undefined : namespace,
    name: stringAt(metadata, "name"),
    uid: stringAt(metadata, "uid"),
  };
}

export function ownerUids(object: JsonObject | undefined): readonly string[] {
  return objectsAt(objectAt(object, "metadata"), "ownerReferences").map((owner) => stringAt(owner, "uid"));
}

export class OwnerGraph {
  readonly #objects = new Map<string, ObjectAddress>();
  readonly #dependents = new Map<string, Map<string, ObjectAddress>>();

  put(address: ObjectAddress, object: JsonObject, previous: JsonObject | undefined): void {
    for (const owner of ownerUids(previous)) this.#unlink(owner, address.uid);
    this.#objects.set(address.uid, address);
    for (const owner of ownerUids(object)) {
      const dependents = this.#dependents.get(owner) ?? new Map<string, ObjectAddress>();
      dependents.set(address.uid, address);
      this.#dependents.set(owner, dependents);
    }
  }

  remove(address: ObjectAddress, object: JsonObject): void {
    this.#objects.delete(address.uid);
    for (const owner of ownerUids(object)) this.#unlink(owner, address.uid);
  }

  find(uid: string): ObjectAddress | undefined {
    return this.#objects.get(uid);
  }

  dependentsOf(uid: string): readonly ObjectAddress[] {
    return [...(this.#dependents.get(uid)?.values() ?? [])];
  }

  clear(): void {
    this.#objects.clear();
    this.#dependents.clear();
  }

  #unlink(owner: string, dependent: string): void {
    const dependents = this.#dependents.get(owner);
    dependents?.delete(dependent);
    if (dependents?.size === 0) this.#dependents.delete(owner);
  }
}
