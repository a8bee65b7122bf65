// Owner references: what loses its last owner is deleted; an owner deleted in the foreground waits for its dependents, one
// deleted as an orphanage lets them go.

import type { JsonObject } from "../json.ts";
import { objectsAt, stringsAt } from "../json-lists.ts";
import type { ResourceDefinition } from "../resource.ts";
import { deleteObject } from "../rest/delete-object.ts";
import { updateObject } from "../rest/update-object.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { type ServerContext, storageKey, withMetadata } from "../server-context.ts";
import type { StoredChange } from "../storage/object-store.ts";
import type { Enqueue } from "./controllers.ts";
import { addressOf, type ObjectAddress, OwnerGraph, ownerUids } from "./owner-graph.ts";
import { systemCall, systemWrite } from "./system-call.ts";

type OwnerState = "solid" | "gone" | "waiting" | "unknown";

const ignored = "/events";

export class GarbageCollector {
  readonly #server: ServerContext;
  readonly #enqueue: Enqueue;
  readonly #graph = new OwnerGraph();

  constructor(server: ServerContext, enqueue: Enqueue) {
    this.#server = server;
    this.#enqueue = enqueue;
  }

  observe({ type, resource, object, previous }: StoredChange): void {
    if (resource === ignored) return;
    const address = addressOf(resource, object);
    if (type === "DELETED") {
      this.#graph.remove(address, object);
      for (const dependent of this.#graph.dependentsOf(address.uid)) this.#collectLater(dependent);
    } else {
      this.#graph.put(address, object, previous);
      if (ownerUids(object).length > 0) this.#collectLater(address);
      if (waitsAsOwner(object)) this.#finishLater(address);
    }
    for (const uid of new Set([...ownerUids(object), ...ownerUids(previous)])) {
      const owner = this.#graph.find(uid);
      if (owner !== undefined) this.#finishLater(owner);
    }
  }

  /** Storage was replaced as a whole. */
  resync(): void {
    this.#graph.clear();
    for (const resource of this.#server.registry.all()) {
      const key = storageKey(resource);
      for (const [, object] of this.#server.store.list(key)) {
        const change = { type: "ADDED", resource: key, object, previous: undefined, key: "", revision: 0 } as const;
        this.observe(change);
      }
    }
  }

  #collectLater(address: ObjectAddress): void {
    this.#enqueue(`collect ${address.uid}`, () => this.#collect(address));
  }

  #finishLater(address: ObjectAddress): void {
    this.#enqueue(`finish ${address.uid}`, () => this.#finish(address));
  }

  async #collect(address: ObjectAddress): Promise<void> {
    const found = this.#read(address);
    if (found === undefined) return;
    const { object, resource } = found;
    const metadata = objectAt(object, "metadata");
    const finalizers = stringsAt(metadata, "finalizers");
    if (metadata["deletionTimestamp"] !== undefined && !finalizers.includes("foregroundDeletion")) return;
    const owners = objectsAt(metadata, "ownerReferences");
    const states = owners.map((owner) => this.#stateOf(owner, address));
    if (owners.length === 0 || states.includes("unknown")) return;
    const call = systemCall(this.#server, resource, address.namespace, address.name);
    if (states.includes("solid")) {
      const kept = owners.filter((_owner, index) => states[index] === "solid").map((owner) => stringAt(owner, "uid"));
      if (kept.length < owners.length) await this.#keepOwners(address, kept);
      return;
    }
    const foreground = states.includes("waiting") && this.#graph.dependentsOf(address.uid).length > 0;
    const own = finalizers.includes("orphan")
      ? "Orphan"
      : finalizers.includes("foregroundDeletion")
        ? "Foreground"
        : "Background";
    await deleteObject(call, { uid: address.uid, propagation: foreground ? "Foreground" : own, dryRun: false });
  }

  async #finish(address: ObjectAddress): Promise<void> {
    const found = this.#read(address);
    if (found === undefined || !waitsAsOwner(found.object)) return;
    const finalizers = stringsAt(objectAt(found.object, "metadata"), "finalizers");
    const dependents = this.#graph.dependentsOf(address.uid);
    if (finalizers.includes("orphan")) {
      for (const dependent of dependents) await this.#dropOwner(dependent, address.uid);
      await this.#dropFinalizer(address, "orphan");
      return;
    }
    if (dependents.some((dependent) => this.#blocks(dependent, address.uid))) {
      for (const dependent of dependents) this.#collectLater(dependent);
      return;
    }
    await this.#dropFinalizer(address, "foregroundDeletion");
  }

  #read(address: ObjectAddress): { readonly object: JsonObject; readonly resource: ResourceDefinition } | undefined {
    const object = this.#server.store.get(address.resource, address.namespace, address.name);
    if (object === undefined || objectAt(object, "metadata")["uid"] !== address.uid) return undefined;
    const resource = this.#server.registry.all().find((candidate) => storageKey(candidate) === address.resource);
    return resource === undefined ? undefined : { object, resource };
  }

  #stateOf(owner: JsonObject, dependent: ObjectAddress): OwnerState {
    const apiVersion = stringAt(owner, "apiVersion");
    const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
    const resource = this.#server.registry.findKind(group ?? "", stringAt(owner, "kind"));
    if (resource === undefined || !resource.versions.some(({ name, served }) => served && name === version))
      return "unknown";
    // A cluster-scoped object cannot be owned by one in a namespace: nobody knows which namespace.
    if (resource.namespaced && dependent.namespace === undefined) return "unknown";
    const namespace = resource.namespaced ? dependent.namespace : undefined;
    const object = this.#server.store.get(storageKey(resource), namespace, stringAt(owner, "name"));
    const metadata = objectAt(object, "metadata");
    if (object === undefined || metadata["uid"] !== owner["uid"]) return "gone";
    const waiting =
      metadata["deletionTimestamp"] !== undefined && stringsAt(metadata, "finalizers").includes("foregroundDeletion");
    return waiting ? "waiting" : "solid";
  }

  #blocks(dependent: ObjectAddress, ownerUid: string): boolean {
    const object = this.#read(dependent)?.object;
    return objectsAt(objectAt(object, "metadata"), "ownerReferences").some(
      (owner) => owner["uid"] === ownerUid && owner["blockOwnerDeletion"] === true,
    );
  }

  async #dropOwner(address: ObjectAddress, uid: string): Promise<void> {
    const found = this.#read(address);
    if (found === undefined) return;
    await this.#keepOwners(
      address,
      ownerUids(found.object).filter((owner) => owner !== uid),
    );
  }

  async #keepOwners(address: ObjectAddress, uids: readonly string[]): Promise<void> {
    await this.#changeMetadata(address, (metadata) => {
      const owners = objectsAt(metadata, "ownerReferences").filter((owner) => uids.includes(stringAt(owner, "uid")));
      return { ownerReferences: owners.length === 0 ? undefined : owners };
    });
  }

  async #dropFinalizer(address: ObjectAddress, finalizer: string): Promise<void> {
    await this.#changeMetadata(address, (metadata) => {
      const finalizers = stringsAt(metadata, "finalizers").filter((name) => name !== finalizer);
      return { finalizers: finalizers.length === 0 ? undefined : finalizers };
    });
  }

  async #changeMetadata(address: ObjectAddress, change: (metadata: JsonObject) => JsonObject): Promise<void> {
    const resource = this.#read(address)?.resource;
    if (resource === undefined) return;
    const call = systemCall(this.#server, resource, address.namespace, address.name);
    await updateObject(call, systemWrite, (live) => ({
      object: withMetadata(live, change(objectAt(live, "metadata"))),
    }));
  }
}

function waitsAsOwner(object: JsonObject): boolean {
  const metadata = objectAt(object, "metadata");
  const finalizers = stringsAt(metadata, "finalizers");
  return (
    metadata["deletionTimestamp"] !== undefined &&
    (finalizers.includes("orphan") || finalizers.includes("foregroundDeletion"))
  );
}
