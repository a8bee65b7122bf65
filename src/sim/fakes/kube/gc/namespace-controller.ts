// Empties a namespace that is being deleted and then lets it go; gives every living one its default ServiceAccount.

import type { JsonObject } from "../json.ts";
import { stringsAt } from "../json-lists.ts";
import { createObject } from "../rest/create-object.ts";
import { deleteObject } from "../rest/delete-object.ts";
import { updateObject } from "../rest/update-object.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { isoSeconds, type ServerContext, storageKey } from "../server-context.ts";
import type { StoredChange } from "../storage/object-store.ts";
import type { Enqueue } from "./controllers.ts";
import { systemCall, systemWrite } from "./system-call.ts";

const storage = "/namespaces";
const finalizer = "kubernetes";

export class NamespaceController {
  readonly #server: ServerContext;
  readonly #enqueue: Enqueue;

  constructor(server: ServerContext, enqueue: Enqueue) {
    this.#server = server;
    this.#enqueue = enqueue;
  }

  observe({ type, resource, object }: StoredChange): void {
    const metadata = objectAt(object, "metadata");
    const name = resource === storage ? stringAt(metadata, "name") : stringAt(metadata, "namespace");
    if (name === "" || (resource === storage && type === "DELETED")) return;
    const concerns = resource === storage || isTerminating(this.#read(name)) || resource === "/serviceaccounts";
    if (concerns) this.#enqueue(`namespace ${name}`, () => this.#sync(name));
  }

  resync(): void {
    for (const [name] of this.#server.store.list(storage)) this.#enqueue(`namespace ${name}`, () => this.#sync(name));
  }

  async #sync(name: string): Promise<void> {
    const namespace = this.#read(name);
    if (namespace === undefined) return;
    if (!isTerminating(namespace)) return this.#giveAccount(name);
    if (!stringsAt(objectAt(namespace, "spec"), "finalizers").includes(finalizer)) return;
    for (const resource of this.#contents()) {
      for (const [, object] of this.#server.store.list(storageKey(resource), name)) {
        const metadata = objectAt(object, "metadata");
        if (metadata["deletionTimestamp"] !== undefined) continue;
        const call = systemCall(this.#server, resource, name, stringAt(metadata, "name"));
        await deleteObject(call, { propagation: "Background", uid: stringAt(metadata, "uid"), dryRun: false });
      }
    }
    const left = this.#contents().reduce(
      (sum, resource) => sum + this.#server.store.list(storageKey(resource), name).length,
      0,
    );
    await (left === 0 ? this.#release(name) : this.#reportRemaining(name, left));
  }

  async #release(name: string): Promise<void> {
    await updateObject(this.#namespaceCall(name, "finalize"), systemWrite, (live) => {
      const finalizers = stringsAt(objectAt(live, "spec"), "finalizers").filter((word) => word !== finalizer);
      return { object: { ...live, spec: { finalizers } } };
    });
  }

  async #reportRemaining(name: string, count: number): Promise<void> {
    const condition = {
      type: "NamespaceContentRemaining",
      status: "True",
      lastTransitionTime: isoSeconds(this.#server.clock.nowMs()),
      reason: "SomeResourcesRemain",
      message: `Some resources are remaining: ${count} resource instances`,
    };
    await updateObject(this.#namespaceCall(name, "status"), systemWrite, (live) => {
      const status = objectAt(live, "status");
      return {
        object: {
          ...live,
          status: status["conditions"] === undefined ? { ...status, conditions: [condition] } : status,
        },
      };
    });
  }

  async #giveAccount(name: string): Promise<void> {
    const resource = this.#server.registry.findKind("", "ServiceAccount");
    if (resource === undefined || this.#server.store.get(storageKey(resource), name, "default") !== undefined) return;
    const account = { kind: "ServiceAccount", apiVersion: "v1", metadata: { name: "default" } };
    await createObject(systemCall(this.#server, resource, name, ""), account, systemWrite);
  }

  #contents() {
    const seen = new Set<string>();
    return this.#server.registry.all().filter((resource) => {
      if (!resource.namespaced || resource.verbs !== undefined || seen.has(storageKey(resource))) return false;
      seen.add(storageKey(resource));
      return true;
    });
  }

  #namespaceCall(name: string, subresource: string) {
    const resource = this.#server.registry.findKind("", "Namespace");
    if (resource === undefined) throw new Error("the server has no Namespace kind");
    return systemCall(this.#server, resource, undefined, name, subresource);
  }

  #read(name: string): JsonObject | undefined {
    return this.#server.store.get(storage, undefined, name);
  }
}

function isTerminating(namespace: JsonObject | undefined): boolean {
  return objectAt(namespace, "metadata")["deletionTimestamp"] !== undefined;
}
