// A CRD that is being deleted takes every object of its kind with it, and goes when the last one is gone.

import { stringsAt } from "../json-lists.ts";
import { crdCleanupFinalizer } from "../kinds/custom-resource-definition.ts";
import { crdStorage } from "../resource-registry.ts";
import { deleteObject } from "../rest/delete-object.ts";
import { updateObject } from "../rest/update-object.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { type ServerContext, storageKey, withMetadata } from "../server-context.ts";
import type { StoredChange } from "../storage/object-store.ts";
import type { Enqueue } from "./controllers.ts";
import { systemCall, systemWrite } from "./system-call.ts";

export class CrdCleanup {
  readonly #server: ServerContext;
  readonly #enqueue: Enqueue;

  constructor(server: ServerContext, enqueue: Enqueue) {
    this.#server = server;
    this.#enqueue = enqueue;
  }

  observe({ type, resource, object }: StoredChange): void {
    if (resource === crdStorage && type !== "DELETED") this.#later(stringAt(objectAt(object, "metadata"), "name"));
    if (resource === crdStorage && type === "DELETED") this.#offerNames();
    // `group/plural` and the CRD's name `plural.group` say the same.
    const [group = "", plural = ""] = resource.split("/");
    if (type === "DELETED" && group !== "" && this.#isDeleting(`${plural}.${group}`)) this.#later(`${plural}.${group}`);
  }

  resync(): void {
    for (const [name] of this.#server.store.list(crdStorage)) this.#later(name);
  }

  // Names that became free may be what another CRD has been waiting for.
  #offerNames(): void {
    const own = this.#server.registry.findKind("apiextensions.k8s.io", "CustomResourceDefinition");
    if (own === undefined) return;
    for (const [name] of this.#server.store.list(crdStorage)) {
      this.#enqueue(`names ${name}`, async () => {
        await updateObject(systemCall(this.#server, own, undefined, name), systemWrite, (live) => ({ object: live }));
      });
    }
  }

  #later(name: string): void {
    if (this.#isDeleting(name)) this.#enqueue(`crd ${name}`, () => this.#sync(name));
  }

  #isDeleting(name: string): boolean {
    const metadata = objectAt(this.#server.store.get(crdStorage, undefined, name), "metadata");
    return (
      metadata["deletionTimestamp"] !== undefined && stringsAt(metadata, "finalizers").includes(crdCleanupFinalizer)
    );
  }

  async #sync(name: string): Promise<void> {
    const { registry, store } = this.#server;
    const own = registry.findKind("apiextensions.k8s.io", "CustomResourceDefinition");
    if (own === undefined || !this.#isDeleting(name)) return;
    const resource = registry.all().find(({ crd }) => crd?.name === name);
    if (resource !== undefined) {
      for (const [, object] of store.list(storageKey(resource))) {
        const metadata = objectAt(object, "metadata");
        if (metadata["deletionTimestamp"] !== undefined) continue;
        const namespace = resource.namespaced ? stringAt(metadata, "namespace") : undefined;
        const call = systemCall(this.#server, resource, namespace, stringAt(metadata, "name"));
        await deleteObject(call, { propagation: "Background", dryRun: false });
      }
      if (store.list(storageKey(resource)).length > 0) return;
    }
    await updateObject(systemCall(this.#server, own, undefined, name), systemWrite, (live) => {
      const finalizers = stringsAt(objectAt(live, "metadata"), "finalizers").filter(
        (word) => word !== crdCleanupFinalizer,
      );
      return { object: withMetadata(live, { finalizers: finalizers.length === 0 ? undefined : finalizers }) };
    });
  }
}
