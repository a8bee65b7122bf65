// The world as a handler comes to know it, from events alone. Events that cannot follow the ones before are noted.

import { formatRef, type KubeObject, refOf } from "../../src/apis/kube/kube-object.ts";
import type { Change } from "../../src/engine/informer/informer-cache.ts";

export class Replica<T extends KubeObject = KubeObject> {
  readonly objects = new Map<string, T>();
  readonly changes: string[] = [];
  readonly contradictions: string[] = [];
  /** Every state delivered as added or updated: uid and resource version. */
  readonly states = new Set<string>();
  readonly deletedUids = new Set<string>();
  #onChange: (change: Change<T>) => void = () => {};

  readonly handler = (change: Change<T>): void => {
    const key = formatRef(refOf(change.object));
    const line = `${change.type} ${change.object.metadata.name}`;
    this.changes.push(line);
    if (!this.#mayFollow(change, this.objects.get(key))) this.contradictions.push(line);
    if (change.type === "deleted") this.#delete(key, change.object);
    else this.#put(key, change.object);
    this.#onChange(change);
  };

  /** Resolves with the first later change that the predicate accepts. */
  next(accepts: (change: Change<T>) => boolean): Promise<Change<T>> {
    return new Promise((resolve) => {
      this.#onChange = (change) => accepts(change) && resolve(change);
    });
  }

  #mayFollow(change: Change<T>, known: T | undefined): boolean {
    if (change.type === "added") return known === undefined;
    if (known === undefined || known.metadata.uid !== change.object.metadata.uid) return false;
    return change.type === "deleted" || change.previous === known;
  }

  #put(key: string, object: T): void {
    this.objects.set(key, object);
    this.states.add(stateOf(object));
  }

  #delete(key: string, object: T): void {
    this.objects.delete(key);
    this.deletedUids.add(object.metadata.uid ?? "");
  }
}

export function stateOf({ metadata }: KubeObject): string {
  return `${metadata.uid}@${metadata.resourceVersion}`;
}
